/** The files of the site: its links, and what coding agents read. */
import { describe, expect, test } from 'vitest';
import { documentedEntries, toApiPage } from '../../.scripts/site/api-pages.mjs';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { readDocs } from '../support/read-docs.ts';
import { findDeadSiteLinks, listSitePages, readSiteFile } from '../support/read-site.ts';

const docs = readDocs().map(({ document }) => document.replace(/^docs|\.md$/g, ''));

test('has a page for each page of the documentation, and for each entry of the package', () => {
  const pages = listSitePages();
  const wanted = docs.map((page) => (page === '/index' ? '/overview' : page));
  const reference = documentedEntries().map(({ name }) => `/api/${toApiPage(name)}`);
  expect(pages.sort()).toEqual(['/', '/api/', ...wanted, ...reference].sort());
});

test('has the exports of an entry, with their comments, in the reference', () => {
  const page = readSiteFile('/api/handrail.md') ?? '';
  expect(page).toMatch(/^### useAgentChat\(\)$/m);
  expect(page).toContain('Every failure of handrail');
  expect(readSiteFile('/api/handrail-server')).toContain('id="createagentsession"');
});

test('has no dead links', () => {
  const faults = listSitePages().flatMap(findDeadSiteLinks);
  expectNoFaults(faults, {
    rule: 'A link of the site leads to a page of it, and a heading on it.',
    why: 'Visitors follow it.',
    cure: 'Mend the link in docs/ or docs/.vitepress/, or the comment that the API reference shows.',
  });
});

test('finds a dead link', () => {
  expect(findDeadSiteLinks('/tools')).toEqual([]);
  expect(readSiteFile('/no-such-page')).toBeUndefined();
});

describe('for coding agents', () => {
  test('each page has its Markdown beside it', () => {
    for (const page of listSitePages()) {
      const twin = readSiteFile(page.endsWith('/') ? `${page}index.md` : `${page}.md`);
      expect(twin, page).toMatch(/^# \S/m);
    }
    expect(readSiteFile('/tools')).toContain('type="text/markdown" href="/tools.md"');
  });

  test('llms.txt lists each page with what it is for, and its addresses are there', () => {
    const text = readSiteFile('/llms.txt') ?? '';
    expect(text).toMatch(/^# handrail\n\n> /);
    const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.filter((link) => readSiteFile(link) === undefined)).toEqual([]);
    const missing = docs.filter((page) => page !== '/index' && !links.includes(`${page}.md`));
    expect(missing).toEqual([]);
  });

  test('llms-full.txt has the text of all pages', () => {
    const text = readSiteFile('/llms-full.txt') ?? '';
    for (const { markdown } of readDocs().filter(({ document }) => document !== 'docs/index.md')) {
      expect(text).toContain(markdown.split('\n')[0]);
    }
  });
});
