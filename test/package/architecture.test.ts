import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { packageEntries } from '../../.scripts/package-entries.mjs';
import { parseSource, readSources, resolveImport, type Source, visit } from '../support/read-sources.ts';

interface Rule {
  /** Folders and files of src whose values and types may be imported. */
  readonly values: readonly string[];
  /** Those of which only types may be. */
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
  readonly typePackages?: readonly string[];
}

const LOWEST = ['shared', 'wire', 'protocol'];
/** `@standard-schema/spec` is types and nothing else. */
const SCHEMAS = ['@standard-schema/spec'];

/** Who may import whom. Data flows down this list; nothing lower knows anything higher. */
const RULES: Readonly<Record<string, Rule>> = {
  shared: { values: [], typePackages: SCHEMAS },
  wire: { values: ['shared'], packages: ['eventsource-parser'] },
  protocol: { values: ['shared', 'wire'] },
  transport: { values: LOWEST },
  state: { values: ['shared'], types: ['protocol'], packages: ['zod'] },
  store: {
    values: ['shared', 'state'],
    types: ['protocol'],
    packages: ['zustand/vanilla', 'idb-keyval'],
    typePackages: SCHEMAS,
  },
  session: {
    values: ['shared', 'protocol', 'state', 'store'],
    types: ['transport/agent-transport.ts'],
    typePackages: SCHEMAS,
  },
  react: { values: ['shared', 'state', 'store', 'session'], packages: ['react', 'zustand'] },
  components: {
    values: ['shared', 'react'],
    types: ['store', 'state'],
    packages: ['react', '@radix-ui', 'react-hook-form'],
    typePackages: SCHEMAS,
  },
  server: { values: [...LOWEST, 'state'], packages: ['ai'], typePackages: [...SCHEMAS, 'ws'] },
  testing: {
    values: [...LOWEST, 'state', 'store', 'session', 'react', 'server'],
    types: ['transport/agent-transport.ts'],
    packages: ['react'],
  },
  // A slot of the transcript with a peer of its own.
  markdown: { values: ['components'], types: ['state'], packages: ['react', 'react-markdown'] },
  // The dialog and the card of a heavy feature; the feature itself stays free of React.
  'sandbox-ui': {
    values: ['shared', 'store', 'session/define-client-tool.ts', 'sandbox', 'components'],
    types: ['state'],
    packages: ['react', 'zod', 'js-tokens'],
  },
};

/**
 * An optional backend or a heavy feature: its own peers, and never React or another of its kind. How bytes are carried
 * and runs are read on is the same for every backend.
 */
const OPTIONAL: Rule = { values: [...LOWEST, 'transport'], types: ['store/client-tools.ts'] };

const NEVER_IN_OPTIONAL = ['react', 'react-dom', '@radix-ui', 'react-hook-form', 'zustand'];

function folderOf(file: string): string | undefined {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined;
}

function isWithin(file: string, places: readonly string[]): boolean {
  return places.some((place) => file === place || file.startsWith(`${place}/`));
}

/** What is wrong with the imports of one file, in words. */
function violations(source: Source): string[] {
  const folder = folderOf(source.file);
  if (folder === undefined) return [];
  const rule = RULES[folder] ?? OPTIONAL;
  return source.imports.flatMap(({ specifier, typeOnly }) => {
    const complaint = `${source.file} imports ${typeOnly ? 'types of ' : ''}${specifier}`;
    if (specifier.startsWith('.')) {
      const target = resolveImport(source.file, specifier);
      if (isWithin(target, [folder, ...rule.values])) return [];
      return typeOnly && isWithin(target, rule.types ?? []) ? [] : [complaint];
    }
    if (rule === OPTIONAL) return isWithin(specifier, NEVER_IN_OPTIONAL) ? [complaint] : [];
    if (isWithin(specifier, rule.packages ?? [])) return [];
    return typeOnly && isWithin(specifier, rule.typePackages ?? []) ? [] : [complaint];
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

describe('who may import whom', () => {
  test('every file keeps to the table', () => {
    expect(sources.flatMap(violations)).toEqual([]);
  });

  test.each([
    ['state/a.ts', "import { x } from '../session/turn.ts'", 'state/a.ts imports ../session/turn.ts'],
    ['state/a.ts', "import { x } from '../protocol/events.ts'", 'state/a.ts imports ../protocol/events.ts'],
    ['state/a.ts', "import { create } from 'zustand'", 'state/a.ts imports zustand'],
    ['session/a.ts', "import { x } from '../transport/http.ts'", 'session/a.ts imports ../transport/http.ts'],
    ['session/a.ts', "export * from '../react/hook.ts'", 'session/a.ts imports ../react/hook.ts'],
    ['shared/a.ts', "await import('node:fs')", 'shared/a.ts imports node:fs'],
    ['mantyx/a.ts', "import { memo } from 'react'", 'mantyx/a.ts imports react'],
    ['mantyx/a.ts', "import { x } from '../utp/cards.ts'", 'mantyx/a.ts imports ../utp/cards.ts'],
  ])('the table refuses %s with %s', (file, text, complaint) => {
    expect(violations(parseSource(file, text))).toEqual([complaint]);
  });

  test.each([
    ['state/a.ts', "import type { AgentEvent } from '../protocol/events.ts'"],
    ['store/a.ts', "import { createStore } from 'zustand/vanilla'"],
    ['session/a.ts', "import type { AgentTransport } from '../transport/agent-transport.ts'"],
    ['components/form/a.tsx', "import { Button } from '../parts/button.tsx'"],
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
    expect(sources.filter(({ file }) => folderOf(file) === 'state').flatMap(impurities)).toEqual([]);
    const text = 'const a = new Date(); Date.now(); Math.random(); crypto.randomUUID(); new Date(5);';
    expect(impurities(parseSource('state/a.ts', text))).toHaveLength(4);
  });
});

describe('the client half runs in browsers', () => {
  test('only the server and the tools for tests use Node', () => {
    const users = sources
      .filter(({ file }) => !isWithin(file, ['server', 'testing']))
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
    expect(sources.filter(({ file }) => !isWithin(file, ['server', 'testing'])).flatMap(nodeGlobals)).toEqual(
      [],
    );
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
