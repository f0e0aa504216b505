import { parseSync } from 'rolldown/utils';

export interface AstNode {
  type: string;
  start: number;
  [member: string]: unknown;
}

/** Calls `visit` with every node of a syntax tree, parents first. */
export function walk(node: unknown, visit: (node: AstNode) => void): void {
  if (Array.isArray(node)) for (const item of node) walk(item, visit);
  else if (typeof node === 'object' && node !== null) {
    if (typeof (node as AstNode).type === 'string') visit(node as AstNode);
    for (const value of Object.values(node)) walk(value, visit);
  }
}

/** The syntax tree of a TypeScript text. Throws, with the file's name, when it is no TypeScript. */
export function parse(file: string, text: string): AstNode {
  const { program, errors } = parseSync(file, text);
  const [first] = errors;
  if (first !== undefined) throw new Error(`${file}: ${first.message}`);
  return program as unknown as AstNode;
}
