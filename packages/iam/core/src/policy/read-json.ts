import { IamError } from '../errors.ts';
import { isPlainObject, isReservedName } from '../json.ts';
import { textProblem } from '../text.ts';

/** An object by its own members, all of them known. */
export function readObject(json: unknown, path: string, known: readonly string[]): Record<string, unknown> {
  if (!isPlainObject(json)) refusePolicy(path, 'must be an object');
  for (const member of Object.keys(json)) {
    if (!known.includes(member)) refusePolicy(memberPath(path, member), 'is not known here');
  }
  return Object.fromEntries(known.filter((member) => Object.hasOwn(json, member)).map((member) => [member, json[member]]));
}

export function readList(json: unknown, path: string, max: number): unknown[] {
  if (!Array.isArray(json) || json.length < 1 || json.length > max) refusePolicy(path, `must be a list of 1 to ${max}`);
  return Array.from(json);
}

export function readText(json: unknown, path: string, max: number): string {
  const problem = textProblem(json, { max });
  if (problem !== undefined || json === '') refusePolicy(path, `must be text of 1 to ${max} characters without control, direction or invisible ones`);
  return json as string;
}

export function memberPath(path: string, member: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(member) || isReservedName(member)) return `${path}[${JSON.stringify(member)}]`;
  return path === '' ? member : `${path}.${member}`;
}

export function refusePolicy(path: string, what: string): never {
  throw new IamError('INVALID_POLICY', `${path === '' ? 'the policy' : path} ${what}`, { details: { path } });
}
