import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { packageEntries, root } from '../../.scripts/package-entries.mjs';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { parseSource, readSources, resolveImport, type Source, visit } from '../support/read-sources.ts';

interface Rule {
  /** The row of the table as it is written. */
  readonly row: string;
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
          row,
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

/** The most precise row of the table that covers the file: `sandbox/ui` before `sandbox`, `server/*` for a file directly in it. */
function ruleFolderOf(file: string): string | undefined {
  return [...RULES.keys()]
    .filter((folder) => isWithin(file, [folder]))
    .sort((a, b) => b.length - a.length)[0];
}

function folderOf(file: string): string | undefined {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined;
}

/** `server/*` has the files directly in a folder, `server` all files below it as well. */
function isWithin(file: string, places: readonly string[]): boolean {
  return places.some((place) =>
    place.endsWith('/*')
      ? path.posix.dirname(file) === place.slice(0, -2)
      : file === place || file.startsWith(`${place}/`),
  );
}

/** The imports of one file that break the table, in words, each with the row that it breaks. */
function violations(source: Source): string[] {
  if (folderOf(source.file) === undefined) return [];
  const folder = ruleFolderOf(source.file);
  const rule = RULES.get(folder ?? '');
  if (folder === undefined || rule === undefined) return [`${source.file} lies in a folder without a row`];
  return source.imports.flatMap(({ specifier, typeOnly }) => {
    const isRelative = specifier.startsWith('.');
    const target = isRelative ? resolveImport(source.file, specifier) : specifier;
    if (isRelative && ruleFolderOf(target) === folder) return [];
    if (isWithin(target, isRelative ? rule.values : rule.packages)) return [];
    const mayBeType = isWithin(target, isRelative ? rule.types : rule.typePackages);
    if (typeOnly && mayBeType) return [];
    const imported = `${source.file} imports ${typeOnly ? 'types of ' : ''}${specifier}`;
    const hint = mayBeType ? '\n  Only its types may be imported: write "import type".' : '';
    return [`${imported}\n  ${target} is not in the row ${rule.row}${hint}`];
  });
}

function relativeImports({ file, imports }: Source): readonly string[] {
  return imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => resolveImport(file, specifier));
}

function findFileCycle(sources: readonly Source[]): string[] | undefined {
  return findCycle(new Map(sources.map((source) => [source.file, relativeImports(source)])));
}

/** Single files that rows of the table name: each counts as a room of its own. */
const NAMED_FILES = new Set(
  [...RULES.values()]
    .flatMap(({ values, types }) => [...values, ...types])
    .filter((place) => /\.tsx?$/.test(place)),
);

function roomOf(file: string): string | undefined {
  return NAMED_FILES.has(file) ? file : ruleFolderOf(file);
}

/** Rooms that import each other, be it by types alone. A room below another one, such as `sandbox/ui`, is a room of its own. */
function findRoomCycle(sources: readonly Source[]): string[] | undefined {
  const graph = new Map<string, string[]>();
  for (const source of sources) {
    const room = roomOf(source.file);
    if (room === undefined) continue;
    const targets = relativeImports(source).flatMap((file) => roomOf(file) ?? []);
    graph.set(room, [...(graph.get(room) ?? []), ...targets.filter((target) => target !== room)]);
  }
  return findCycle(graph);
}

/** A chain of arrows that comes back to where it began, or undefined. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (place: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(place)) return [...trail.slice(trail.indexOf(place)), place];
    if (done.has(place)) return undefined;
    for (const next of graph.get(place) ?? []) {
      const cycle = walk(next, [...trail, place]);
      if (cycle !== undefined) return cycle;
    }
    done.add(place);
    return undefined;
  };
  for (const start of graph.keys()) {
    const cycle = walk(start, []);
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
  expectNoFaults(
    named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`))),
    {
      rule: 'Each file that ARCHITECTURE.md names exists in src.',
      why: 'A newcomer walks the code by these names. A name that leads nowhere ends the walk.',
      cure: 'Write the new name of the file into ARCHITECTURE.md, and check that the step of the walk is still true.',
    },
  );
});

/** The most hops that a walk of ARCHITECTURE.md may have, by the beginning of its title. */
const MOST_HOPS: Readonly<Record<string, number>> = {
  '`args`': 17,
  '`submit(result)`': 12,
  '`text-delta`': 12,
  '`context.ask`': 14,
  // They come on top of those of the walk before.
  'The same through Redis': 7,
  'A command of CommonGround': 9,
};

