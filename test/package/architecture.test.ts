import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { packageEntries, root } from '../../.scripts/package-entries.mjs';
import { parseSource, readSources, resolveImport, type Source, visit } from '../support/read-sources.ts';

interface Rule {
  /** Folders and files of src whose values and types may be imported. */
  readonly values: readonly string[];
  /** Folders and files of src of which only types may be imported. */
  readonly types: readonly string[];
  readonly packages: readonly string[];
  readonly typePackages: readonly string[];
}

/** The table "Who may import whom" of ARCHITECTURE.md, by folder. */
function readRules(): ReadonlyMap<string, Rule> {
  const text = readFileSync(`${root}ARCHITECTURE.md`, 'utf8');
  const section = text.split('## Who may import whom')[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.map((row) => {
      const [folder = '', values = '', types = '', packages = ''] = row.split('|').slice(1, -1);
      const [first = '', ...others] = packages.split('types of');
      return [
        namesIn(folder)[0] ?? '',
        {
          values: namesIn(values),
          types: namesIn(types),
          packages: namesIn(first),
          typePackages: others.flatMap(namesIn),
        },
      ];
    }),
  );
}

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

const RULES = readRules();

/** The most precise row of the table that covers the file: `sandbox/ui` before `sandbox`. */
function ruleFolderOf(file: string): string | undefined {
  return [...RULES.keys()]
    .filter((folder) => isWithin(file, [folder]))
    .sort((a, b) => b.length - a.length)[0];
}

function folderOf(file: string): string | undefined {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined;
}

function isWithin(file: string, places: readonly string[]): boolean {
  return places.some((place) => file === place || file.startsWith(`${place}/`));
}

/** The imports of one file that break the table, in words. */
function violations(source: Source): string[] {
  if (folderOf(source.file) === undefined) return [];
  const folder = ruleFolderOf(source.file);
  const rule = RULES.get(folder ?? '');
  if (folder === undefined || rule === undefined) return [`${source.file} lies in a folder without a row`];
  return source.imports.flatMap(({ specifier, typeOnly }) => {
    const complaint = `${source.file} imports ${typeOnly ? 'types of ' : ''}${specifier}`;
    if (specifier.startsWith('.')) {
      const target = resolveImport(source.file, specifier);
      if (ruleFolderOf(target) === folder || isWithin(target, rule.values)) return [];
      return typeOnly && isWithin(target, rule.types) ? [] : [complaint];
    }
    if (isWithin(specifier, rule.packages)) return [];
    return typeOnly && isWithin(specifier, rule.typePackages) ? [] : [complaint];
  });
}

