import { readFileSync } from 'node:fs';
import { type AstNode, parse, walk } from '../syntax.ts';

export interface Import {
  specifier: string;
  /** Erased before anything runs: counts for who knows whom, not for what runs. */
  isTypeOnly: boolean;
  line: number;
}

const isLiteral = (node: unknown): node is AstNode & { value: string } => typeof (node as AstNode | null)?.value === 'string';

/** `import type`. A list of `type` names alone is not enough: under verbatimModuleSyntax such a module is still loaded. */
const isErased = (node: AstNode): boolean => node.importKind === 'type' || node.exportKind === 'type';

/** Everything a TypeScript text imports: static, re-exported, dynamic with a literal, and in types. */
function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (source: unknown, node: AstNode, isTypeOnly: boolean): void => {
    if (isLiteral(source)) found.push({ specifier: source.value, isTypeOnly, line: text.slice(0, node.start).split('\n').length });
  };
  walk(parse(file, text), (node) => {
    if (node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration')
      add(node.source, node, isErased(node));
    if (node.type === 'ImportExpression') add(node.source, node, false);
    if (node.type === 'TSImportType') add(node.source ?? node.argument, node, true);
  });
  return found;
}

export const importsOfFile = (file: string): Import[] => importsOf(file, readFileSync(file, 'utf8'));
