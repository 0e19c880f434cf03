import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../.scripts/package-entries.mjs';

/** One `import`, `export ... from` or `import()`. */
export interface ImportStatement {
  readonly specifier: string;
  /** True if the compiler removes it: `import type`, `export type`. */
  readonly typeOnly: boolean;
}

/** A source file, by its path from src. */
export interface Source {
  readonly file: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly ImportStatement[];
}

/** Returns every TypeScript file of src. */
export function readSources(): Source[] {
  const folder = path.join(root, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file))
    .sort()
    .map((file) => parseSource(file, readFileSync(path.join(folder, file), 'utf8')));
}

export function parseSource(file: string, text: string): Source {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return { file, tree, imports: readImports(tree) };
}

function readImports(tree: ts.SourceFile): ImportStatement[] {
  const found: ImportStatement[] = [];
  visit(tree, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly === true);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    }
  });
  return found;

  function add(specifier: ts.Node | undefined, typeOnly: boolean) {
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) {
      found.push({ specifier: specifier.text, typeOnly });
    }
  }
}

/** Calls `callback` for a node and all its descendants. */
export function visit(node: ts.Node, callback: (node: ts.Node) => void): void {
  callback(node);
  ts.forEachChild(node, (child) => visit(child, callback));
}

/** Returns the path from src to which a relative import resolves. */
export function resolveImport(file: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, ''));
}
