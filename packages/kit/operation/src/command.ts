import type { z } from 'zod';
import type { Operation } from './operation.ts';
import { jsonSchemaOf } from './tool.ts';

export interface CommandOption {
  /** Member of the arguments, `durationSeconds`. */
  name: string;
  /** `--duration-seconds` */
  flag: string;
  kind: 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'json';
  description: string;
  isRequired: boolean;
  choices?: string[];
}

/** One CLI verb, derived: words, positional arguments, flags, and the way back to the operation's input. */
export interface CommandDefinition {
  operation: Operation;
  path: string[];
  positional: CommandOption[];
  options: CommandOption[];
  toInput: (args: Record<string, unknown>) => Record<string, unknown>;
  arguments: z.ZodObject;
}

export const kebab = (name: string): string =>
  name
    .replace('GiB', 'Gib')
    .replace('MiB', 'Mib')
    .replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

interface Schema {
  type?: string;
  enum?: string[];
  description?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

function optionOf(name: string, schema: Schema, isRequired: boolean): CommandOption {
  const simple = schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean' || schema.type === 'string' ? schema.type : undefined;
  const kind = simple ?? (schema.type === 'array' && schema.items?.type === 'string' ? 'list' : 'json');
  return { name, flag: `--${kebab(name)}`, kind, description: schema.description ?? '', isRequired, ...(schema.enum ? { choices: schema.enum } : {}) };
}

/** Undefined where an operation has no verb. */
export function commandOf(op: Operation): CommandDefinition | undefined {
  if (op.command === false) return undefined;
  const args = op.command.arguments ?? op.input;
  const schema = jsonSchemaOf(args, 'input') as Schema;
  const required = new Set(schema.required ?? []);
  const all = Object.entries(schema.properties ?? {}).map(([name, member]) => optionOf(name, member, required.has(name)));
  const positional = op.command.positional ?? [];
  return {
    operation: op,
    path: op.command.path ?? op.id.split('.').map(kebab),
    positional: positional.map((name) => all.find((option) => option.name === name)!),
    options: all.filter((option) => !positional.includes(option.name)),
    toInput: (op.command.toInput as CommandDefinition['toInput'] | undefined) ?? ((a) => a),
    arguments: args,
  };
}

/** Turns a flag's text into the value its schema wants; text that cannot be one is left to validation, which names the field. */
export function valueOf(option: CommandOption, text: string | boolean | string[]): unknown {
  if (typeof text === 'boolean') return text;
  if (option.kind === 'list') return (Array.isArray(text) ? text : [text]).flatMap((part) => part.split(',')).filter((part) => part !== '');
  const one = Array.isArray(text) ? (text.at(-1) ?? '') : text;
  if (option.kind === 'integer' || option.kind === 'number') return one.trim() !== '' && Number.isFinite(Number(one)) ? Number(one) : one;
  if (option.kind === 'json') {
    try {
      return JSON.parse(one);
    } catch {
      return one;
    }
  }
  return one;
}
