import type { Operation } from './operation.ts';

/** What the audit chain keeps of an input: named fields with their value, every other one as present (architecture.md §4). */
export function auditOf(op: Operation, input: Record<string, unknown>): { operation: string; fields: Record<string, unknown>; present: string[] } {
  const fields: Record<string, unknown> = {};
  const present: string[] = [];
  for (const name of Object.keys(input)) {
    if (input[name] === undefined) continue;
    if (op.audit.includes(name)) fields[name] = input[name];
    else present.push(name);
  }
  return { operation: op.id, fields, present: present.sort() };
}
