/** Tests every sentence of the contract of `runCode`. The same suite runs in Node and in Chromium. */

import { afterAll, describe, test } from 'vitest';
import { type CodeExecutionOptions, createSandbox } from '../../../src/sandbox.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { anyValue } from './any-value.ts';

export function contractSuite(): void {
  const sandbox = createSandbox();
  const run = (source: string, options?: CodeExecutionOptions) => sandbox.runCode(source, options);
  const resultOf = async (source: string, options?: CodeExecutionOptions) => {
    const outcome = await run(source, options);
    if (outcome.status !== 'success' || 'error' in outcome)
      throw new Error(`The run failed: ${JSON.stringify(outcome.error)}`);
    return outcome.result;
  };
  const errorOf = async (source: string, options?: CodeExecutionOptions) => {
    const { status, error } = await run(source, options);
    return { status, ...error };
  };
  afterAll(() => sandbox.dispose());

  describe('isolation', () => {
    test('a program has no file system, network, timer, process or other global of the host', async ({
      expect,
    }) => {
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

    test('every run starts in a fresh sandbox', async ({ expect }) => {
      await run('globalThis.leak = 1; Array.prototype.leak = 2; export default 1');
      expect(await resultOf('export default [typeof leak, [].leak]')).toEqual(['undefined', undefined]);
    });

    test('a program that mutates its arguments and globals does not change the originals', async ({
      expect,
    }) => {
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

    test('the language has classes, generators, regular expressions, BigInt, proxies and async iteration', async ({
      expect,
    }) => {
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
    test('runCode calls the default export without arguments by default', async ({ expect }) => {
      expect(await resultOf('export default (...args) => args.length')).toBe(0);
    });
    test('runCode calls the function named in execute.fn with execute.args', async ({ expect }) => {
      const execute = { fn: 'increment', args: [100] };
      expect(await resultOf('export function increment(n: number) { return n + 1 }', { execute })).toBe(101);
    });
    test('an export may await thousands of promises', async ({ expect }) => {
      const source =
        'export default async () => { let n = 0; while (n < 5000) { await null; n++ } return n }';
      expect(await resultOf(source)).toBe(5000);
    });
    test('runCode awaits the promise that an export returns', async ({ expect }) => {
      expect(await resultOf('export default async () => { await null; return 7 }')).toBe(7);
    });
    test('an export that is not a function is the result', async ({ expect }) => {
      expect(await resultOf('export const a = { b: 1 }', { execute: { fn: 'a' } })).toEqual({ b: 1 });
    });
    test('runCode awaits an export that is a promise', async ({ expect }) => {
      expect(await resultOf('export default Promise.resolve(3)')).toBe(3);
    });
    test('a program may use top-level await', async ({ expect }) => {
      expect(await resultOf('const a = await Promise.resolve(4); export default a')).toBe(4);
    });
    test('undefined is a result of a successful run', async ({ expect }) => {
      const outcome = await run('export default () => {}');
      expect(outcome).toMatchObject({ status: 'success', result: undefined });
      expect('result' in outcome).toBe(true);
      expect('error' in outcome).toBe(false);
    });
    test('execute.args for an export that is not a function is a link error', async ({ expect }) => {
      const error = await errorOf('export default 5', { execute: { args: [1] } });
      expect(error).toMatchObject({ status: 'link_error', message: expect.stringContaining('execute.args') });
    });
    test('a missing export is a link error that names the export, and the program does not run', async ({
      expect,
    }) => {
      const seen: unknown[] = [];
      const options = { execute: { fn: 'nope' }, report: (value: unknown) => seen.push(value) };
      const error = await errorOf('report(1); export const a = 1', options);
      expect(error).toMatchObject({ status: 'link_error', message: expect.stringContaining("'nope'") });
      expect(seen).toEqual([]);
    });
    test('execute.fn may be any text that names an export', async ({ expect }) => {
      const source = 'const answer = 42; export { answer as "the answer" }; export default 1';
      expect(await resultOf(source, { execute: { fn: 'the answer' } })).toBe(42);
    });
    test.for(['a\0', '\ud800'])(
      'a name that no export can have, like %j, is a missing export',
      async (fn, { expect }) => {
        const { error } = await run('export const a = 1', { execute: { fn } });
        expect(error?.message).toContain(`no export named '${fn}'`);
      },
    );
    test('a name in execute.fn that tries to inject code is a missing export', async ({ expect }) => {
      const error = await errorOf('export const a = 1', { execute: { fn: 'a } from "x' } });
      expect(error).toMatchObject({ status: 'link_error', message: expect.stringContaining('a } from "x') });
    });
    test('a program without a default export runs and then ends with a link error', async ({ expect }) => {
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
    test('a bare specifier resolves to named exports, the default export and the namespace of imports', async ({
      expect,
    }) => {
      const source = `
        import five, { readFile, limit as most } from 'fs'; import { a } from '@scope/pkg'; import * as all from 'fs';
        export default [five, await readFile('x'), most, a, Object.keys(all).sort()]`;
      const expected = [5, 'text of x', 9, 1, ['default', 'limit', 'readFile']];
      expect(await resultOf(source, { imports })).toEqual(expected);
    });
    test('an export in imports may have any text as its name', async ({ expect }) => {
      const source = 'import { "a-b" as x, "" as y, "say \\"hi\\"" as z } from "m"; export default [x, y, z]';
      const exports = { 'a-b': 1, '': 2, 'say "hi"': 3, '\ud800': 4, 'a\0': 5 };
      expect(await resultOf(source, { imports: { m: exports } })).toEqual([1, 2, 3]);
    });
    test('the entry and its modules get the same instance of a module of imports', async ({ expect }) => {
      const modules = { './a.js': "import { box } from 'shared'; box.n = 2; export {}" };
      const source = "import './a.js'; import { box } from 'shared'; export default box.n";
      expect(await resultOf(source, { modules, imports: { shared: { box: { n: 1 } } } })).toBe(2);
    });
    test('a bare specifier that is missing in imports is a link error', async ({ expect }) => {
      const error = await errorOf("import x from 'nope'; export default x", { imports });
      expect(error).toMatchObject({ status: 'link_error', specifier: 'nope', filename: '<runCode>' });
    });
    test('an export that is missing in a module of imports is a link error', async ({ expect }) => {
      const error = await errorOf("import { nope } from 'fs'; export default 1", { imports });
      expect(error).toMatchObject({
        status: 'link_error',
        specifier: 'fs',
        message: expect.stringContaining('nope'),
      });
    });
    test.for([
      'https://example.com/x.js',
      'http://a/b',
      'data:text/javascript,1',
      'file:///etc/passwd',
      '/abs.js',
    ])('the URL %s is a link error', async (specifier, { expect }) => {
      const error = await errorOf(`import x from '${specifier}'; export default 1`);
      expect(error).toMatchObject({ status: 'link_error', specifier });
    });
    test('import() of a URL rejects inside, and is a link error when the program does not catch the rejection', async ({
      expect,
    }) => {
      const caught = "export default await import('https://example.com/x.js').catch((e) => e.name)";
      expect(await resultOf(caught)).toBe('ReferenceError');
      const error = await errorOf("await import('https://example.com/x.js'); export default 1");
      expect(error).toMatchObject({ status: 'link_error', specifier: 'https://example.com/x.js' });
    });
    test('import() of a module that does not link is a link error when the program does not catch the rejection', async ({
      expect,
    }) => {
      const modules = { './a.js': 'import { nope } from "fs"' };
      const error = await errorOf('await import("./a.js"); export default 1', { modules, imports });
      expect(error).toMatchObject({ status: 'link_error', specifier: 'fs' });
      expect(error.message).toBe("'fs' has no export named 'nope'");
    });
    test('import() resolves a module of imports', async ({ expect }) => {
      expect(await resultOf("export default (await import('fs')).limit", { imports })).toBe(9);
    });
    test('a relative specifier never resolves from imports', async ({ expect }) => {
      const error = await errorOf("import { a } from './fs'; export default a", { imports });
      expect(error).toMatchObject({ status: 'link_error', specifier: './fs' });
    });
  });

  describe('modules', () => {
    test('a relative specifier resolves from the module that contains it', async ({ expect }) => {
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
    test('a relative specifier in the entry resolves from filename', async ({ expect }) => {
      const modules = { './src/a.js': 'export default 1', './b.js': 'export default 2' };
      const source = "import a from './a.js'; import b from '../b.js'; export default [a, b]";
      expect(await resultOf(source, { modules, filename: 'src/main.ts' })).toEqual([1, 2]);
      expect(await resultOf(source, { modules, filename: './src/main.ts' })).toEqual([1, 2]);
    });
    test('a relative specifier that leaves the module graph is a link error', async ({ expect }) => {
      const error = await errorOf("import a from '../a.js'; export default a", {
        modules: { './a.js': 'export default 1' },
      });
      expect(error).toMatchObject({ status: 'link_error', specifier: '../a.js', filename: '<runCode>' });
    });
    test('a relative specifier that is missing in modules is a link error that names the importing module', async ({
      expect,
    }) => {
      const modules = { './a.js': "export * from './b.js'" };
      const error = await errorOf("import './a.js'; export default 1", { modules });
      expect(error).toMatchObject({ status: 'link_error', specifier: './b.js', filename: './a.js' });
    });
    test('an export that is missing in a module of modules is a link error', async ({ expect }) => {
      const error = await errorOf("import { b } from './a.js'; export default b", {
        modules: { './a.js': 'export const a = 1' },
      });
      expect(error).toMatchObject({ status: 'link_error', specifier: './a.js' });
    });
    test('a module that does not parse is a link error with line and column', async ({ expect }) => {
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
    test('modules may import each other and the entry in cycles', async ({ expect }) => {
      const modules = {
        './a.js': "import { b } from './b.js'; export const a = () => b() + 1; export const one = 1",
        './b.js':
          "import { one } from './a.js'; import { own } from './main.js'; export const b = () => one + own()",
      };
      const source = "import { a } from './a.js'; export function own() { return 10 } export default a()";
      expect(await resultOf(source, { modules, filename: 'main.js' })).toBe(12);
    });
    test('a module that is imported several times evaluates once', async ({ expect }) => {
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
    test('globals are free identifiers of every module and not properties of globalThis', async ({
      expect,
    }) => {
      const modules = { './a.js': 'export default typeof name + typeof globalThis.name' };
      const source = `
        import a from './a.js';
        export default [name, globalThis.name, 'name' in globalThis, Object.keys(globalThis).includes('name'), a]`;
      const expected = ['Ada', undefined, false, false, 'stringundefined'];
      expect(await resultOf(source, { modules, globals: { name: 'Ada' } })).toEqual(expected);
    });
    test('a declaration of a module shadows a global', async ({ expect }) => {
      expect(await resultOf('const name = 1; export default name', { globals: { name: 'Ada' } })).toBe(1);
    });
    test('a global may replace a built-in', async ({ expect }) => {
      expect(await resultOf('export default Math', { globals: { Math: 'mine' } })).toBe('mine');
    });
    test('a function deep inside a global is called with its object as this', async ({ expect }) => {
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
    test('a bridged function returns a promise', async ({ expect }) => {
      const source = 'const p = add(1, 2); export default [p instanceof Promise, await p]';
      expect(await resultOf(source, { globals: { add: (a: number, b: number) => a + b } })).toEqual([
        true,
        3,
      ]);
    });
    test('bridged functions may answer in another order than they were called', async ({ expect }) => {
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
    test('a bridged function gets copies of its arguments', async ({ expect }) => {
      const seen: unknown[] = [];
      const source = 'const a = { n: 1 }; await keep(a, undefined, new Map([[1, a]])); export default 1';
      await resultOf(source, { globals: { keep: (...args: unknown[]) => void seen.push(args) } });
      expect(seen).toEqual([[{ n: 1 }, undefined, new Map([[1, { n: 1 }]])]]);
    });
    test('an error of a bridged function arrives with name and message, and without paths of the host', async ({
      expect,
    }) => {
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
    test('an uncaught error of a bridged function ends the run at the place of the call', async ({
      expect,
    }) => {
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
    test.for([
      ['a string', 'oops'],
      ['a plain object', { message: 'oops' }],
    ] as const)('a bridged function may throw %s', async ([_, thrown], { expect }) => {
      const fail = () => {
        throw thrown;
      };
      expect(await resultOf('export default fail().catch((e) => e.message)', { globals: { fail } })).toBe(
        'oops',
      );
    });
    test('a call rejects with the path of the value when the value of a bridged function cannot be copied', async ({
      expect,
    }) => {
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
    test('the sandbox makes calls that the program does not await', async ({ expect }) => {
      const seen: number[] = [];
      await resultOf('note(1); note(2); export default 1', {
        globals: { note: (n: number) => void seen.push(n) },
      });
      expect(seen).toEqual([1, 2]);
    });
  });

  describe('language', () => {
    test('TypeScript is the default language, and types are erased but not checked', async ({ expect }) => {
      const source = `
        import type { Nothing } from 'nowhere'; import { type Other, a } from 'm';
        interface X<T> { a: T } type Y = X<number>; enum E { A = 3 } declare const z: string; abstract class B<T> { constructor(protected v: T) {} abstract f(): void; get() { return this.v } }
        class C extends B<number> { f(): void {} override get(): number { return super.get() } }
        const wrong: string = 1 as unknown as string; const y = <Y>{ a: 2 }; function f(this: X<1>, n?: number): asserts n {}
        export default [wrong, y!.a satisfies number, E.A, E[3], new C(5).get(), a];`;
      expect(await resultOf(source, { imports: { m: { a: 1 } } })).toEqual([1, 2, 3, 'A', 5, 1]);
    });
    test('JavaScript runs unchanged', async ({ expect }) => {
      expect(
        await resultOf('const a = 1, b = 2, c = 3; export default a<b>(c)', { language: 'javascript' }),
      ).toBe(false);
      const error = await errorOf('const a: number = 1; export default a', { language: 'javascript' });
      expect(error).toMatchObject({ status: 'link_error', name: 'SyntaxError', line: 1, column: 8 });
    });
    test('a module named .ts is TypeScript even when language is javascript', async ({ expect }) => {
      const modules = { './a.ts': 'export const a: number = 1' };
      const source = "import { a } from './a.ts'; export default a";
      expect(await resultOf(source, { modules, language: 'javascript' })).toBe(1);
    });
    test('source that does not parse is a link error with line and column', async ({ expect }) => {
      const error = await errorOf('const a = 1;\nlet b: number = = 2;');
      expect(error).toMatchObject({
        status: 'link_error',
        name: 'SyntaxError',
        filename: '<runCode>',
        line: 2,
        column: 17,
      });
    });
    test.for<[string, string, Record<string, unknown>]>([
      ['with line and column', 'let a = 1;\nlet a = 2', { line: 2, column: 7 }],
      ['without line and column', 'export { nope }', { message: "exported variable 'nope' does not exist" }],
    ])(
      'a syntax error that the engine finds %s is a link error of its module',
      async ([_, source, said], { expect }) => {
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
    test('a name that a module re-exports from two modules is a link error of that module', async ({
      expect,
    }) => {
      const modules = {
        './a.js': 'export const x = 1',
        './b.js': 'export const x = 2',
        './both.js': 'export * from "./a.js"; export * from "./b.js"',
      };
      const error = await errorOf('import { x } from "./both.js"; export default x', { modules });
      expect(error).toMatchObject({ status: 'link_error', specifier: './both.js' });
    });
    test('a namespace is a link error, because erasing it would drop its code', async ({ expect }) => {
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
    test('line and column of an error point into the original TypeScript', async ({ expect }) => {
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
    test.for(['typescript', 'javascript'] as const)(
      'columns of an error in %s count UTF-16 units, as editors do',
      async (language, { expect }) => {
        const source = 'const s = "\u{1f600}\u{1f600}"; null.x';
        expect(await errorOf(source, { language })).toMatchObject({
          line: 1,
          column: source.indexOf('.x') + 1,
        });
      },
    );
    test('the stack of an error has only frames of the program', async ({ expect }) => {
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
    test.for<[string, string, Record<string, unknown>]>([
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
        'an object whose message throws',
        'throw { get message() { throw 1 } }',
        { name: 'Error', message: 'Something was thrown that cannot be read' },
      ],
      ['a rejection', 'await Promise.reject(new Error("later"))', { name: 'Error', message: 'later' }],
      [
        'an error in its export',
        'export default () => { throw new Error("inside") }',
        { name: 'Error', message: 'inside' },
      ],
    ])('a program may throw %s', async ([_, source, expected], { expect }) => {
      const outcome = await run(source.includes('export') ? source : `${source}; export default 1`);
      expect(outcome).toMatchObject({ status: 'error', error: expected });
      expect('result' in outcome).toBe(false);
    });
    test('a program may nest 500 calls', async ({ expect }) => {
      expect(await resultOf('const f = (n) => (n === 0 ? 0 : 1 + f(n - 1)); export default f(500)')).toBe(
        500,
      );
    });
    test('the sandbox cuts each text of an error after 10,000 characters', async ({ expect }) => {
      const long = '"x".repeat(1e6)';
      const source = `throw Object.assign(new Error(${long}), { name: ${long}, stack: ${long} })`;
      const { error } = await run(source);
      expect(error?.message).toBe(`${'x'.repeat(10_000)}…`);
      expect([error?.name.length, error?.stack?.length]).toEqual([10_001, 10_001]);
      expect((await run(`await import(${long})`)).error?.specifier).toHaveLength(10_001);
    });
    test('a stack overflow is an error that the program may catch', async ({ expect }) => {
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
    test.for([1, 8, 40])(
      'a program that needs more than its limit of %d MB ends as memory',
      async (megabytes, { expect }) => {
        const outcome = await run(grow, { memoryLimitBytes: megabytes * 1e6 });
        expect(outcome).toMatchObject({ status: 'memory', error: { name: 'MemoryLimitError' } });
        expect(outcome.error?.message).toContain(`${megabytes * 1e6}`);
      },
    );
    test.for<[string, string]>([
      ['one buffer', 'export default new ArrayBuffer(5e6).byteLength'],
      ['one string', 'export default "x".repeat(5e6).length'],
      [
        'many buffers',
        'const all = []; for (let i = 0; i < 50; i++) all.push(new Uint8Array(1e5)); export default all.length',
      ],
      ['a map', 'const m = new Map(); for (let i = 0; i < 1e6; i++) m.set(i, {}); export default m.size'],
    ])(
      '%s beyond the limit ends the run as memory, and below the limit is fine',
      async ([_, source], { expect }) => {
        expect(await run(source, { memoryLimitBytes: 4e6 })).toMatchObject({ status: 'memory' });
        expect(await run(source, { memoryLimitBytes: 256e6 })).toMatchObject({ status: 'success' });
      },
    );
    test('a program may use nearly all of the memory limit', async ({ expect }) => {
      const source =
        'const all = []; for (let i = 0; i < 124; i++) all.push(new Uint8Array(2 ** 20)); export default 1';
      expect(await resultOf(source, { memoryLimitBytes: 128 * 2 ** 20 })).toBe(1);
    });
    test('a memory limit below the need of an empty program ends the run as memory', async ({ expect }) => {
      expect(await run('export default 1', { memoryLimitBytes: 1 })).toMatchObject({ status: 'memory' });
    });
    test('a text that doubles for ever ends the run as memory before the engine refuses its length', async ({
      expect,
    }) => {
      expect(await run('let s = "x"; for (;;) s += s')).toMatchObject({ status: 'memory' });
    });
    test('a built-in that continues after a refused allocation does not delay the end of the run', async ({
      expect,
    }) => {
      const memoryLimitBytes = 16 * 2 ** 20;
      const outcome = await run('export default new Array(1e9).join("x")', { memoryLimitBytes });
      expect(outcome).toMatchObject({ status: 'memory', memoryUsedBytes: memoryLimitBytes });
    });
    test('a program that catches the allocation error still ends as memory', async ({ expect }) => {
      const source = 'try { new ArrayBuffer(5e6) } catch {} export default "survived"';
      expect(await run(source, { memoryLimitBytes: 4e6 })).toMatchObject({ status: 'memory' });
    });
    test('the default memory limit is 64 MiB', async ({ expect }) => {
      expect(await run('export default new ArrayBuffer(60 * 2 ** 20).byteLength')).toMatchObject({
        status: 'success',
      });
      expect(await run('export default new ArrayBuffer(65 * 2 ** 20).byteLength')).toMatchObject({
        status: 'memory',
      });
    });
    test.for<[string, () => string | Uint8Array]>([
      ['a text', () => 'x'.repeat(1e6)],
      ['bytes', () => new Uint8Array(1e6)],
    ])('the sandbox frees the memory of an answer that is %s', async ([_, read], { expect }) => {
      const source =
        'let sum = 0; for (let i = 0; i < 20; i++) sum += (await read()).length; export default sum';
      const options = { globals: { read }, memoryLimitBytes: 16e6 };
      expect(await resultOf(source, options)).toBe(20e6);
    });
    test('memoryUsedBytes is the size of the largest heap', async ({ expect }) => {
      const small = await run('export default 1');
      const large = await run(
        'const a = new Uint8Array(10e6); for (let i = 0; i < 1e5; i++) a[i] = i; export default a.length',
      );
      expect(small.memoryUsedBytes).toBeGreaterThan(0);
      expect(large.memoryUsedBytes).toBeGreaterThan(10e6);
    });
  });

  describe('report', () => {
    test('reported values go to the callback, to handle.reports and to the result, in order', async ({
      expect,
    }) => {
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
    test('without the callback the program has no report function, and reports are empty', async ({
      expect,
    }) => {
      const outcome = await run('export default typeof report');
      expect(outcome).toMatchObject({ result: 'undefined', reports: [] });
    });
    test.for<[string, string]>([
      ['the program computes', 'for (;;);'],
      ['a built-in computes', 'for (;;) JSON.stringify(new Array(1e5).fill(0));'],
    ])('the page sees reports live while %s without a pause', async ([_, loop], { expect }) => {
      let notify = () => {};
      const first = new Promise<void>((resolve) => {
        notify = resolve;
      });
      const handle = run(`report("alive"); ${loop}`, { report: () => notify() });
      await first;
      expect(handle.reports).toEqual(['alive']);
      expect(handle.running).toBe(true);
      handle.terminate();
      expect((await handle).reports).toEqual(['alive']);
    });
    test('a report from a microtask counts before the run settles, and is dropped afterwards', async ({
      expect,
    }) => {
      const source = `
        Promise.resolve().then(() => report('late'));
        export default async () => { await null; await null; Promise.resolve().then(async () => { for (let i = 0; i < 50; i++) await null; report('too late') }); return 1 }`;
      expect((await run(source, { report: () => {} })).reports).toEqual(['late']);
    });
    test('a report callback that throws terminates the run, which keeps the values reported so far', async ({
      expect,
    }) => {
      const report = () => {
        throw new Error('sink is full');
      };
      const outcome = await run('report(1); report(2); export default 1', { report });
      expect(outcome).toMatchObject({ status: 'terminated', reports: [1] });
      expect(outcome.error?.message).toBe('Terminated: the report callback threw: sink is full');
    });
    test('handle.reports is frozen, and the same array until the program reports another value', async ({
      expect,
    }) => {
      const handle = run('report(1); export default 1', { report: () => {} });
      const before = handle.reports;
      expect(handle.reports).toBe(before);
      await handle;
      expect(before).toEqual([]);
      expect(handle.reports).not.toBe(before);
      expect(Object.isFrozen(handle.reports)).toBe(true);
    });
    test('report throws a DataCloneError for a value that cannot be copied', async ({ expect }) => {
      const source =
        'try { report({ f() {} }) } catch (e) { report(e.name + ": " + e.message) } export default 1';
      const { reports } = await run(source, { report: () => {} });
      expect(reports).toEqual([
        'DataCloneError: reported value.f is a function, which cannot cross the border of the sandbox',
      ]);
    });
  });

  describe('logs', () => {
    test('the sandbox captures console calls with level, copies of the arguments and time', async ({
      expect,
    }) => {
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
    test('a log describes values that cannot be copied', async ({ expect }) => {
      const source =
        'console.log(function named() {}, () => {}, Symbol("s"), { p: Promise.resolve() }); export default 1';
      const { logs } = await run(source);
      expect(logs[0]?.args).toEqual(['[function named]', '[function]', '[symbol s]', { p: '[a Promise]' }]);
    });
    test('logs are empty when globals has a console, which then gets the calls', async ({ expect }) => {
      const seen: unknown[] = [];
      const console = { log: (...args: unknown[]) => void seen.push(args) };
      const outcome = await run('console.log(1, 2); export default typeof globalThis.console', {
        globals: { console },
      });
      expect(outcome).toMatchObject({ status: 'success', result: 'undefined', logs: [] });
      expect(seen).toEqual([[1, 2]]);
    });
    test('a run that fails keeps its logs', async ({ expect }) => {
      const { status, logs } = await run('console.log("before"); throw 1');
      expect(status).toBe('error');
      expect(logs).toHaveLength(1);
    });
  });

  describe('the handle', () => {
    test('the handle is thenable and never rejects', async ({ expect }) => {
      const handle = run('throw 1');
      expect(typeof handle.then).toBe('function');
      expect(await handle.then(({ status }) => status)).toBe('error');
      expect(await handle.then(({ status }) => status)).toBe('error');
    });
    test('handle.running is true until the run settles', async ({ expect }) => {
      const handle = run('export default 1');
      expect(handle.running).toBe(true);
      await handle;
      expect(handle.running).toBe(false);
    });
    test('terminate before the first tick ends the run without starting the program', async ({ expect }) => {
      // A real clock may tick between the two lines.
      const standing = createSandbox({ clock: createManualClock() });
      const handle = standing.runCode('export default 1');
      handle.terminate('never mind');
      expect(handle.running).toBe(false);
      const outcome = await handle;
      standing.dispose();
      expect(outcome).toMatchObject({ status: 'terminated', durationMs: 0, reports: [], logs: [] });
      expect(outcome.error?.message).toContain('never mind');
    });
    test('terminate changes nothing when the run has ended already', async ({ expect }) => {
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
    test('terminate without a reason gives a message that names the caller', async ({ expect }) => {
      const handle = run('for (;;);');
      handle.terminate();
      expect((await handle).error?.message).toBe('Terminated by the caller');
    });
    test.for<[string, string]>([
      ['a tight loop', 'report(1); for (;;);'],
      ['endless microtasks', 'report(1); for (;;) await null;'],
      ['an await that never settles', 'report(1); await new Promise(() => {});'],
      ['a regular expression that never ends', 'report(1); /^(a+)+$/.test("a".repeat(50) + "b");'],
      ['a sort that never ends', 'report(1); [3, 1, 2].sort(() => { for (;;); });'],
      ['a getter in the result', 'report(1); export default { get a() { for (;;); } }'],
      ['a call that is never answered', 'report(1); export default await never();'],
    ])('terminate ends %s at once', async ([_, source], { expect }) => {
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
      // Sooner than the 50 ms of the contract: the handle settles before the call returns.
      expect(handle.running).toBe(false);
      const { status, error } = await handle;
      expect({ status, message: error?.message }).toEqual({
        status: 'terminated',
        message: 'Terminated: enough',
      });
    });
    test('the sandbox drops an answer that arrives after the run has ended', async ({ expect }) => {
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
    test('durationMs is the wall clock time of the run', async ({ expect }) => {
      const { durationMs } = await run(
        'const end = Date.now() + 30; while (Date.now() < end); export default 1',
      );
      expect(durationMs).toBeGreaterThanOrEqual(29);
    });
    test('several runs make progress at the same time', async ({ expect }) => {
      const stuck = run('for (;;);');
      const results = await Promise.all(
        [1, 2, 3].map((n) => resultOf('export default (n) => n', { execute: { args: [n] } })),
      );
      expect(results).toEqual([1, 2, 3]);
      stuck.terminate();
      expect((await stuck).status).toBe('terminated');
    });
  });

  describe('values that cross the border', () => {
    test('any value that crosses the border twice equals its structured clone', async ({ expect }) => {
      const roundTrip = fc.asyncProperty(anyValue(), async (value) => {
        const outcome = await run('export default (value) => value', { execute: { args: [value] } });
        expect(outcome.error).toBeUndefined();
        expect(outcome.result).toStrictEqual(structuredClone(value));
      });
      await fc.assert(roundTrip, { numRuns: caseCount(40) });
    });
    test('values inside the sandbox are instances of its own classes, with working methods', async ({
      expect,
    }) => {
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
    test('a cycle in a result stays a cycle', async ({ expect }) => {
      const result = (await resultOf('const a = { m: new Map() }; a.m.set(a, a); export default a')) as {
        m: Map<unknown, unknown>;
      };
      expect(result.m.get(result)).toBe(result);
    });
    test('an error in a result has its name, message, cause, and a stack at original places', async ({
      expect,
    }) => {
      const source =
        'class Odd extends Error { name = "Odd" }\nconst n: number = 1; export default [new Odd("m", { cause: 1 })]';
      const [error] = (await resultOf(source)) as [Error];
      expect(error).toBeInstanceOf(Error);
      expect([error.name, error.message, error.cause]).toEqual(['Odd', 'm', 1]);
      expect(error.stack).toMatch(/^Odd: m\n {4}at Odd .*\n {4}at .*<runCode>:2:\d+\)$/);
    });
    test('a result that cannot be copied is a DataCloneError with the path of the value', async ({
      expect,
    }) => {
      const error = await errorOf('export default { list: [1, { go() {} }] }');
      expect(error).toMatchObject({ status: 'error', name: 'DataCloneError' });
      expect(error.message).toBe(
        'result.list[1].go is a function, which cannot cross the border of the sandbox',
      );
    });
    test('a value beyond the size limits is a RangeError that names the limit', async ({ expect }) => {
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
    test('a program that sends out more than 32 MiB gets a RangeError, and the run keeps the reports sent before', async ({
      expect,
    }) => {
      const source = "const text = 'x'.repeat(1e6); for (let n = 0; n < 40; n++) report(text)";
      const { error, reports } = await run(source, { report: () => {} });
      expect(error).toMatchObject({ name: 'RangeError', message: expect.stringContaining('33554432') });
      expect(reports).toHaveLength(33);
    });
    test('functions in execute.args are bridged like functions in globals', async ({ expect }) => {
      const execute = { args: [(n: number) => n + 1] };
      expect(await resultOf('export default (f) => f(1)', { execute })).toBe(2);
    });
  });

  describe('misuse', () => {
    test.for<[string, unknown, RegExp]>([
      ['a source that is not a string', undefined, /source must be a string/],
      ['options that are null', null, /options must be an object, not null/],
      ['an execute that is not an object', { execute: 'main' }, /execute must be an object, not string/],
      ['an unknown language', { language: 'coffee' }, /language/],
      ['execute.args that are not a list', { execute: { args: 5 } }, /execute\.args/],
      ['an execute.fn that is not a string', { execute: { fn: 5 } }, /execute\.fn/],
      ['a report that is not a function', { report: true }, /report/],
      ['a negative memoryLimitBytes', { memoryLimitBytes: -1 }, /memoryLimitBytes/],
      ['a memoryLimitBytes of 0', { memoryLimitBytes: 0 }, /memoryLimitBytes/],
      ['an infinite memoryLimitBytes', { memoryLimitBytes: Number.POSITIVE_INFINITY }, /memoryLimitBytes/],
      ['an empty filename', { filename: '' }, /filename/],
      ['a filename that is not a string', { filename: 5 }, /filename/],
      ['a filename with a line break', { filename: 'a\nb' }, /filename/],
      ['a filename that the sandbox reserves', { filename: 'handrail:x' }, /handrail:/],
      ['a module without ./', { modules: { 'a.js': '' } }, /modules\['a\.js'\]/],
      ['a module that leaves the graph', { modules: { '../a.js': '' } }, /modules\['\.\.\/a\.js'\]/],
      ['two modules with one path', { modules: { './a.js': '', './x/../a.js': '' } }, /twice/],
      ['a module that is not a string', { modules: { './a.js': 5 } }, /source text/],
      ['imports with a relative specifier', { imports: { './a': {} } }, /bare name/],
      ['imports with a URL', { imports: { 'https://a/b': {} } }, /bare name/],
      ['imports with an empty specifier', { imports: { '': {} } }, /bare name/],
      ['imports with a module that is null', { imports: { fs: null } }, /object of its exports/],
      ['imports with a module that is a string', { imports: { fs: 'x' } }, /object of its exports/],
      ['a global with a hyphen', { globals: { 'a-b': 1 } }, /globals\['a-b'\]/],
      ['a global named by a reserved word', { globals: { class: 1 } }, /globals\['class'\]/],
      [
        'a global that cannot be copied',
        { globals: { a: { b: [new WeakMap()] } } },
        /options\.globals\.a\.b\[0\] is a WeakMap/,
      ],
      [
        'an argument that is a symbol',
        { execute: { args: [Symbol('x')] } },
        /options\.args\[0\] is a symbol/,
      ],
    ])('runCode throws a TypeError that names the option for %s', ([name, options, message], { expect }) => {
      const start = () =>
        run(
          name === 'a source that is not a string' ? (5 as unknown as string) : '1',
          options as CodeExecutionOptions,
        );
      expect(start).toThrow(TypeError);
      expect(start).toThrow(message);
    });
  });

  describe('limits of bridged functions', () => {
    test('sequential calls of a bridged function may exceed the limits for calls in flight and for data in flight', async ({
      expect,
    }) => {
      const size = (bytes = new Uint8Array()) => bytes.length;
      const calls = 'for (let n = 0; n < 1001; n++) await size(); export default 1';
      expect(await resultOf(calls, { globals: { size } })).toBe(1);
      const source = `
        const bytes = new Uint8Array(12e6); let all = 0;
        for (let n = 0; n < 3; n++) all += await size(bytes);
        export default all`;
      expect(await resultOf(source, { globals: { size } })).toBe(36e6);
    });
  });
}
