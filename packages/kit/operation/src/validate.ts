import type { z } from 'zod';
import { ApiError } from './api-error.ts';

const RESERVED = new Set(['__proto__', 'prototype', 'constructor']);

/** The first reserved member name anywhere in a parsed body: such a name is data nobody needs, and behaviour to a careless reader. */
function reservedPath(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    const here = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (!Array.isArray(value) && RESERVED.has(key)) return here;
    const inner = reservedPath((value as Record<string, unknown>)[key], here);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** `requests[0].count` */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`), '');

/** The known name nearest to what was typed, when it is near enough to be meant. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const squash = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = squash(name) === squash(typed) ? 0 : editDistance(typed.toLowerCase(), name.toLowerCase());
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best && best.distance <= Math.min(4, Math.max(2, Math.floor(typed.length / 3))) ? best.name : undefined;
}

function editDistance(a: string, b: string): number {
  if (a.length > 64 || b.length > 64) return 64;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}

const invalid = (message: string, path: string, suggestion?: string): ApiError =>
  new ApiError('INVALID_INPUT', 400, message, { details: { path, ...(suggestion === undefined ? {} : { suggestion }) } });

/** Names the members a schema knows at a path, for the suggestion of an unknown one. */
function knownAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let here: any = schema;
  for (const step of path) {
    while (here?.def?.innerType) here = here.def.innerType;
    here = typeof step === 'number' ? here?.def?.element : (here?.shape?.[step] ?? here?.def?.valueType);
  }
  while (here?.def?.innerType) here = here.def.innerType;
  return Object.keys(here?.shape ?? {});
}

/**
 * Parses untrusted input. Throws `INVALID_INPUT` with the path of the first problem and, for an unknown member, the
 * name that was probably meant (compute.md §2).
 */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown): T {
  const reserved = reservedPath(value, '');
  if (reserved !== undefined) throw invalid(`${reserved}: unknown member`, reserved);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues;
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  const first = unknown ?? issues[0]!;
  if (first.code === 'unrecognized_keys') {
    const typed = first.keys[0]!;
    const path = pathText([...first.path, typed]);
    const meant = nearest(typed, knownAt(schema, first.path));
    throw invalid(`${path}: unknown member${meant === undefined ? '' : `; did you mean ${meant}?`}`, path, meant);
  }
  const path = pathText(first.path);
  throw invalid(path === '' ? `the input ${first.message}` : `${path}: ${first.message}`, path);
}
