/** README.md and the pages in `docs/` are the documentation: readers copy their samples and follow their links. */
import { expect, test } from 'vitest';
import { checkSnippets } from '../support/check-snippets.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { findDeadLinks } from '../support/find-dead-links.ts';
import { findPageFaults } from '../support/find-page-faults.ts';
import { type DocsPage, isMigrationGuide, readDocs, readPage } from '../support/read-docs.ts';
import { readLinks, readSnippets } from '../support/read-markdown.ts';

const docs = readDocs();
const pages = [readPage('README.md'), ...docs];

test('every sample of the documentation compiles as it is shown', () => {
  expect(docs.length).toBeGreaterThan(0);
  // `migrate-guides.server.test.ts` compiles the guides for those who come from another package.
  expectNoFaults(checkSnippets(pages.filter((one) => !isMigrationGuide(one))), {
    rule: 'A sample of README.md and docs/*.md compiles by itself, or with the other samples of its page.',
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

test('every link of the documentation leads to a file and a heading that are there', () => {
  expectNoFaults(
    pages.flatMap((page) => findDeadLinks(page)),
    {
      rule: 'A link of docs/*.md leads to a file of docs/, one of README.md to a whole address; the file and its heading are there.',
      why: 'The pages are packed and shown without the rest of the repository, the README without docs/.',
      cure: 'Mend the name of the page or the heading. Link to other files of the repository with their whole address.',
    },
  );
});

test('docs/index.md lists every page of the documentation', () => {
  const index = docs.find(({ document }) => document === 'docs/index.md');
  const listed = new Set(readLinks(index?.markdown ?? '').map((link) => `docs/${link.split('#')[0]}`));
  const missing = docs.filter((page) => page !== index && !listed.has(page.document));
  expect(missing.map(({ document }) => document)).toEqual([]);
});

const page = (markdown: string, document = 'docs/a.md'): DocsPage => ({
  document,
  markdown,
  snippets: readSnippets(markdown),
});

test('a page may show several files that import each other, and none of another page', () => {
  const store = page('# A\n\n```ts\n// src/store.ts\nexport const size: number = 1;\n```\n');
  const user =
    "# A\n\n```ts\n// server.ts\nimport { size } from './src/store.ts';\nconsole.log(size);\n```\n";
  const both = page(store.markdown + user);
  expect(checkSnippets([both])).toEqual([]);
  expect(checkSnippets([store, page(user, 'docs/b.md')])).toEqual([
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

test.each([
  ['docs/states.md', 'no-such-page.md'],
  ['docs/states.md', 'states.md#no-such-heading'],
  ['docs/states.md', '../README.md'],
  ['docs/states.md', 'https://github.com/handrail/handrail/blob/main/no-such-file.md'],
  ['README.md', 'docs/states.md'],
  ['README.md', '#no-such-heading'],
])('in %s a link to %s is dead', (document, link) => {
  expect(findDeadLinks(page(`[text](${link})`, document))).toEqual([`${document} links to ${link}`]);
});

test('a link with the whole address of a file that is there is alive', () => {
  const link =
    'https://github.com/handrail/handrail/blob/main/docs/states.md#what-a-person-sees-and-can-do-state-by-state';
  expect(findDeadLinks(page(`[text](${link}) and [other](https://example.com/a.md)`, 'README.md'))).toEqual(
    [],
  );
});
