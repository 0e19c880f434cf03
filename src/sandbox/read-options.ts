import type { CodeExecutionOptions } from './code-execution.ts';
import { createEncoder } from './codec/create-encoder.ts';
import { captureIntrinsics } from './codec/intrinsics.ts';
import type { Capabilities } from './guest/protocol.ts';
import type { RunRequest } from './messages.ts';
import { isExportName, isVariableName, normalizePath } from './module-names.ts';

/** A function of the host that the program may call, and the object that holds the function. */
export interface Bridge {
  readonly fn: (...args: unknown[]) => unknown;
  readonly owner: unknown;
}

/** Validated options, split into the parts for the worker and the parts that stay on the page. */
export interface PreparedRun {
  readonly request: RunRequest;
  readonly bridges: readonly Bridge[];
  readonly report: ((value: unknown) => void) | undefined;
}

const DEFAULT_FILENAME = '<runCode>';
const DEFAULT_MEMORY = 64 * 1024 * 1024;
/** The engine counts bytes in 32 bits, and its memory cannot exceed two gigabytes. */
const MAX_MEMORY = 1024 * 1024 * 1024;

/** @throws TypeError that names the invalid option and its valid values. The program has not run then. */
export function readOptions(source: string, options: CodeExecutionOptions): PreparedRun {
  if (typeof source !== 'string') throw new TypeError(`source must be a string, not ${typeof source}`);
  checkObject('options', options);
  const { execute = {}, imports = {}, globals = {}, modules = {}, language = 'typescript', report } = options;
  for (const [name, value] of Object.entries({ execute, imports, globals, modules }))
    checkObject(name, value);
  const { fn, args = [] } = execute;
  const { filename = DEFAULT_FILENAME, memoryLimitBytes = DEFAULT_MEMORY } = options;
  if (language !== 'typescript' && language !== 'javascript') {
    throw new TypeError(`language must be 'typescript' or 'javascript', not ${String(language)}`);
  }
  if (fn !== undefined && typeof fn !== 'string')
    throw new TypeError('execute.fn must be the name of an export');
  if (!Array.isArray(args)) throw new TypeError('execute.args must be an array');
  if (report !== undefined && typeof report !== 'function') throw new TypeError('report must be a function');
  if (!Number.isFinite(memoryLimitBytes) || memoryLimitBytes <= 0) {
    throw new TypeError(
      `memoryLimitBytes must be a positive number of bytes, not ${String(memoryLimitBytes)}`,
    );
  }
  checkFilename(filename);
  const bridges: Bridge[] = [];
  const capabilities: Capabilities = {
    globals,
    imports,
    args,
    console: !Object.hasOwn(globals, 'console'),
    report: report !== undefined,
  };
  return {
    bridges,
    report,
    request: {
      source,
      filename,
      language,
      ...(fn !== undefined && { fn }),
      memoryLimitBytes: Math.min(Math.floor(memoryLimitBytes), MAX_MEMORY),
      modules: readModules(modules),
      globals: readGlobals(globals),
      imports: readImports(imports),
      capabilities: createEncoder(captureIntrinsics())(capabilities, {
        label: 'options',
        bridge: (fn, owner) => bridges.push({ fn: fn as Bridge['fn'], owner }) - 1,
      }),
    },
  };
}

function checkObject(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) return;
  throw new TypeError(`${name} must be an object, not ${value === null ? 'null' : typeof value}`);
}

function checkFilename(filename: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break in a name would forge frames of a stack
  if (typeof filename !== 'string' || filename === '' || /[\u0000-\u001f\u007f]/.test(filename)) {
    throw new TypeError('filename must be a text without control characters');
  }
  if (filename.startsWith('handrail:')) {
    throw new TypeError(
      "filename must not start with 'handrail:', which is for modules of the sandbox itself",
    );
  }
}

function readModules(modules: Readonly<Record<string, string>>): RunRequest['modules'] {
  const read = new Map<string, { label: string; source: string }>();
  for (const [label, source] of Object.entries(modules)) {
    if (typeof source !== 'string') throw new TypeError(`modules['${label}'] must be source text`);
    const path = /^\.\.?\//.test(label) ? normalizePath('', label) : undefined;
    if (path === undefined) {
      throw new TypeError(
        `modules['${label}'] must be named by its path from the root of the graph, like './lib/a.js'`,
      );
    }
    if (read.has(path)) throw new TypeError(`modules has './${path}' twice`);
    read.set(path, { label, source });
  }
  return read;
}

function readGlobals(globals: Readonly<Record<string, unknown>>): readonly string[] {
  const names = Object.keys(globals);
  for (const name of names) {
    if (!isVariableName(name)) {
      throw new TypeError(
        `globals['${name}'] cannot be a variable; use a name that JavaScript allows for one`,
      );
    }
  }
  return names;
}

function readImports(imports: NonNullable<CodeExecutionOptions['imports']>): RunRequest['imports'] {
  return Object.entries(imports).map(([specifier, namespace]) => {
    if (/^(\.|\/)|:\/\/|^(data|blob|file):/.test(specifier) || specifier === '') {
      throw new TypeError(
        `imports['${specifier}'] must be a bare name like 'fs' or '@scope/pkg'; sources go in modules`,
      );
    }
    if (typeof namespace !== 'object' || namespace === null) {
      throw new TypeError(`imports['${specifier}'] must be an object of its exports`);
    }
    // The engine cannot import an export of any other name.
    return { specifier, names: Object.keys(namespace).filter(isExportName) };
  });
}
