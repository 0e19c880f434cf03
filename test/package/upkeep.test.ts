/** The files around the code say the same: the version, where the project lives, and what is tested on which Node, React and browser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifest, root } from '../../.scripts/package-entries.mjs';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const changelog = read('CHANGELOG.md');
const workflow = read('.github/workflows/ci.yml');

/** Returns the values of a row of the matrix: `node: [20, 22]`. */
function readMatrix(name: string): string[] {
  const [, values = ''] = new RegExp(`^ +${name}: \\[(.+)\\]$`, 'm').exec(workflow) ?? [];
  return values.split(', ');
}

describe('package.json', () => {
  test('says where the project lives', () => {
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: 'git+https://github.com/handrail/handrail.git' },
      homepage: expect.stringContaining('https://github.com/handrail/handrail'),
      bugs: 'https://github.com/handrail/handrail/issues',
    });
  });

  test('has the version of the lockfile', () => {
    const lock = JSON.parse(read('package-lock.json'));
    expect([lock.version, lock.packages[''].version]).toEqual([manifest.version, manifest.version]);
  });
});

describe('CHANGELOG.md', () => {
  const [title, ...versions] = changelog.split(/^## /m);
  const [latest = ''] = versions;

  test('begins with the version of the package', () => {
    expect(title?.trim()).toBe('# Changelog');
    expect(latest.split('\n')[0]).toBe(manifest.version);
  });

  test('says what breaks before what is new', () => {
    const chapters = [...latest.matchAll(/^### (.+)$/gm)].map((match) => match[1] ?? '');
    const breaks = chapters.findIndex((chapter) => chapter.startsWith('What breaks'));
    const isNew = chapters.indexOf('New');
    expect(isNew).toBeGreaterThan(breaks);
  });
});

describe('.changeset', () => {
  test('is set up for this package, which is published from main', () => {
    const config = JSON.parse(read('.changeset/config.json'));
    expect(config).toMatchObject({ access: 'public', baseBranch: 'main', commit: false });
  });

  test('has changes of this package alone', () => {
    const changes = readdirSync(path.join(root, '.changeset')).filter((file) =>
      /(?<!README)\.md$/.test(file),
    );
    const heads = changes.map((file) => read(`.changeset/${file}`).split('---')[1] ?? '');
    expect(heads.filter((head) => !/^\s*"handrail": (minor|patch)\s*$/.test(head))).toEqual([]);
  });
});

test('docs/versions.md names every optional package that handrail works with', () => {
  const page = read('docs/versions.md');
  const optional = Object.keys(manifest.peerDependenciesMeta);
  expect(optional).toContain('redis');
  expect(optional.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

describe('.github/workflows/ci.yml', () => {
  test('runs on each Node and each React that docs/versions.md supports', () => {
    const page = read('docs/versions.md');
    expect(readMatrix('node')).toEqual(['20', '22', '24']);
    expect(readMatrix('react')).toEqual(['18', '19']);
    expect(page).toContain('| 20.19 or later, 22, 24 |');
    expect(manifest.engines.node).toBe('>=20.19.0');
    expect(manifest.peerDependencies.react).toBe('^18.0.0 || ^19.0.0');
  });

  test('drives each browser that has tests', () => {
    const tests = readdirSync(path.join(root, 'test/browsers')).filter((file) => file.endsWith('.test.ts'));
    expect(readMatrix('browser').map((browser) => `${browser}.test.ts`)).toEqual(tests.sort());
  });

  test('names scripts that exist', () => {
    const scripts = [...workflow.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map((match) => match[1] ?? '');
    const files = [...workflow.matchAll(/(?:run: |node )(\.[\w/.-]+)/g)].map((match) => match[1] ?? '');
    const known = [...Object.keys(readManifest().scripts), 'ci'];
    expect(scripts.filter((name) => !known.includes(name))).toEqual([]);
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(files).toContain('.ci/run');
  });
});
