import type { ToolGate } from '@better-compute/client';
import { offeredTools, type ToolOptions } from './tools/catalog.ts';

/** A rule of the gate; structural (iam.md §8.3). */
export interface McpToolRule {
  action?: string;
  resource?: { type: string; id: string } | ((args: Record<string, unknown>) => { type: string; id: string });
  /** Any authenticated caller. */
  public?: boolean;
}

/** Ids a rule accepts (iam.md §19.5): the gate runs before anything is validated, and what it is given may reach a person. */
const idForms: Readonly<Record<string, RegExp>> = {
  pool: /^[A-Za-z0-9._:-]{1,128}$/,
  node: /^node_[A-Za-z0-9_-]{22}$/,
  'sandbox-template': /^sbxt_[A-Za-z0-9._:-]{1,122}$/,
};

/**
 * The gate's rules of every tool that `createComputeMcp` offers with the same options (B129 to B136). They decide visibility only; the tool's own action
 * is decided once, in compute. A rule throws for an id that is missing or malformed, and the gate denies.
 */
export function gateTools(o: ToolOptions & { typePrefix?: string } = {}): Record<string, McpToolRule> {
  const prefix = o.typePrefix ?? 'compute-';
  return Object.fromEntries(offeredTools(o).map((tool) => [tool.entry.name, ruleOf(tool.gate, prefix)]));
}

function ruleOf(gate: ToolGate, prefix: string): McpToolRule {
  if (gate === 'any') return { public: true };
  const type = `${prefix}${gate.type}`;
  if ('id' in gate) return { action: gate.action, resource: { type, id: gate.id } };
  const form = idForms[gate.type];
  if (!form) throw new Error(`the gate knows no form of the id of a ${gate.type}`);
  return { action: gate.action, resource: (args) => ({ type, id: wellFormed(args, gate.argument, form) }) };
}

function wellFormed(args: Record<string, unknown>, name: string, form: RegExp): string {
  const id = Object.hasOwn(args, name) ? args[name] : undefined;
  if (typeof id !== 'string' || !form.test(id)) throw new TypeError(`${name} is not well formed`);
  return id;
}
