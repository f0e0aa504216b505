import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AstNode, parse, walk } from '../tools/syntax.ts';

const idPattern = /\bB\d{1,3}\b|\b(?:compute|iam|product)§\d+(?:\.\d+)*|\bissue\d+\.(?:done)?\d+/g;
/** With a space, or by file name: what people write when they do not copy the id. */
const misspelt = /\b(?:compute|iam|product)(?: §|§ | § |\.md)/g;

const isText = (node: AstNode | undefined): boolean => node?.type === 'TemplateLiteral' || (node?.type === 'Literal' && typeof node.value === 'string');

/** The fixed text of a string or template; what is filled in is a gap. */
const textOf = (node: AstNode): string =>
  node.type === 'Literal' ? String(node.value) : (node.quasis as { value: { cooked: string } }[]).map((quasi) => quasi.value.cooked).join('…');

/** What a callee is made of: `test`, `skipIf` for `test.skipIf(x)`, and so on through calls and tags. */
function pathOf(callee: AstNode): string[] {
  if (callee.type === 'Identifier') return [String(callee.name)];
  if (callee.type === 'MemberExpression') return [...pathOf(callee.object as AstNode), String((callee.property as AstNode).name)];
  if (callee.type === 'CallExpression') return pathOf(callee.callee as AstNode);
  return callee.type === 'TaggedTemplateExpression' ? pathOf(callee.tag as AstNode) : [];
}

const declarers = new Set(['test', 'it', 'describe']);
/** Called with a table or a condition; the name comes with the call of what they return. */
const beforeName = new Set(['each', 'for', 'skipIf', 'runIf', 'extend']);
/** Tests that never run prove nothing. */
const switchedOff = new Set(['skip', 'todo']);

export interface Citations {
  cited: Set<string>;
  /** Spellings that look like a citation and are none. */
  misspelt: string[];
}

/**
 * Requirement ids in the names of tests and their groups. Where a name is filled in (`test.each`, a template), every
 * string of that file that begins with a known id counts too, for the name may come from a table.
 */
export function citationsOf(file: string, text: string, known: ReadonlySet<string>): Citations {
  const names: string[] = [];
  const strings: string[] = [];
  let isFilledIn = false;
  walk(parse(file, text), (node) => {
    if (isText(node)) strings.push(textOf(node));
    if (node.type !== 'CallExpression') return;
    const callee = node.callee as AstNode;
    const [root = '', ...members] = pathOf(callee);
    if (!declarers.has(root) || members.some((member) => switchedOff.has(member))) return;
    if (callee.type === 'MemberExpression' && beforeName.has(members.at(-1) ?? '')) return;
    const [name] = node.arguments as AstNode[];
    const fixed = name !== undefined && isText(name) ? textOf(name) : '…';
    names.push(fixed);
    if (fixed.includes('…') || members.includes('each') || members.includes('for')) isFilledIn = true;
  });
  const startsWithId = new RegExp(`^(?:${idPattern.source})`);
  const fromTables = isFilledIn ? strings.flatMap((string) => startsWithId.exec(string)?.[0] ?? []).filter((id) => known.has(id)) : [];
  return {
    cited: new Set([...names.flatMap((name) => name.match(idPattern) ?? []), ...fromTables]),
    misspelt: names.flatMap((name) => name.match(misspelt) ?? []),
  };
}

/** All citations of the repository's tests, and the files with misspelt ones. */
export function citationsOfTests(root: string, known: ReadonlySet<string>): Citations {
  const files = globSync(['{packages,apps,tests,tools,conformance,bench}/**/*.test.{ts,tsx}'], {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  });
  const found = files.sort().map((file) => ({ file, ...citationsOf(file, readFileSync(join(root, file), 'utf8'), known) }));
  return {
    cited: new Set(found.flatMap(({ cited }) => [...cited])),
    misspelt: found.flatMap((entry) => entry.misspelt.map((spelling) => `${entry.file}: ${spelling}`)),
  };
}
