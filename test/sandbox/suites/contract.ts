/** Tests every sentence of the contract of running code, in Node and in Chromium. */

import { afterAll, describe, expect, test } from 'vitest';
import { type CodeExecutionOptions, createSandbox } from '../../../src/sandbox.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import fc from '../../support/fast-check.ts';
import { anyValue } from './any-value.ts';

export function contractSuite(): void {
  const sandbox = createSandbox();
  const run = (source: string, options?: CodeExecutionOptions) => sandbox.runCode(source, options);
  const resultOf = async (source: string, options?: CodeExecutionOptions) => {
    const { status, result, error } = await run(source, options);
    expect(error).toBeUndefined();
    expect(status).toBe('success');
    return result;
  };
  const errorOf = async (source: string, options?: CodeExecutionOptions) => {
    const { status, error } = await run(source, options);
    return { status, ...error };
  };
  afterAll(() => sandbox.dispose());

  describe('isolation', () => {
    test('a program has no file system, network, timer, host global or process', async () => {
      const names = ['fetch', 'XMLHttpRequest', 'WebSocket', 'setTimeout', 'setInterval', 'queueMicrotask'];
      names.push(
        'process',
        'require',
        'window',
        'document',
        'self',
        'importScripts',
        'postMessage',
        'WebAssembly',
      );
      names.push('performance', 'navigator', 'location', 'Worker', 'Deno', 'Bun', 'report');
      const types = names.map((name) => `typeof ${name}`);
      expect(await resultOf(`export default [${types}]`)).toEqual(names.map(() => 'undefined'));
    });

    test('every run gets a new sandbox', async () => {
      await run('globalThis.leak = 1; Array.prototype.leak = 2; export default 1');
      expect(await resultOf('export default [typeof leak, [].leak]')).toEqual(['undefined', undefined]);
    });

    test('a program that mutates its input does not change the original', async () => {
      const list = [1, { deep: 1 }];
      const source =
        'export default (given) => { given[1].deep = 2; given.push(3); list.push(4); return [given, list] }';
      const result = await resultOf(source, { execute: { args: [list] }, globals: { list } });
      expect(result).toEqual([
        [1, { deep: 2 }, 3, 4],
        [1, { deep: 2 }, 3, 4],
      ]);
      expect(list).toEqual([1, { deep: 1 }]);
    });

    test('the language is complete: classes, generators, regular expressions, BigInt, proxies, async iteration', async () => {
      const source = `
        class A { #x = 1; static s = 2; get x() { return this.#x } }
        function* g() { yield* [1, 2] }
        async function* h() { yield 3 }
        const seen = []; for await (const x of h()) seen.push(x);
        export default [new A().x, A.s, [...g()], /(?<y>\\d+)/.exec('a1').groups.y, 2n ** 64n, new Proxy({}, { get: () => 5 }).z, seen, [3, 1].toSorted()]`;
      expect(await resultOf(source)).toEqual([1, 2, [1, 2], '1', 2n ** 64n, 5, [3], [1, 3]]);
    });
  });

  describe('execute', () => {
    test('a run calls the default export without arguments by default', async () => {
      expect(await resultOf('export default (...args) => args.length')).toBe(0);
    });
    test('a run calls an exported function with args', async () => {
      const execute = { fn: 'increment', args: [100] };
      expect(await resultOf('export function increment(n: number) { return n + 1 }', { execute })).toBe(101);
    });
    test('a run awaits a promise that takes any number of turns', async () => {
      const source =
        'export default async () => { let n = 0; while (n < 5000) { await null; n++ } return n }';
      expect(await resultOf(source)).toBe(5000);
    });
    test('a run awaits a returned promise', async () => {
      expect(await resultOf('export default async () => { await null; return 7 }')).toBe(7);
    });
    test('an exported value is the result itself', async () => {
      expect(await resultOf('export const a = { b: 1 }', { execute: { fn: 'a' } })).toEqual({ b: 1 });
    });
    test('an exported promise is awaited', async () => {
      expect(await resultOf('export default Promise.resolve(3)')).toBe(3);
    });
    test('top-level await is awaited', async () => {
      expect(await resultOf('const a = await Promise.resolve(4); export default a')).toBe(4);
    });
    test('undefined is a valid result', async () => {
      const outcome = await run('export default () => {}');
      expect(outcome).toMatchObject({ status: 'success', result: undefined });
      expect('result' in outcome).toBe(true);
      expect('error' in outcome).toBe(false);
    });
    test('args for an export that is no function are a link error', async () => {
      const error = await errorOf('export default 5', { execute: { args: [1] } });
      expect(error).toMatchObject({ status: 'link_error', message: expect.stringContaining('execute.args') });
    });
    test('a missing export is a link error that names the export, and the program does not run', async () => {
      const seen: unknown[] = [];
      const options = { execute: { fn: 'nope' }, report: (value: unknown) => seen.push(value) };
      const error = await errorOf('report(1); export const a = 1', options);
      expect(error).toMatchObject({ status: 'link_error', message: expect.stringContaining("'nope'") });
      expect(seen).toEqual([]);
    });
    test('an export may have any string as its name', async () => {
      const source = 'const answer = 42; export { answer as "the answer" }; export default 1';
      expect(await resultOf(source, { execute: { fn: 'the answer' } })).toBe(42);
    });
    test.each(['a\0', '\ud800'])('an export named %j is missing', async (fn) => {
      const { error } = await run('export const a = 1', { execute: { fn } });
      expect(error?.message).toContain(`no export named '${fn}'`);
    });
    test('an export whose name cannot be written in code is a link error', async () => {
      const error = await errorOf('export const a = 1', { execute: { fn: 'a } from "x' } });
      expect(error).toMatchObject({ status: 'link_error', message: expect.stringContaining('a } from "x') });
    });
    test('a program without a default export runs, and fails at its end', async () => {
      const outcome = await run('console.log("ran"); export const a = 1');
      expect(outcome).toMatchObject({ status: 'link_error', logs: [{ args: ['ran'] }] });
      expect(outcome.error?.message).toContain('no default export');
    });
  });

  describe('imports', () => {
    const imports = {
      fs: { default: 5, readFile: (path: string) => `text of ${path}`, limit: 9 },
      '@scope/pkg': { a: 1 },
    };
    test('imports of bare specifiers resolve to named exports, default and namespaces', async () => {
      const source = `
        import five, { readFile, limit as most } from 'fs'; import { a } from '@scope/pkg'; import * as all from 'fs';
        export default [five, await readFile('x'), most, a, Object.keys(all).sort()]`;
      const expected = [5, 'text of x', 9, 1, ['default', 'limit', 'readFile']];
      expect(await resultOf(source, { imports })).toEqual(expected);
    });
    test('exports of imports may have any string as their name', async () => {
      const source = 'import { "a-b" as x, "" as y, "say \\"hi\\"" as z } from "m"; export default [x, y, z]';
      const exports = { 'a-b': 1, '': 2, 'say "hi"': 3, '\ud800': 4, 'a\0': 5 };
      expect(await resultOf(source, { imports: { m: exports } })).toEqual([1, 2, 3]);
    });
    test('modules of the graph import the same instance', async () => {
      const modules = { './a.js': "import { box } from 'shared'; box.n = 2; export {}" };
      const source = "import './a.js'; import { box } from 'shared'; export default box.n";
      expect(await resultOf(source, { modules, imports: { shared: { box: { n: 1 } } } })).toBe(2);
    });
    test('an unknown specifier is a link error', async () => {
      const error = await errorOf("import x from 'nope'; export default x", { imports });
      expect(error).toMatchObject({ status: 'link_error', specifier: 'nope', filename: '<runCode>' });
    });
    test('a named import that the namespace lacks is a link error', async () => {
      const error = await errorOf("import { nope } from 'fs'; export default 1", { imports });
      expect(error).toMatchObject({
        status: 'link_error',
        specifier: 'fs',
        message: expect.stringContaining('nope'),
      });
    });
    test.each([
      'https://example.com/x.js',
      'http://a/b',
      'data:text/javascript,1',
      'file:///etc/passwd',
      '/abs.js',
    ])('an import of the URL %s is a link error, used or not', async (specifier) => {
      const error = await errorOf(`import x from '${specifier}'; export default 1`);
      expect(error).toMatchObject({ status: 'link_error', specifier });
    });
    test('import() of a URL rejects inside, and is a link error if uncaught', async () => {
      const caught = "export default await import('https://example.com/x.js').catch((e) => e.name)";
      expect(await resultOf(caught)).toBe('ReferenceError');
      const error = await errorOf("await import('https://example.com/x.js'); export default 1");
      expect(error).toMatchObject({ status: 'link_error', specifier: 'https://example.com/x.js' });
    });
    test('import() of a module that does not link is a link error if uncaught', async () => {
      const modules = { './a.js': 'import { nope } from "fs"' };
      const error = await errorOf('await import("./a.js"); export default 1', { modules, imports });
      expect(error).toMatchObject({ status: 'link_error', specifier: 'fs' });
      expect(error.message).toBe("'fs' has no export named 'nope'");
    });
    test('import() of a given import resolves', async () => {
      expect(await resultOf("export default (await import('fs')).limit", { imports })).toBe(9);
    });
    test('relative specifiers never resolve from imports', async () => {
      const error = await errorOf("import { a } from './fs'; export default a", { imports });
      expect(error).toMatchObject({ status: 'link_error', specifier: './fs' });
    });
  });

  describe('modules', () => {
    test('relative specifiers resolve from the entry and from each other', async () => {
      const modules = {
        './lib/math.js':
          "import { one } from './one.js'; import two from '../two.ts'; export const three = one + two",
        './lib/one.js': 'export const one = 1',
        './two.ts': 'const two: number = 2; export default two',
      };
      expect(await resultOf("import { three } from './lib/math.js'; export default three", { modules })).toBe(
        3,
      );
    });
    test('the entry resolves from filename', async () => {
      const modules = { './src/a.js': 'export default 1', './b.js': 'export default 2' };
      const source = "import a from './a.js'; import b from '../b.js'; export default [a, b]";
      expect(await resultOf(source, { modules, filename: 'src/main.ts' })).toEqual([1, 2]);
      expect(await resultOf(source, { modules, filename: './src/main.ts' })).toEqual([1, 2]);
    });
    test('leaving the graph is a link error', async () => {
      const error = await errorOf("import a from '../a.js'; export default a", {
        modules: { './a.js': 'export default 1' },
      });
      expect(error).toMatchObject({ status: 'link_error', specifier: '../a.js', filename: '<runCode>' });
    });
    test('an unknown relative specifier is a link error that names the importing module', async () => {
      const modules = { './a.js': "export * from './b.js'" };
      const error = await errorOf("import './a.js'; export default 1", { modules });
      expect(error).toMatchObject({ status: 'link_error', specifier: './b.js', filename: './a.js' });
    });
    test('a missing named export of a module is a link error', async () => {
      const error = await errorOf("import { b } from './a.js'; export default b", {
        modules: { './a.js': 'export const a = 1' },
      });
      expect(error).toMatchObject({ status: 'link_error', specifier: './a.js' });
    });
    test('a module that does not parse is a link error with its position', async () => {
      const modules = { './a.js': '\n\nexport const a = ;' };
      const error = await errorOf("import { a } from './a.js'; export default a", { modules });
      expect(error).toMatchObject({
        status: 'link_error',
        name: 'SyntaxError',
        filename: './a.js',
        line: 3,
        column: 18,
      });
    });
    test('module cycles link, also with the entry', async () => {
      const modules = {
        './a.js': "import { b } from './b.js'; export const a = () => b() + 1; export const one = 1",
        './b.js':
          "import { one } from './a.js'; import { own } from './main.js'; export const b = () => one + own()",
      };
      const source = "import { a } from './a.js'; export function own() { return 10 } export default a()";
      expect(await resultOf(source, { modules, filename: 'main.js' })).toBe(12);
    });
    test('a module that is imported twice evaluates once', async () => {
      const modules = { './n.js': 'report("n"); export {}', './a.js': "import './n.js'" };
      const outcome = await run(
        "import './a.js'; import './n.js'; await import('./n.js'); export default 1",
        {
          modules,
          report: () => {},
        },
      );
      expect(outcome.reports).toEqual(['n']);
    });
  });

  describe('globals', () => {
    test('globals are free identifiers of every module, and not properties of globalThis', async () => {
      const modules = { './a.js': 'export default typeof name + typeof globalThis.name' };
      const source = `
        import a from './a.js';
        export default [name, globalThis.name, 'name' in globalThis, Object.keys(globalThis).includes('name'), a]`;
      const expected = ['Ada', undefined, false, false, 'stringundefined'];
      expect(await resultOf(source, { modules, globals: { name: 'Ada' } })).toEqual(expected);
    });
    test('globals are shadowed by declarations of a module', async () => {
      expect(await resultOf('const name = 1; export default name', { globals: { name: 'Ada' } })).toBe(1);
    });
    test('globals may replace a built-in', async () => {
      expect(await resultOf('export default Math', { globals: { Math: 'mine' } })).toBe('mine');
    });
    test('nested functions of globals are bridged with their object as this', async () => {
      const db = {
        prefix: 'p-',
        find(id: number) {
          return `${this.prefix}${id}`;
        },
      };
      expect(await resultOf('export default await db.find(3)', { globals: { db } })).toBe('p-3');
    });
  });

  describe('bridged functions', () => {
    test('bridged functions are async', async () => {
      const source = 'const p = add(1, 2); export default [p instanceof Promise, await p]';
      expect(await resultOf(source, { globals: { add: (a: number, b: number) => a + b } })).toEqual([
        true,
        3,
      ]);
    });
    test('bridged functions may answer in another order than they were called', async () => {
      const waiting: (() => void)[] = [];
      const slow = (name: string) => new Promise((resolve) => waiting.push(() => resolve(name)));
      const last = async () => {
        for (const answer of waiting.reverse()) answer();
      };
      const source = `
        const order = []; const all = ['a', 'b', 'c'].map((n) => slow(n).then((r) => order.push(r)));
        await last(); await Promise.all(all); export default order`;
      expect(await resultOf(source, { globals: { slow, last } })).toEqual(['c', 'b', 'a']);
    });
    test('bridged functions may be called any number of times, with more data than fits at a time', async () => {
      const size = (text = '') => text.length;
      expect(
        await resultOf('for (let n = 0; n < 1500; n++) await size(); export default 1', {
          globals: { size },
        }),
      ).toBe(1);
      const source = `
        const text = 'x'.repeat(4e6); let all = 0;
        for (let n = 0; n < 10; n++) all += await size(text);
        export default all`;
      expect(await resultOf(source, { globals: { size } })).toBe(40e6);
    });
    test('bridged functions get a copy of the arguments', async () => {
      const seen: unknown[] = [];
      const source = 'const a = { n: 1 }; await keep(a, undefined, new Map([[1, a]])); export default 1';
      await resultOf(source, { globals: { keep: (...args: unknown[]) => void seen.push(args) } });
      expect(seen).toEqual([[{ n: 1 }, undefined, new Map([[1, { n: 1 }]])]]);
    });
    test('bridged functions may reject with an error whose name and message arrive, without host paths', async () => {
      const fail = () => {
        throw new RangeError('too far');
      };
      const source = `
        try { await fail() } catch (e) { report([e instanceof RangeError, e.name, e.message, e.stack]) }
        export default 1`;
      const { reports } = await run(source, { globals: { fail }, report: () => {} });
      const [[isRangeError, name, message, stack]] = reports as [[boolean, string, string, string]];
      expect([isRangeError, name, message]).toEqual([true, 'RangeError', 'too far']);
      expect(stack).toContain('<runCode>:2');
      expect(stack).not.toMatch(/suites|contract|file:|http|\.ts/);
    });
    test('an uncaught error of a bridged function ends the run at the position of the call', async () => {
      const fail = async () => {
        throw Object.assign(new Error('no'), { name: 'CustomError' });
      };
      const error = await errorOf('\nexport default await fail()', { globals: { fail } });
      expect(error).toMatchObject({
        status: 'error',
        name: 'CustomError',
        message: 'no',
        line: 2,
        column: 26,
      });
    });
    test.each([
      ['a string', 'oops'],
      ['a plain object', { message: 'oops' }],
    ])('%s may be thrown', async (_, thrown) => {
      const fail = () => {
        throw thrown;
      };
      expect(await resultOf('export default fail().catch((e) => e.message)', { globals: { fail } })).toBe(
        'oops',
      );
    });
    test('an answer of a bridged function that cannot be copied rejects inside with the reason', async () => {
      const source = 'export default give().catch((e) => e.name + ": " + e.message)';
      const result = await resultOf(source, {
        globals: {
          give: function give() {
            return { a: [() => 1] };
          },
        },
      });
      expect(result).toBe(
        'DataCloneError: the value of give.a[0] is a function, which cannot cross the border of the sandbox',
      );
    });
    test('bridged calls without await are made', async () => {
      const seen: number[] = [];
      await resultOf('note(1); note(2); export default 1', {
        globals: { note: (n: number) => void seen.push(n) },
      });
      expect(seen).toEqual([1, 2]);
    });
  });

  describe('language', () => {
    test('TypeScript is the default; types are erased, never checked', async () => {
      const source = `
        import type { Nothing } from 'nowhere'; import { type Other, a } from 'm';
        interface X<T> { a: T } type Y = X<number>; enum E { A = 3 } declare const z: string; abstract class B<T> { constructor(protected v: T) {} abstract f(): void; get() { return this.v } }
        class C extends B<number> { f(): void {} override get(): number { return super.get() } }
        const wrong: string = 1 as unknown as string; const y = <Y>{ a: 2 }; function f(this: X<1>, n?: number): asserts n {}
        export default [wrong, y!.a satisfies number, E.A, E[3], new C(5).get(), a];`;
      expect(await resultOf(source, { imports: { m: { a: 1 } } })).toEqual([1, 2, 3, 'A', 5, 1]);
    });
    test('JavaScript runs unchanged', async () => {
      expect(
        await resultOf('const a = 1, b = 2, c = 3; export default a<b>(c)', { language: 'javascript' }),
      ).toBe(false);
      const error = await errorOf('const a: number = 1; export default a', { language: 'javascript' });
      expect(error).toMatchObject({ status: 'link_error', name: 'SyntaxError', line: 1, column: 8 });
    });
    test('modules named .ts are TypeScript also in a JavaScript program', async () => {
      const modules = { './a.ts': 'export const a: number = 1' };
      const source = "import { a } from './a.ts'; export default a";
      expect(await resultOf(source, { modules, language: 'javascript' })).toBe(1);
    });
    test('source that does not parse is a link error with line and column', async () => {
      const error = await errorOf('const a = 1;\nlet b: number = = 2;');
      expect(error).toMatchObject({
        status: 'link_error',
        name: 'SyntaxError',
        filename: '<runCode>',
        line: 2,
        column: 17,
      });
    });
    test.each([
      ['with a position', 'let a = 1;\nlet a = 2', { line: 2, column: 7 }],
      ['without a position', 'export { nope }', { message: "exported variable 'nope' does not exist" }],
    ])(
      'an error that only the engine finds, %s, is a link error that names the module',
      async (_, source, said) => {
        const found = { ...said, status: 'link_error', name: 'SyntaxError' };
        const entry = { specifier: '<runCode>', filename: '<runCode>' };
        expect(await errorOf(source)).toMatchObject({ ...found, ...entry });
        const modules = { './a.js': source, './b.js': 'export {}' };
        const inModule = { specifier: './a.js', filename: './a.js' };
        expect(await errorOf('import "./a.js"; import "./b.js"', { modules })).toMatchObject({
          ...found,
          ...inModule,
        });
      },
    );
    test('a name that two modules export is a link error of the module that re-exports both', async () => {
      const modules = {
        './a.js': 'export const x = 1',
        './b.js': 'export const x = 2',
        './both.js': 'export * from "./a.js"; export * from "./b.js"',
      };
      const error = await errorOf('import { x } from "./both.js"; export default x', { modules });
      expect(error).toMatchObject({ status: 'link_error', specifier: './both.js' });
    });
    test('a TypeScript namespace with code is refused', async () => {
      const error = await errorOf('export default 1;\n  namespace N { export const a = 1 }');
      expect(error).toMatchObject({
        status: 'link_error',
        line: 2,
        column: 3,
        message: expect.stringContaining('namespace'),
      });
    });
  });

  describe('errors', () => {
    test('line and column of an error point into the original TypeScript', async () => {
      const source = [
        'interface Order { id: string }',
        'enum Color { Red }',
        'const orders: Map<string, Order> = new Map<string, Order>(); const none = (null as unknown as Order).id;',
        'export default orders;',
      ].join('\n');
      const column = (source.split('\n')[2] ?? '').indexOf('.id') + 1;
      const error = await errorOf(source, { filename: 'shop.ts' });
      expect(error).toMatchObject({
        status: 'error',
        name: 'TypeError',
        filename: 'shop.ts',
        line: 3,
        column,
      });
      expect(error.stack).toMatch(
        new RegExp(`^TypeError: .*\\n    at <anonymous> \\(shop\\.ts:3:${column}\\)$`),
      );
    });
    test.each(['typescript', 'javascript'] as const)(
      'columns of %s count as editors do',
      async (language) => {
        const source = 'const s = "\u{1f600}\u{1f600}"; null.x';
        expect(await errorOf(source, { language })).toMatchObject({
          line: 1,
          column: source.indexOf('.x') + 1,
        });
      },
    );
    test('the stack of an error has frames of the sandbox only', async () => {
      const modules = {
        './deep.ts': 'export function deep(n: number): never {\n  throw new Error("deep")\n}',
      };
      const source =
        "import { deep } from './deep.ts';\nfunction own() { deep(1) }\nexport default () => [1].map(own)";
      const error = await errorOf(source, { modules });
      expect(error).toMatchObject({ message: 'deep', filename: './deep.ts', line: 2, column: 18 });
      expect(error.stack?.split('\n').slice(1)).toEqual([
        '    at deep (./deep.ts:2:18)',
        '    at own (<runCode>:2:22)',
        '    at map (native)',
        '    at default (<runCode>:3:29)',
      ]);
    });
    test.each([
      ['a string', 'throw "boom"', { name: 'Error', message: 'Uncaught boom' }],
      ['null', 'throw null', { name: 'Error', message: 'Uncaught null' }],
      ['an object', 'throw { code: 1 }', { name: 'Error', message: 'Uncaught {"code":1}' }],
      ['an object like an error', 'throw { name: "Odd", message: "m" }', { name: 'Odd', message: 'm' }],
      [
        'a class of its own',
        'throw new (class Own extends Error { name = "Own" })("m")',
        { name: 'Own', message: 'm' },
      ],
      [
        'a trap',
        'throw { get message() { throw 1 } }',
        { name: 'Error', message: expect.stringContaining('cannot be read') },
      ],
      ['a rejection', 'await Promise.reject(new Error("later"))', { name: 'Error', message: 'later' }],
      [
        'from the export',
        'export default () => { throw new Error("inside") }',
        { name: 'Error', message: 'inside' },
      ],
    ])('%s may be thrown', async (_, source, expected) => {
      const outcome = await run(source.includes('export') ? source : `${source}; export default 1`);
      expect(outcome).toMatchObject({ status: 'error', error: expected });
      expect('result' in outcome).toBe(false);
    });
    test('calls may nest five hundred levels deep', async () => {
      expect(await resultOf('const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); export default f(500)')).toBe(
        500,
      );
    });
    test('long texts of an error are cut', async () => {
      const long = '"x".repeat(1e6)';
      const source = `throw Object.assign(new Error(${long}), { name: ${long}, stack: ${long} })`;
      const { error } = await run(source);
      expect(error?.message).toBe(`${'x'.repeat(10_000)}…`);
      expect([error?.name.length, error?.stack?.length]).toEqual([10_001, 10_001]);
      expect((await run(`await import(${long})`)).error?.specifier).toHaveLength(10_001);
    });
    test('a stack overflow is an error that the program may catch', async () => {
      const source =
        'function f() { return f() + 1 } export default () => { try { f() } catch (e) { return e.message } }';
      expect(await resultOf(source)).toBe('stack overflow');
      const error = await errorOf('function f() { return f() + 1 } export default f');
      expect(error).toMatchObject({ status: 'error', message: 'stack overflow', line: 1 });
      expect(error.stack?.split('\n').length).toBeLessThan(40);
    });
  });

  describe('memory', () => {
    const grow = 'const all = []; for (;;) all.push(new Array(1000).fill(all.length)); export default 1';
    test.each([1, 8, 40])(
      'a program that takes more than %d MB ends with status memory',
      async (megabytes) => {
        const outcome = await run(grow, { memoryLimitBytes: megabytes * 1e6 });
        expect(outcome).toMatchObject({ status: 'memory', error: { name: 'MemoryLimitError' } });
        expect(outcome.error?.message).toContain(`${megabytes * 1e6}`);
      },
    );
    test.each([
      ['one buffer', 'export default new ArrayBuffer(5e6).byteLength'],
      ['one string', 'export default "x".repeat(5e6).length'],
      [
        'many buffers',
        'const all = []; for (let i = 0; i < 50; i++) all.push(new Uint8Array(1e5)); export default all.length',
      ],
      ['a map', 'const m = new Map(); for (let i = 0; i < 1e6; i++) m.set(i, {}); export default m.size'],
    ])(
      '%s beyond the memory limit ends with status memory, and below the limit succeeds',
      async (_, source) => {
        expect(await run(source, { memoryLimitBytes: 4e6 })).toMatchObject({ status: 'memory' });
        expect(await run(source, { memoryLimitBytes: 256e6 })).toMatchObject({ status: 'success' });
      },
    );
    test('a program may use nearly all of the memory limit', async () => {
      const source =
        'const all = []; for (let i = 0; i < 124; i++) all.push(new Uint8Array(2 ** 20)); export default 1';
      expect(await resultOf(source, { memoryLimitBytes: 128 * 2 ** 20 })).toBe(1);
    });
    test('a memory limit below the need of an empty program ends with status memory', async () => {
      expect(await run('export default 1', { memoryLimitBytes: 1 })).toMatchObject({ status: 'memory' });
    });
    test('a string that doubles for ever ends with status memory before the engine limit of strings', async () => {
      expect(await run('let s = "x"; for (;;) s += s')).toMatchObject({ status: 'memory' });
    });
    test('a built-in that catches the memory error does not go on', async () => {
      const outcome = await run('export default new Array(1e9).join("x")');
      expect(outcome).toMatchObject({ status: 'memory', memoryUsedBytes: 64 * 2 ** 20 });
    });
    test('a program that catches the memory error still ends with status memory', async () => {
      const source = 'try { new ArrayBuffer(5e6) } catch {} export default "survived"';
      expect(await run(source, { memoryLimitBytes: 4e6 })).toMatchObject({ status: 'memory' });
    });
    test('the default memory limit is 64 MiB', async () => {
      expect(await run('export default new ArrayBuffer(60 * 2 ** 20).byteLength')).toMatchObject({
        status: 'success',
      });
      expect(await run('export default new ArrayBuffer(65 * 2 ** 20).byteLength')).toMatchObject({
        status: 'memory',
      });
    });
    test.each([
      ['a text', () => 'x'.repeat(1e6)],
      ['bytes', () => new Uint8Array(1e6)],
    ])('the memory of an answer is released after it was read: %s', async (_, read) => {
      const source =
        'let sum = 0; for (let i = 0; i < 20; i++) sum += (await read()).length; export default sum';
      const options = { globals: { read }, memoryLimitBytes: 16e6 };
      expect(await resultOf(source, options)).toBe(20e6);
    });
    test('the largest heap of a run is measured', async () => {
      const small = await run('export default 1');
      const large = await run(
        'const a = new Uint8Array(10e6); for (let i = 0; i < 1e5; i++) a[i] = i; export default a.length',
      );
      expect(small.memoryUsedBytes).toBeGreaterThan(0);
      expect(large.memoryUsedBytes).toBeGreaterThan(10e6);
    });
  });

  describe('report', () => {
    test('reported values reach the callback, the live view and the result, in order', async () => {
      const seen: unknown[] = [];
      const handle = run('report(1); report({ a: [2n] }); await null; report(); export default 1', {
        report: (value) => seen.push([value, handle.reports.length]),
      });
      const { reports } = await handle;
      expect(reports).toEqual([1, { a: [2n] }, undefined]);
      expect(seen).toEqual([
        [1, 1],
        [{ a: [2n] }, 2],
        [undefined, 3],
      ]);
      expect(handle.reports).toEqual(reports);
    });
    test('a run without the callback has no report function, and its reports are empty', async () => {
      const outcome = await run('export default typeof report');
      expect(outcome).toMatchObject({ result: 'undefined', reports: [] });
    });
    test.each([
      ['the program computes', 'for (;;);'],
      ['a built-in computes', 'for (;;) JSON.stringify(new Array(1e5).fill(0));'],
    ])('reports arrive live, also while %s without a pause', async (_, loop) => {
      let onReport = () => {};
      const first = new Promise<void>((resolve) => {
        onReport = resolve;
      });
      const handle = run(`report("alive"); ${loop}`, { report: () => onReport() });
      await first;
      expect(handle.reports).toEqual(['alive']);
      expect(handle.running).toBe(true);
      handle.terminate();
      expect((await handle).reports).toEqual(['alive']);
    });
    test('a report from a late microtask before the run settles is retained, and a later one is dropped', async () => {
      const source = `
        Promise.resolve().then(() => report('late'));
        export default async () => { await null; await null; Promise.resolve().then(async () => { for (let i = 0; i < 50; i++) await null; report('too late') }); return 1 }`;
      expect((await run(source, { report: () => {} })).reports).toEqual(['late']);
    });
    test('a report callback that throws ends the run with a reason, and the reports remain', async () => {
      const report = () => {
        throw new Error('sink is full');
      };
      const outcome = await run('report(1); report(2); export default 1', { report });
      expect(outcome).toMatchObject({ status: 'terminated', reports: [1] });
      expect(outcome.error?.message).toBe('Terminated: the report callback threw: sink is full');
    });
    test('the live view of reports is frozen, and the same until a report is added', async () => {
      const handle = run('report(1); export default 1', { report: () => {} });
      const before = handle.reports;
      expect(handle.reports).toBe(before);
      await handle;
      expect(before).toEqual([]);
      expect(handle.reports).not.toBe(before);
      expect(Object.isFrozen(handle.reports)).toBe(true);
    });
    test('a report that cannot be copied throws at the call', async () => {
      const source =
        'try { report({ f() {} }) } catch (e) { report(e.name + ": " + e.message) } export default 1';
      const { reports } = await run(source, { report: () => {} });
      expect(reports).toEqual([
        'DataCloneError: reported value.f is a function, which cannot cross the border of the sandbox',
      ]);
    });
  });

  describe('logs', () => {
    test('console calls are captured with level, copies of the arguments and time', async () => {
      const source = `
        const a = { n: 1 }; console.log('x', a, new Map([[1, 2]])); a.n = 2;
        console.info(); console.warn(1n); console.error(new TypeError('bad')); console.debug(undefined); export default 1`;
      const before = Date.now();
      const { logs } = await run(source);
      const after = Date.now();
      expect(logs.map(({ level }) => level)).toEqual(['log', 'info', 'warn', 'error', 'debug']);
      expect(logs[0]?.args).toEqual(['x', { n: 1 }, new Map([[1, 2]])]);
      expect(logs[2]?.args).toEqual([1n]);
      expect(logs[3]?.args[0]).toBeInstanceOf(TypeError);
      for (const { timestamp } of logs) {
        expect(timestamp).toBeGreaterThanOrEqual(before);
        expect(timestamp).toBeLessThanOrEqual(after);
      }
    });
    test('a logged value that cannot be copied is described', async () => {
      const source =
        'console.log(function named() {}, () => {}, Symbol("s"), { p: Promise.resolve() }); export default 1';
      const { logs } = await run(source);
      expect(logs[0]?.args).toEqual(['[function named]', '[function]', '[symbol s]', { p: '[a Promise]' }]);
    });
    test('logs are empty when the caller supplies a console, which gets the calls', async () => {
      const seen: unknown[] = [];
      const console = { log: (...args: unknown[]) => void seen.push(args) };
      const outcome = await run('console.log(1, 2); export default typeof globalThis.console', {
        globals: { console },
      });
      expect(outcome).toMatchObject({ status: 'success', result: 'undefined', logs: [] });
      expect(seen).toEqual([[1, 2]]);
    });
    test('the logs of a failed run are retained', async () => {
      const { status, logs } = await run('console.log("before"); throw 1');
      expect(status).toBe('error');
      expect(logs).toHaveLength(1);
    });
  });

  describe('the handle', () => {
    test('the handle is thenable and never rejects', async () => {
      const handle = run('throw 1');
      expect(typeof handle.then).toBe('function');
      expect(await handle.then(({ status }) => status)).toBe('error');
      expect(await handle.then(({ status }) => status)).toBe('error');
    });
    test('the handle has status running until it settles', async () => {
      const handle = run('export default 1');
      expect(handle.running).toBe(true);
      await handle;
      expect(handle.running).toBe(false);
    });
    test('terminate() works before the first tick', async () => {
      // A fixed clock, because a real one may tick between the two lines.
      const standing = createSandbox({ clock: createManualClock() });
      const handle = standing.runCode('export default 1');
      handle.terminate('never mind');
      expect(handle.running).toBe(false);
      const outcome = await handle;
      standing.dispose();
      expect(outcome).toMatchObject({ status: 'terminated', durationMs: 0, reports: [], logs: [] });
      expect(outcome.error?.message).toContain('never mind');
    });
    test('terminate() a second time, or after the end, changes nothing', async () => {
      const handle = run('export default new Promise(() => {})');
      handle.terminate('first');
      handle.terminate('second');
      expect((await handle).error?.message).toBe('Terminated: first');
      const done = run('export default 1');
      const outcome = await done;
      done.terminate('late');
      expect(await done).toBe(outcome);
      expect(outcome.status).toBe('success');
    });
    test('terminate() without a reason has a default reason', async () => {
      const handle = run('for (;;);');
      handle.terminate();
      expect((await handle).error?.message).toBe('Terminated by the caller');
    });
    test.each([
      ['a tight loop', 'report(1); for (;;);'],
      ['endless microtasks', 'report(1); for (;;) await null;'],
      ['an await that never settles', 'report(1); await new Promise(() => {});'],
      ['a regular expression that never ends', 'report(1); /^(a+)+$/.test("a".repeat(50) + "b");'],
      ['a sort that never ends', 'report(1); [3, 1, 2].sort(() => { for (;;); });'],
      ['a getter in the result', 'report(1); export default { get a() { for (;;); } }'],
      ['a call that is never answered', 'report(1); export default await never();'],
    ])('terminate() ends %s at once', async (_, source) => {
      let started = () => {};
      const running = new Promise<void>((resolve) => {
        started = resolve;
      });
      const handle = run(source, {
        report: () => started(),
        globals: { never: () => new Promise(() => {}) },
      });
      await running;
      handle.terminate('enough');
      // The contract allows 50 ms, but the handle settles before the call returns.
      expect(handle.running).toBe(false);
      const { status, error } = await handle;
      expect({ status, message: error?.message }).toEqual({
        status: 'terminated',
        message: 'Terminated: enough',
      });
    });
    test('an answer of a bridged function after the end of the run is dropped', async () => {
      let answer = (_: string) => {};
      let asked = () => {};
      const called = new Promise<void>((resolve) => {
        asked = resolve;
      });
      const ask = () => {
        asked();
        return new Promise<string>((resolve) => {
          answer = resolve;
        });
      };
      const handle = run('export default await ask()', { globals: { ask } });
      await called;
      handle.terminate();
      answer('late');
      expect((await handle).status).toBe('terminated');
      expect(await resultOf('export default 2')).toBe(2);
    });
    test('durationMs is the wall-clock time of the run', async () => {
      const { durationMs } = await run(
        'const end = Date.now() + 30; while (Date.now() < end); export default 1',
      );
      expect(durationMs).toBeGreaterThanOrEqual(29);
    });
    test('several runs progress at the same time', async () => {
      const stuck = run('for (;;);');
      const results = await Promise.all(
        [1, 2, 3].map((n) => resultOf('export default (n) => n', { execute: { args: [n] } })),
      );
      expect(results).toEqual([1, 2, 3]);
      stuck.terminate();
      expect((await stuck).status).toBe('terminated');
    });
  });

  describe('values cross the border, in both directions', () => {
    test('any value that crosses the border twice equals its structured clone', async () => {
      const roundTrip = fc.asyncProperty(anyValue(), async (value) => {
        const outcome = await run('export default (value) => value', { execute: { args: [value] } });
        expect(outcome.error).toBeUndefined();
        expect(outcome.result).toStrictEqual(structuredClone(value));
      });
      await fc.assert(roundTrip, { numRuns: 40 });
    });
    test('values inside are real instances with their methods', async () => {
      const source = `export default ({ date, map, set, bytes, big, regexp, error, cycle }) => [
        date instanceof Date && date.getTime(), map instanceof Map && map.get('a'), set instanceof Set && set.has(1),
        bytes instanceof Uint8Array && bytes[1], typeof big, regexp instanceof RegExp && regexp.test('xay'),
        error instanceof TypeError && error.message, cycle.self === cycle]`;
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      const value = {
        date: new Date(5),
        map: new Map([['a', 1]]),
        set: new Set([1]),
        bytes: new Uint8Array([1, 2]),
        big: 2n,
        regexp: /a/,
        error: new TypeError('m'),
        cycle,
      };
      const result = await resultOf(source, { execute: { args: [value] } });
      expect(result).toEqual([5, 1, true, 2, 'bigint', true, 'm', true]);
    });
    test('a cyclic value leaves as a cyclic value', async () => {
      const result = (await resultOf('const a = { m: new Map() }; a.m.set(a, a); export default a')) as {
        m: Map<unknown, unknown>;
      };
      expect(result.m.get(result)).toBe(result);
    });
    test('an error leaves with its name, message and the sandbox stack with original positions', async () => {
      const source =
        'class Odd extends Error { name = "Odd" }\nconst n: number = 1; export default [new Odd("m", { cause: 1 })]';
      const [error] = (await resultOf(source)) as [Error];
      expect(error).toBeInstanceOf(Error);
      expect([error.name, error.message, error.cause]).toEqual(['Odd', 'm', 1]);
      expect(error.stack).toMatch(/^Odd: m\n {4}at Odd .*\n {4}at .*<runCode>:2:\d+\)$/);
    });
    test('a value that cannot leave is a DataCloneError with the path of the value', async () => {
      const error = await errorOf('export default { list: [1, { go() {} }] }');
      expect(error).toMatchObject({ status: 'error', name: 'DataCloneError' });
      expect(error.message).toBe(
        'result.list[1].go is a function, which cannot cross the border of the sandbox',
      );
    });
    test('a value that is too large is an error with the limit', async () => {
      const error = await errorOf('export default "x".repeat(5e6)');
      expect(error).toMatchObject({
        status: 'error',
        name: 'RangeError',
        message: expect.stringContaining('4194304'),
      });
      const bytes = await errorOf('export default new Uint8Array(17 * 2 ** 20)');
      expect(bytes).toMatchObject({
        status: 'error',
        name: 'RangeError',
        message: expect.stringContaining('16777216'),
      });
      expect(() => run('1', { globals: { text: 'x'.repeat(5e6) } })).toThrow(
        /options is larger than 4194304/,
      );
    });
    test('a run that exceeds the total output limit gets an error, and its earlier output remains', async () => {
      const source = "const text = 'x'.repeat(1e6); for (let n = 0; n < 40; n++) report(text)";
      const { error, reports } = await run(source, { report: () => {} });
      expect(error).toMatchObject({ name: 'RangeError', message: expect.stringContaining('33554432') });
      expect(reports).toHaveLength(33);
    });
    test('functions in args are bridged like those in globals', async () => {
      const execute = { args: [(n: number) => n + 1] };
      expect(await resultOf('export default (f) => f(1)', { execute })).toBe(2);
    });
  });

  describe('misuse is a TypeError that names the option', () => {
    test.each<[string, unknown, RegExp]>([
      ['source', undefined, /source must be a string/],
      ['options', null, /options must be an object, not null/],
      ['execute', { execute: 'main' }, /execute must be an object, not string/],
      ['language', { language: 'coffee' }, /language/],
      ['execute.args', { execute: { args: 5 } }, /execute\.args/],
      ['execute.fn', { execute: { fn: 5 } }, /execute\.fn/],
      ['report', { report: true }, /report/],
      ['memoryLimitBytes', { memoryLimitBytes: -1 }, /memoryLimitBytes/],
      ['no memory', { memoryLimitBytes: 0 }, /memoryLimitBytes/],
      ['memory without end', { memoryLimitBytes: Number.POSITIVE_INFINITY }, /memoryLimitBytes/],
      ['an empty filename', { filename: '' }, /filename/],
      ['a filename that is no text', { filename: 5 }, /filename/],
      ['filename', { filename: 'a\nb' }, /filename/],
      ['filename of the sandbox', { filename: 'handrail:x' }, /handrail:/],
      ['a module without ./', { modules: { 'a.js': '' } }, /modules\['a\.js'\]/],
      ['a module that leaves the graph', { modules: { '../a.js': '' } }, /modules\['\.\.\/a\.js'\]/],
      ['a module twice', { modules: { './a.js': '', './x/../a.js': '' } }, /twice/],
      ['a module that is no text', { modules: { './a.js': 5 } }, /source text/],
      ['a relative import', { imports: { './a': {} } }, /bare name/],
      ['a URL import', { imports: { 'https://a/b': {} } }, /bare name/],
      ['an import without a name', { imports: { '': {} } }, /bare name/],
      ['an import without exports', { imports: { fs: null } }, /object of its exports/],
      ['an import that is a text', { imports: { fs: 'x' } }, /object of its exports/],
      ['a global with a hyphen', { globals: { 'a-b': 1 } }, /globals\['a-b'\]/],
      ['a reserved word', { globals: { class: 1 } }, /globals\['class'\]/],
      [
        'a global that cannot be copied',
        { globals: { a: { b: [new WeakMap()] } } },
        /options\.globals\.a\.b\[0\] is a WeakMap/,
      ],
      ['a symbol', { execute: { args: [Symbol('x')] } }, /options\.args\[0\] is a symbol/],
    ])('the option %s of a wrong type or value throws a TypeError', (name, options, message) => {
      const start = () =>
        run(name === 'source' ? (5 as unknown as string) : '1', options as CodeExecutionOptions);
      expect(start).toThrow(TypeError);
      expect(start).toThrow(message);
    });
  });
}