interface Walk {
  readonly title: string;
  readonly hops: readonly string[];
}

function readWalks(): readonly Walk[] {
  const text = readFileSync(`${root}ARCHITECTURE.md`, 'utf8');
  const section = text.split(/^## \w+ walks$/m)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n### ')
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      return { title, hops: lines.filter((line) => /^\d+\. /.test(line)) };
    });
}

/** The functions of a hop that are not in the file that stands before them. */
function findStrayNames(hop: string, texts: ReadonlyMap<string, string>): string[] {
  let file = '';
  return namesIn(hop).flatMap((name) => {
    if (/\.tsx?$/.test(name)) {
      file = name;
      return [];
    }
    const [, text] = [...texts].find(([path]) => path === file || path.endsWith(`/${file}`)) ?? [];
    const isThere = new RegExp(`${name.replace(/^.*[.#]/, '')}\\b`).test(text ?? '');
    return file === '' || isThere ? [] : [`${name} is not in ${file}: ${hop}`];
  });
}

describe('the walks of ARCHITECTURE.md', () => {
  const texts = new Map(sources.map(({ file, tree }) => [file, tree.text]));

  test('each function of a walk is in the file that stands before it', () => {
    const hops = readWalks().flatMap((walk) => walk.hops);
    expectNoFaults(
      hops.flatMap((hop) => findStrayNames(hop, texts)),
      {
        rule: 'A hop names a file, then functions of this file.',
        why: 'A newcomer follows the walk by these names.',
        cure: 'Read the code at this hop again, and write down how it goes now.',
      },
    );
    expect(findStrayNames('1. `tools/find-tool.ts` `findTool` -> `loseTool`', texts)).toEqual([
      'loseTool is not in tools/find-tool.ts: 1. `tools/find-tool.ts` `findTool` -> `loseTool`',
    ]);
  });

  test.each(Object.entries(MOST_HOPS))('the walk %s has at most %i hops', (title, most) => {
    const walk = readWalks().find((candidate) => candidate.title.startsWith(title));
    expect(walk?.hops.length).toBeGreaterThan(0);
    expect(walk?.hops.length).toBeLessThanOrEqual(most);
  });

  test('a question of the server comes to a person and back through at most 20 files of server/', () => {
    const walk = readWalks().find(({ title }) => title.startsWith('`context.ask`'));
    const files = (walk?.hops ?? []).flatMap(namesIn).filter((name) => /^server\/.*\.ts$/.test(name));
    expect(new Set(files).size).toBeLessThanOrEqual(20);
  });
});

const IMPORT_GUARD = {
  rule: 'A file imports what the row of its folder allows ("Who may import whom" in ARCHITECTURE.md).',
  why: 'Arrows point towards shared, so that a room can be read, tested and shipped without the rooms above it.',
  cure:
    'Move the code that both sides need to a folder that both may import, often shared, or pass the value in from above. ' +
    'Change a row only if the rooms themselves change, and say so in the commit.',
};