/** A chain of imports that comes back to where it began, or undefined. */
function findCycle(sources: readonly Source[]): string[] | undefined {
  const graph = new Map(
    sources.map(({ file, imports }) => [
      file,
      imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => resolveImport(file, specifier)),
    ]),
  );
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = walk(next, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const { file } of sources) {
    const cycle = walk(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

const sources = readSources();
const entryFiles = packageEntries().map((entry) => `${entry.file}.ts`);

test('every source file that ARCHITECTURE.md names exists', () => {
  const files = sources.map(({ file }) => file);
  const text = readFileSync(`${root}ARCHITECTURE.md`, 'utf8');
  const named = [...text.matchAll(/`([\w/-]+\.tsx?)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))).toEqual(
    [],
  );
});

describe('who may import whom', () => {
  test('every file keeps to the table', () => {
    expect(sources.flatMap(violations)).toEqual([]);
  });

  test.each([
    ['core/state/a.ts', "import { x } from '../chat/turn.ts'", 'core/state/a.ts imports ../chat/turn.ts'],
    [
      'core/state/a.ts',
      "import { x } from '../protocol/events.ts'",
      'core/state/a.ts imports ../protocol/events.ts',
    ],
    ['core/state/a.ts', "import { create } from 'zustand'", 'core/state/a.ts imports zustand'],
    [
      'core/chat/a.ts',
      "import { x } from '../transport/http.ts'",
      'core/chat/a.ts imports ../transport/http.ts',
    ],
    ['core/chat/a.ts', "export * from '../react/hook.ts'", 'core/chat/a.ts imports ../react/hook.ts'],
    ['shared/a.ts', "await import('node:fs')", 'shared/a.ts imports node:fs'],
    ['backends/mantyx/a.ts', "import { memo } from 'react'", 'backends/mantyx/a.ts imports react'],
    [
      'backends/mantyx/a.ts',
      "import { x } from '../../sandbox/create-sandbox.ts'",
      'backends/mantyx/a.ts imports ../../sandbox/create-sandbox.ts',
    ],
    ['sandbox/a.ts', "import { x } from './ui/run-view.tsx'", 'sandbox/a.ts imports ./ui/run-view.tsx'],
    ['components/text/a.ts', "import { x } from '../form/a.ts'", 'components/text/a.ts imports ../form/a.ts'],
    [
      'components/hooks/a.ts',
      "import { x } from '../primitives/a.tsx'",
      'components/hooks/a.ts imports ../primitives/a.tsx',
    ],
    [
      'components/form/kinds/a.tsx',
      "import { x } from '../schema-form.tsx'",
      'components/form/kinds/a.tsx imports ../schema-form.tsx',
    ],
    [
      'components/policies/a.tsx',
      "import { x } from '../confirmation/a.ts'",
      'components/policies/a.tsx imports ../confirmation/a.ts',
    ],
    ['unknown/a.ts', '', 'unknown/a.ts lies in a folder without a row'],
  ])('the table refuses %s with %s', (file, text, complaint) => {
    expect(violations(parseSource(file, text))).toEqual([complaint]);
  });

  test.each([
    ['core/state/a.ts', "import type { AgentEvent } from '../protocol/events.ts'"],
    ['core/store/a.ts', "import { createStore } from 'zustand/vanilla'"],
    ['core/chat/a.ts', "import type { AgentTransport } from '../transport/agent-transport.ts'"],
    ['components/form/a.tsx', "import { Button } from '../primitives/button.tsx'"],
  ])('the table allows %s with %s', (file, text) => {
    expect(violations(parseSource(file, text))).toEqual([]);
  });

  test('nothing imports itself by a detour', () => {
    expect(findCycle(sources)).toBeUndefined();
    const loop = [parseSource('a.ts', "import './b.ts'"), parseSource('b.ts', "import './a.ts'")];
    expect(findCycle(loop)).toEqual(['a.ts', 'b.ts', 'a.ts']);
  });

  test('relative imports name an existing file with its extension', () => {
    const files = new Set(sources.map(({ file }) => file));
    const unknown = sources.flatMap(({ file, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('.') && !files.has(resolveImport(file, specifier)))
        .map(({ specifier }) => `${file} imports ${specifier}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('files', () => {
  test('there is no index.ts inside a folder', () => {
    expect(sources.map(({ file }) => file).filter((file) => /\/index\.tsx?$/.test(file))).toEqual([]);
  });

  test('names are kebab-case', () => {
    const odd = sources.map(({ file }) => file).filter((file) => !/^[a-z0-9-/]+(\.d)?\.tsx?$/.test(file));
    expect(odd).toEqual([]);
  });

  test('what lies directly in src is an entry', () => {
    const top = sources.map(({ file }) => file).filter((file) => folderOf(file) === undefined);
    expect(top.sort()).toEqual([...entryFiles].sort());
  });

  test('entries only re-export', () => {
    const logic = sources
      .filter(({ file }) => folderOf(file) === undefined)
      .flatMap(({ file, tree }) =>
        tree.statements
          .filter((statement) => !isDirective(statement))
          .filter(
            (statement) => !ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined,
          )
          .map((statement) => `${file}: ${statement.getText(tree).split('\n')[0]}`),
      );
    expect(logic).toEqual([]);
  });

  test('no module does anything when it is loaded', () => {
    const work = sources.flatMap(({ file, tree }) =>
      tree.statements
        .filter((statement) => ts.isExpressionStatement(statement) && !isDirective(statement))
        .map((statement) => `${file}: ${statement.getText(tree).split('\n')[0]}`),
    );
    expect(work).toEqual([]);
  });
});

describe('the state is a pure fold', () => {
  /** What gives another answer the second time. */
  const IMPURE = /^(Date\.now|Math\.random|crypto\..*|performance\..*|console\..*|localStorage\..*)$/;
  const IMPURE_CALLS = new Set(['setTimeout', 'setInterval', 'queueMicrotask', 'fetch', 'Date']);

  function impurities({ file, tree }: Source): string[] {
    const found: string[] = [];
    visit(tree, (node) => {
      if (ts.isPropertyAccessExpression(node) && IMPURE.test(node.getText(tree)))
        found.push(node.getText(tree));
      if (ts.isCallExpression(node) && IMPURE_CALLS.has(node.expression.getText(tree)))
        found.push(node.getText(tree));
      // With arguments it is a plain conversion.
      if (ts.isNewExpression(node) && node.expression.getText(tree) === 'Date' && !node.arguments?.length) {
        found.push(node.getText(tree));
      }
    });
    return found.map((text) => `${file}: ${text}`);
  }

  test('it reads no clock, makes no ids and does no I/O', () => {
    expect(sources.filter(({ file }) => isWithin(file, ['core/state'])).flatMap(impurities)).toEqual([]);
    const text = 'const a = new Date(); Date.now(); Math.random(); crypto.randomUUID(); new Date(5);';
    expect(impurities(parseSource('core/state/a.ts', text))).toHaveLength(4);
  });
});

describe('the client half runs in browsers', () => {
  const NODE_HALF = ['server', 'backends/mantyx/server', 'testing'];

  test('only the server and the tools for tests use Node', () => {
    const users = sources
      .filter(({ file }) => !isWithin(file, NODE_HALF))
      .flatMap(({ file, imports }) =>
        imports
          .filter(({ specifier }) => specifier.startsWith('node:'))
          .map(({ specifier }) => `${file}: ${specifier}`),
      );
    expect(users).toEqual([]);
  });

  /** Bundlers replace this one. */
  const REPLACED = 'process.env.NODE_ENV';

  function nodeGlobals({ file, tree }: Source): string[] {
    const found: string[] = [];
    visit(tree, (node) => {
      if (!ts.isPropertyAccessExpression(node) || !/^(process|Buffer)$/.test(node.expression.getText(tree)))
        return;
      if (node.parent.getText(tree) !== REPLACED) found.push(`${file}: ${node.getText(tree)}`);
    });
    return found;
  }

  test('no global of Node is used', () => {
    expect(sources.filter(({ file }) => !isWithin(file, NODE_HALF)).flatMap(nodeGlobals)).toEqual([]);
    const text =
      "Buffer.from('a'); process.env.HOME; if (process.env.NODE_ENV !== 'production') process.exit(1);";
    expect(nodeGlobals(parseSource('a.ts', text))).toEqual([
      'a.ts: Buffer.from',
      'a.ts: process.env',
      'a.ts: process.exit',
    ]);
  });
});

function isDirective(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression);
}
