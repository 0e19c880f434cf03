import path from 'node:path';
import ts from 'typescript';
import { packageEntries, root } from '../../.scripts/package-entries.mjs';
import type { Snippet } from './read-markdown.ts';

/** A Markdown document with its TypeScript. */
export interface SnippetPage {
  /** Its path in the repository: `docs/start.md`. */
  readonly document: string;
  readonly snippets: readonly Snippet[];
}

/** Files outside of the documents, such as the declarations of libraries: parsed once for all programs. */
const sources = new Map<string, ts.SourceFile>();

/**
 * Type-checks the snippets of all pages in one program, as strict modules that import the package by its name. The snippets of a page
 * are the files of one app: they can import each other by file name, and know nothing of other pages.
 *
 * @returns the errors of the compiler, with the line in the document
 */
export function checkSnippets(pages: readonly SnippetPage[]): string[] {
  const modules = new Map(pages.flatMap(listModules));
  const folders = new Set([...modules.keys()].flatMap(listFolders));
  const options = readOptions();
  const host = ts.createCompilerHost(options);
  const { fileExists, directoryExists, getSourceFile } = host;
  host.fileExists = (file) => modules.has(path.normalize(file)) || fileExists.call(host, file);
  host.directoryExists = (folder) =>
    folders.has(path.normalize(folder)) || (directoryExists?.call(host, folder) ?? true);
  host.getSourceFile = (file, ...rest) => {
    const module = modules.get(path.normalize(file));
    if (module === undefined) {
      const source = sources.get(file) ?? getSourceFile.call(host, file, ...rest);
      if (source !== undefined) sources.set(file, source);
      return source;
    }
    return ts.createSourceFile(file, textOf(module.snippet), rest[0]);
  };
  const program = ts.createProgram([...modules.keys()], options, host);
  return [...modules].flatMap(([file, { document, snippet }]) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ start = 0, messageText }) => {
        const line = snippet.line + textOf(snippet).slice(0, start).split('\n').length;
        return `${document}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      },
    );
  });
}

interface Module {
  readonly document: string;
  readonly snippet: Snippet;
}

function listModules({ document, snippets }: SnippetPage): [string, Module][] {
  const app = path.join(root, 'app-of', document);
  return snippets.map((snippet) => {
    const name = snippet.file ?? `line-${snippet.line}.${snippet.language}`;
    return [path.join(app, name), { document, snippet }];
  });
}

/** Returns the folders of a file below the root: the compiler looks for no file in a folder that does not exist. */
function listFolders(file: string): string[] {
  const folder = path.dirname(file);
  return folder.length <= root.length ? [] : [folder, ...listFolders(folder)];
}

function textOf({ code }: Snippet): string {
  return `${code}\nexport {};`;
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  const paths = Object.fromEntries(packageEntries().map(({ name, source }) => [name, [source]]));
  return { ...parsed.options, paths, incremental: false, types: ['node', 'vite/client'] };
}
