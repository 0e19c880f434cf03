import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../.scripts/package-entries.mjs';
import { listFiles } from './list-files.ts';
import { readSnippets, type Snippet } from './read-markdown.ts';

/** A page of the documentation. */
export interface DocsPage {
  /** Its path in the repository: `docs/start.md`. */
  readonly document: string;
  readonly markdown: string;
  /** Its samples in TypeScript. */
  readonly snippets: readonly Snippet[];
}

export function readPage(document: string): DocsPage {
  const markdown = readFileSync(path.join(root, document), 'utf8');
  const snippets = readSnippets(markdown).filter(({ language }) => /^tsx?$/.test(language));
  return { document, markdown, snippets };
}

/** Returns the pages in `docs/`. */
export function readDocs(): DocsPage[] {
  return listFiles('docs', /\.md$/).map(readPage);
}