describe('who may import whom', () => {
  test('every file keeps to the table', () => {
    expectNoFaults(sources.flatMap(violations), IMPORT_GUARD);
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
    ['server/store/a.ts', "import { x } from '../runs/run.ts'", 'server/store/a.ts imports ../runs/run.ts'],
    [
      'server/runs/a.ts',
      "import { x } from '../answers/may-answer.ts'",
      'server/runs/a.ts imports ../answers/may-answer.ts',
    ],
    [
      'server/tools/a.ts',
      "import type { X } from '../runs/session-settings.ts'",
      'server/tools/a.ts imports types of ../runs/session-settings.ts',
    ],
    [
      'server/stores/redis/a.ts',
      "import { x } from '../postgres/session-tables.ts'",
      'server/stores/redis/a.ts imports ../postgres/session-tables.ts',
    ],
    ['server/a.ts', "import { x } from './store/a.ts'", 'server/a.ts imports ./store/a.ts'],
    ['server/new/a.ts', '', 'server/new/a.ts lies in a folder without a row'],
    [
      'core/tools/a.ts',
      "import type { X } from '../store/a.ts'",
      'core/tools/a.ts imports types of ../store/a.ts',
    ],
    ['unknown/a.ts', '', 'unknown/a.ts lies in a folder without a row'],
  ])('the table refuses %s with %s', (file, text, complaint) => {
    expect(violations(parseSource(file, text)).map((fault) => fault.split('\n')[0])).toEqual([complaint]);
  });

  test('an import of a value from a folder whose types are allowed says so', () => {
    const source = parseSource('core/state/a.ts', "import { x } from '../protocol/events.ts'");
    expect(violations(source)).toEqual([
      expect.stringMatching(
        /^core\/state\/a\.ts imports \.\.\/protocol\/events\.ts\n {2}core\/protocol\/events\.ts is not in the row \| `core\/state` .*\n {2}Only its types may be imported: write "import type"\.$/,
      ),
    ]);
  });

  test('a broken import is reported with the row, the reason and the cure', () => {
    const faults = violations(parseSource('shared/a.ts', "import '../react/hook.ts'"));
    expect(() => expectNoFaults(faults, IMPORT_GUARD)).toThrow(
      /shared\/a\.ts imports \.\.\/react\/hook\.ts.*react\/hook\.ts is not in the row \| `shared` .*Rule: .*Why: Arrows point towards shared.*What to do: Move the code/s,
    );
  });

  test.each([
    ['core/state/a.ts', "import type { AgentEvent } from '../protocol/events.ts'"],
    ['core/store/a.ts', "import { createStore } from 'zustand/vanilla'"],
    ['core/chat/a.ts', "import type { AgentTransport } from '../transport/agent-transport.ts'"],
    ['server/store/a.ts', "import { sessionError } from '../session-errors.ts'"],
    ['server/sessions/a.ts', "import { runRequest } from '../runs/run-request.ts'"],
    ['components/form/a.tsx', "import { Button } from '../primitives/button.tsx'"],
  ])('the table allows %s with %s', (file, text) => {
    expect(violations(parseSource(file, text))).toEqual([]);
  });

  test('nothing imports itself by a detour', () => {
    const cycle = findFileCycle(sources);
    expectNoFaults(cycle === undefined ? [] : [cycle.join('\n  -> ')], {
      rule: 'No chain of imports comes back to the file at which it began.',
      why: 'Files of a cycle can be neither understood nor loaded one before the other.',
      cure: 'Move what two of these files share (often a type) to a file of its own that both import.',
    });
    const loop = [parseSource('a.ts', "import './b.ts'"), parseSource('b.ts', "import './a.ts'")];
    expect(findFileCycle(loop)).toEqual(['a.ts', 'b.ts', 'a.ts']);
  });

  test('no two rooms import each other', () => {
    const cycle = findRoomCycle(sources);
    expectNoFaults(cycle === undefined ? [] : [cycle.join('\n  -> ')], {
      rule: 'No chain of imports leads out of a room (a row of the table) and back into it, not even by types.',
      why: 'Of two rooms that import each other neither can be read first: they are one room with two names.',
      cure: 'Move what both need (a type, a lookup, often one file) to the lower room or to a leaf, or pass the value in from above.',
    });
    const circle = [
      parseSource('server/store/a.ts', "import type { B } from '../runs/b.ts'"),
      parseSource('server/runs/b.ts', "import './c.ts'"),
      parseSource('server/runs/c.ts', "import '../store/d.ts'"),
    ];
    expect(findFileCycle(circle)).toBeUndefined();
    expect(findRoomCycle(circle)).toEqual(['server/store', 'server/runs', 'server/store']);
  });

  test('a file that the table names is a room of its own', () => {
    const named = [
      parseSource('core/protocol/events.ts', "import type { UIMessage } from '../state/message.ts'"),
      parseSource('core/state/reduce-calls.ts', "import type { AgentEvent } from '../protocol/events.ts'"),
    ];
    expect(findRoomCycle(named)).toBeUndefined();
    const other = parseSource('core/protocol/commands.ts', "import type { A } from '../state/tool-call.ts'");
    expect(findRoomCycle([...named, other])).toEqual(['core/protocol', 'core/state', 'core/protocol']);
  });

  test('relative imports name an existing file with its extension', () => {
    const files = new Set(sources.map(({ file }) => file));
    const unknown = sources.flatMap(({ file, imports }) =>
      imports
        .filter(({ specifier }) => specifier.startsWith('.') && !files.has(resolveImport(file, specifier)))
        .map(({ specifier }) => `${file} imports ${specifier}`),
    );
    expectNoFaults(unknown, {
      rule: 'A relative import names an existing file of src, with its extension.',
      why: 'Browsers and Node resolve no extension, and the other guards read imports by the name of the file.',
      cure: 'Write the whole name, such as "./create-id.ts".',
    });
  });
});

