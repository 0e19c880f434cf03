/** The pages in `docs/` are the documentation: readers copy their samples and follow their links. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../.scripts/package-entries.mjs';
import { checkSnippets } from '../support/check-snippets.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { findPageFaults } from '../support/find-page-faults.ts';
import { type DocsPage, readDocs } from '../support/read-docs.ts';
import { readAnchors, readLinks, readSnippets } from '../support/read-markdown.ts';

const pages = readDocs();

/** Pages that are being written. Links to them count as alive. Delete a name when its page is there, and this list with the last one. */
const COMING = new Set(
  `start next react-router tools dialogs forms own-design reloads-and-tabs devices-and-people transports server
  stores-and-deployment inbox-and-audit backend-ai-sdk backend-ag-ui backend-octavus backend-mantyx backend-utp
  backend-standard-agents sandbox testing security accessibility devtools troubleshooting versions compared
  migrate-from-use-chat migrate-from-copilotkit migrate-from-octavus migrate-from-cloudflare`
    .split(/\s+/)
    .map((name) => `docs/${name}.md`),
);

test('every sample of the documentation compiles as it is shown', () => {
  expect(pages.length).toBeGreaterThan(0);
  expectNoFaults(checkSnippets(pages), {
    rule: 'A sample of docs/*.md compiles by itself, or with the other samples of its page.',
    why: 'Readers copy it into an empty file.',
    cure: 'Import what the sample uses, and show the files that it imports on the same page. Declare nothing that the reader does not see.',
  });
}, 300_000);

test('every sample of the documentation is a file with a name', () => {
  expectNoFaults(pages.flatMap(findPageFaults), {
    rule: 'A sample begins with the name of its file as a comment, once on its page, and holds all that it needs.',
    why: 'Readers must know where it belongs, and a sample with hidden parts does not work when it is copied.',
    cure: 'Begin the sample with "// src/App.tsx", and import real functions in place of `declare const`.',
  });
});

test('every link of the documentation leads to a page, a heading or a picture of the documentation', () => {
  expectNoFaults(pages.flatMap(findDeadLinks), {
    rule: 'A link of docs/*.md is absolute, or leads to a file of docs/ and a heading that is there.',
    why: 'The pages are packed and shown without the rest of the repository.',
    cure: 'Mend the name of the page or the heading. Link to other files of the repository with their whole address.',
  });
});

test('docs/index.md lists every page of the documentation', () => {
  const index = pages.find(({ document }) => document === 'docs/index.md');
  const listed = new Set(readLinks(index?.markdown ?? '').map((link) => `docs/${link.split('#')[0]}`));
  const missing = pages.filter((page) => page !== index && !listed.has(page.document));
  expect(missing.map(({ document }) => document)).toEqual([]);
});

function findDeadLinks({ document, markdown }: DocsPage): string[] {
  return readLinks(markdown)
    .filter((link) => !/^(https?|mailto):/.test(link) && !leadsSomewhere(link, document))
    .map((link) => `${document} links to ${link}`);
}

function leadsSomewhere(link: string, document: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? document : path.posix.join(path.posix.dirname(document), file);
  if (!target.startsWith('docs/')) return false;
  if (!existsSync(path.join(root, target))) return COMING.has(target);
  if (anchor === undefined) return true;
  const page = pages.find((each) => each.document === target);
  return page !== undefined && readAnchors(page.markdown).includes(anchor);
}

const page = (markdown: string): DocsPage => ({
  document: 'docs/a.md',
  markdown,
  snippets: readSnippets(markdown),
});

test('a page may show several files that import each other, and none of another page', () => {
  const store = page('# A\n\n```ts\n// src/store.ts\nexport const size: number = 1;\n```\n');
  const user =
    "# A\n\n```ts\n// server.ts\nimport { size } from './src/store.ts';\nconsole.log(size);\n```\n";
  const both = page(store.markdown + user);
  expect(checkSnippets([both])).toEqual([]);
  expect(checkSnippets([store, { ...page(user), document: 'docs/b.md' }])).toEqual([
    expect.stringContaining("docs/b.md:5 Cannot find module './src/store.ts'"),
  ]);
}, 60_000);

test.each([
  [
    '```ts\nexport const a = 1;\n```',
    'docs/a.md:3 does not begin with the name of its file, such as "// a.ts"',
  ],
  ['```ts\n// a.tsx\nexport const a = 1;\n```', 'docs/a.md:3 is named a.tsx, and marked as ts'],
  ['```ts\n// a.ts\ndeclare const a: number;\n```', 'docs/a.md:3 declares something that readers do not see'],
  [
    '<!-- given: const b = 1; -->\n```ts\n// a.ts\nexport {};\n```',
    'docs/a.md has a comment that readers do not see',
  ],
  ['```ts\n// a.ts\n```\n```ts\n// a.ts\n```', 'docs/a.md:6 shows a.ts a second time'],
])('the fault of the sample %j is found', (sample, fault) => {
  expect(findPageFaults(page(`# A\n\n${sample}\n`))).toEqual([fault]);
});

test('a page without a title is found', () => {
  expect(findPageFaults(page('Text'))).toEqual(['docs/a.md does not begin with a title']);
});
