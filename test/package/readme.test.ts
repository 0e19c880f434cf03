import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageEntries, readManifest, root } from '../../.scripts/package-entries.mjs';
import { checkSnippets } from '../support/check-snippets.ts';
import { readAnchors, readLinks, readSnippets } from '../support/read-markdown.ts';

const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const snippets = readTypeScript(readme);

function readTypeScript(markdown: string) {
  return readSnippets(markdown).filter(({ language }) => /^tsx?$/.test(language));
}

describe('README.md', () => {
  test('every TypeScript snippet compiles against the package', () => {
    expect(snippets.length).toBeGreaterThan(0);
    expect(checkSnippets(snippets, 'README.md')).toEqual([]);
  }, 300_000);

  test('the smallest example, server and page, stays under forty lines', () => {
    const [server, page] = snippets.map(({ code }) => code.trim().split('\n'));
    expect([server?.[0], page?.[0]]).toEqual(['// server.ts', '// src/App.tsx']);
    expect((server?.length ?? 0) + (page?.length ?? 0)).toBeLessThan(40);
  });

  test('links are absolute or lead to a heading, because npm shows the README without the repository', () => {
    const anchors = readAnchors(readme).map((anchor) => `#${anchor}`);
    const dead = readLinks(readme).filter(
      (link) => !/^(https?|mailto):/.test(link) && !anchors.includes(link),
    );
    expect(dead).toEqual([]);
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

test('every TypeScript snippet of DEPLOYMENTS.md compiles against the package', () => {
  const deployments = readTypeScript(readFileSync(path.join(root, 'DEPLOYMENTS.md'), 'utf8'));
  expect(deployments.length).toBeGreaterThan(0);
  expect(checkSnippets(deployments, 'DEPLOYMENTS.md')).toEqual([]);
}, 300_000);
