import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageEntries, readManifest, root } from '../../.scripts/package-entries.mjs';
import { readPage } from '../support/read-docs.ts';

const { markdown: readme, snippets } = readPage('README.md');

describe('README.md', () => {
  test('is short: chapters are pages of docs/', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  test('begins with how to install the package', () => {
    expect(/^```bash\n(.*)$/m.exec(readme)?.[1]).toBe('npm install handrail');
  });

  test('the smallest example, server and page, stays under forty lines', () => {
    const [server, page] = snippets.map(({ code }) => code.trim().split('\n'));
    expect([server?.[0], page?.[0]]).toEqual(['// server.ts', '// src/App.tsx']);
    expect((server?.length ?? 0) + (page?.length ?? 0)).toBeLessThan(40);
  });

  test('the documents it names are files of the repository', () => {
    const named = [...readme.matchAll(/`([\w/-]+\.mdx?)`/g)].map((match) => match[1] ?? '');
    expect(named).toContain('ARCHITECTURE.md');
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('every entry of the package is mentioned', () => {
    expect(packageEntries().filter(({ name }) => !readme.includes(name))).toEqual([]);
  });

  test('the commands it names are scripts', () => {
    const named = [...readme.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map((match) => match[1] ?? '');
    const known = [...Object.keys(readManifest().scripts), 'install', 'create', 'ci', 'i', 'pack'];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});
