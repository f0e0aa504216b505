import type { Catalog } from '../catalog.ts';
import { limits } from '../limits.ts';
import { type CompiledStatement, compileStatement, type RuleEntry, rulesFor } from './rules.ts';
import type { PolicySource } from './source.ts';

/**
 * Documents that speak with one voice: an allow of any of them is an allow of the set. Keep it as long as the documents stay the same: it finds the
 * rules for an action and a resource type once, on first use.
 */
export interface CompiledSet {
  readonly sources: readonly PolicySource[];
  rulesFor(action: string, type: string): RuleEntry;
}

/** Compiles documents once. The grants of a principal are one set; every ceiling is a set of its own. A set without documents allows nothing. */
export function compileDocuments(sources: readonly PolicySource[], catalog: Catalog): CompiledSet {
  const statements: CompiledStatement[] = sources.flatMap((source) =>
    source.document.statements.map((statement, index) => compileStatement(statement, index, source)),
  );
  const entries = new Map<string, Map<string, RuleEntry>>();
  return {
    sources,
    rulesFor(action, type) {
      const kept = entries.get(action)?.get(type);
      if (kept !== undefined) return kept;
      const entry = rulesFor(statements, action, type, { stepsLeft: limits.evaluationStepsMax });
      // Only what the catalog knows is kept, or a caller could fill memory with names.
      if (catalog.actions.has(action) && Object.hasOwn(catalog.resourceTypes, type)) {
        const byType = entries.get(action) ?? new Map<string, RuleEntry>();
        entries.set(action, byType.set(type, entry));
      }
      return entry;
    },
  };
}
