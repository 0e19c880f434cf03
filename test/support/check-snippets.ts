import path from 'node:path';
import ts from 'typescript';
import { root } from '../../.scripts/package-entries.mjs';
import type { Snippet } from './read-markdown.ts';

/**
 * Type-checks snippets as strict modules that import the package by its name. Snippets with a file name can import
 * each other, the others are modules of their own.
 *
 * @returns the errors of the compiler, with the line in the document
 */
export function checkSnippets(snippets: readonly Snippet[], document: string): string[] {
  const folder = path.join(root, 'readme-snippets');
  const modules = new Map(
    snippets.map((snippet) => [
      path.join(folder, snippet.file ?? `line-${snippet.line}.${snippet.language}`),
      snippet,
    ]),
  );
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  const options = {
    ...parsed.options,
    types: ['node', 'vite/client'],
    // A snippet may declare a name that only the next step uses.
    noUnusedLocals: false,
    noUnusedParameters: false,
  };
  const host = ts.createCompilerHost(options);
  const textOf = ({ given, code }: Snippet) => `${given ?? ''}\n${code}\nexport {};`;
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => modules.has(path.normalize(file)) || fileExists.call(host, file);
  host.getSourceFile = (file, ...rest) => {
    const snippet = modules.get(path.normalize(file));
    if (snippet === undefined) return getSourceFile.call(host, file, ...rest);
    return ts.createSourceFile(file, textOf(snippet), rest[0]);
  };
  const program = ts.createProgram([...modules.keys()], options, host);
  return [...modules].flatMap(([file, snippet]) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ start = 0, messageText }) => {
        const before = (snippet.given ?? '').split('\n').length;
        const line = snippet.line + textOf(snippet).slice(0, start).split('\n').length - before;
        return `${document}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      },
    );
  });
}