describe('files', () => {
  test('there is no index.ts inside a folder', () => {
    const indexes = sources.map(({ file }) => file).filter((file) => /\/index\.tsx?$/.test(file));
    expectNoFaults(indexes, {
      rule: 'No folder has an index.ts.',
      why: 'An import names the file that has the code, so that one jump leads there, and a cycle shows.',
      cure: 'Import the files themselves. What apps may import is re-exported by an entry directly in src.',
    });
  });

  test('names are kebab-case', () => {
    const odd = sources.map(({ file }) => file).filter((file) => !/^[a-z0-9-/]+(\.d)?\.tsx?$/.test(file));
    expectNoFaults(odd, {
      rule: 'A file is named in kebab-case after its main export.',
      why: 'Names that differ only in case are one file on some systems and two on others.',
      cure: 'Rename the file: createSession is in create-session.ts.',
    });
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
    expectNoFaults(logic, {
      rule: 'An entry (a file directly in src) only re-exports.',
      why: 'Entries are the list of what apps may import. Code in them belongs to no room.',
      cure: 'Move the code to its room, and re-export it.',
    });
  });

  test('no module does anything when it is loaded', () => {
    const work = sources.flatMap(({ file, tree }) =>
      tree.statements
        .filter((statement) => ts.isExpressionStatement(statement) && !isDirective(statement))
        .map((statement) => `${file}: ${statement.getText(tree).split('\n')[0]}`),
    );
    expectNoFaults(work, {
      rule: 'A module does nothing when it is loaded.',
      why: 'Bundlers drop what an app does not use only if loading it has no effect, and servers load what browsers cannot run.',
      cure: 'Do the work in a function that its user calls.',
    });
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
    expectNoFaults(sources.filter(({ file }) => isWithin(file, ['core/state'])).flatMap(impurities), {
      rule: 'core/state reads no clock, makes no ids and does no I/O.',
      why: 'The same events must give the same state, in tests, in another tab and after a restore.',
      cure: 'Put the time or the id into the event, where it is made.',
    });
    const text = 'const a = new Date(); Date.now(); Math.random(); crypto.randomUUID(); new Date(5);';
    expect(impurities(parseSource('core/state/a.ts', text))).toHaveLength(4);
  });
});

describe('the client half runs in browsers', () => {
  const NODE_HALF = ['server', 'backends/mantyx/server', 'testing'];
  const NO_NODE = {
    rule: `Only ${NODE_HALF.join(', ')} use Node.`,
    why: 'Everything else runs in browsers, which have neither its modules nor its globals.',
    cure: 'Use the API that both have (Web Crypto, fetch, TextEncoder), or pass the value in from the server half.',
  };

  test('only the server and the tools for tests use Node', () => {
    const users = sources
      .filter(({ file }) => !isWithin(file, NODE_HALF))
      .flatMap(({ file, imports }) =>
        imports
          .filter(({ specifier }) => specifier.startsWith('node:'))
          .map(({ specifier }) => `${file}: ${specifier}`),
      );
    expectNoFaults(users, NO_NODE);
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
    expectNoFaults(sources.filter(({ file }) => !isWithin(file, NODE_HALF)).flatMap(nodeGlobals), NO_NODE);
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
