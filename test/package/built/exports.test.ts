import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { packageEntries, readManifest, root } from '../../../.scripts/package-entries.mjs';
import { packagesOf } from '../../support/read-built.ts';
import { parseSource } from '../../support/read-sources.ts';
import { runNode } from '../../support/run-node.ts';

const entries = packageEntries();

/** The packages that an entry may make users install and load. An entry that is not listed needs a line here. */
const MAY_PULL_IN: Readonly<Record<string, readonly string[]>> = {
  handrail: ['eventsource-parser', 'idb-keyval', 'react', 'zod', 'zustand'],
  'handrail/core': ['eventsource-parser', 'idb-keyval', 'zod', 'zustand'],
  'handrail/components': ['@radix-ui/react-dialog', 'react', 'react-hook-form'],
  'handrail/markdown': ['react', 'react-markdown'],
  'handrail/devtools': ['react', 'react-dom'],
  'handrail/locales/de': [],
  'handrail/locales/fr': [],
  'handrail/locales/es': [],
  'handrail/locales/ja': [],
  'handrail/locales/ar': [],
  'handrail/server': ['ai', 'jose', 'zod'],
  'handrail/testing': ['react', 'zod', 'zustand'],
  'handrail/ai-sdk': ['eventsource-parser'],
  'handrail/ag-ui': ['eventsource-parser', 'fast-json-patch', 'zod'],
  'handrail/mantyx': ['@a2a-js/sdk', '@modelcontextprotocol/client', 'eventsource-parser', 'zod'],
  'handrail/standard-agents': ['zod'],
  'handrail/standard-agents/server': ['zod'],
  'handrail/utp': [
    '@apidevtools/swagger-parser',
    '@nats-io/jetstream',
    '@nats-io/kv',
    '@nats-io/nats-core',
    'zod',
  ],
  'handrail/postgres': [],
  'handrail/redis': [],
  'handrail/sandbox': ['@radix-ui/react-dialog', 'js-tokens', 'react', 'zod'],
};

describe('exports', () => {
  test('every target is in the build', () => {
    const targets = Object.values(readManifest().exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
    );
    expect(targets.filter((target) => !existsSync(path.join(root, target)))).toEqual([]);
    expect(targets.length).toBeGreaterThan(entries.length);
  });

  test.each(entries)('$name: types come first and name what is really exported', async ({ name, file }) => {
    const target = readManifest().exports[name.replace('handrail', '.')];
    expect(Object.keys(target)[0]).toBe('types');
    const loaded = await runNode(`console.log(JSON.stringify(Object.keys(await import('${name}')).sort()))`);
    expect(JSON.parse(loaded)).toEqual(valuesDeclaredIn(path.join(root, 'dist', `${file}.d.ts`)));
  });

  test.each(entries)('$name pulls in nothing it may not', ({ name, file }) => {
    expect(Object.keys(MAY_PULL_IN)).toContain(name);
    expect(packagesOf(`${file}.js`).filter((found) => !MAY_PULL_IN[name]?.includes(found))).toEqual([]);
  });

  test('declarations import files that are there', () => {
    const files = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    const broken = files
      .filter((file) => file.endsWith('.d.ts'))
      .flatMap((file) => {
        const full = path.join(root, 'dist', file);
        return parseSource(full, readFileSync(full, 'utf8'))
          .imports.filter(({ specifier }) => specifier.startsWith('.'))
          .map(({ specifier }) => path.join(path.dirname(full), specifier))
          .filter((target) => !target.endsWith('.js') || !existsSync(target.replace(/\.js$/, '.d.ts')))
          .map((target) => `${file} -> ${path.relative(root, target)}`);
      });
    expect(broken).toEqual([]);
  });

  test('what needs a browser to render says so, what a server may call does not', () => {
    const isClient = (file: string) =>
      /^(['"])use client\1/.test(readFileSync(path.join(root, 'dist', file), 'utf8'));
    expect(isClient('components.js')).toBe(true);
    expect(isClient('react/use-agent-chat.js')).toBe(true);
    expect(['index.js', 'core.js', 'server.js'].filter(isClient)).toEqual([]);
  });
});

function valuesDeclaredIn(file: string): string[] {
  const program = ts.createProgram([file], { module: ts.ModuleKind.NodeNext, skipLibCheck: true, types: [] });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  if (symbol === undefined) throw new Error(`${file} is no module`);
  return checker
    .getExportsOfModule(symbol)
    .filter((exported) => {
      const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      return (target.flags & ts.SymbolFlags.Value) !== 0;
    })
    .map((exported) => exported.name)
    .sort();
}
