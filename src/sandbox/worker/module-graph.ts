/** Resolves specifiers to modules and loads their sources. Code can enter the sandbox only through this graph. */
import type { RunRequest } from '../messages.ts';
import { normalizePath } from '../module-names.ts';
import { type Erased, eraseTypes, type Position, type SourceError } from './erase-types.ts';

/** The prefix of modules that are not the program's. Stacks never show their frames. */
export const INTERNAL = 'handrail:';
export const WRAPPER = `${INTERNAL}wrapper`;
const START = `${INTERNAL}start`;
const IMPORT = `${INTERNAL}import `;

/** The limit for stored error messages, in characters. They are outside the memory that the program's limit bounds. */
const MAX_STORED_LENGTH = 1_000_000;

/** The reason why the graph does not link. */
export interface LinkFailure {
  readonly message: string;
  readonly name: string;
  readonly specifier?: string;
  readonly filename?: string;
  readonly position?: Position;
}

export interface ModuleGraph {
  /** Returns the name of a module. @throws Error when the specifier has no module, and adds the error to `failures`. */
  resolve(from: string, specifier: string): string;
  /** Returns the source of a module as JavaScript. @throws Error when the source does not parse, and adds it to `failures`. */
  load(name: string): string;
  /**
   * The failures so far, without the oldest ones beyond a limit. A failure need not end the run, because a program may
   * catch the error of a dynamic import.
   */
  readonly failures: readonly LinkFailure[];
  /** The module loaded last. It is at fault when the engine reports a syntax error without a place. */
  readonly latest: string | undefined;
  /** Returns the position in the original source, or undefined if the module is not the program's. */
  original(name: string, position: Position): Position | undefined;
  /** Parses an error of the engine about a missing export. Undefined for any other error. */
  missingExport(message: string): LinkFailure | undefined;
  /** A module that loads all modules of `imports`. The worker evaluates it while the global `TAKE` exists. */
  readonly preloadSource: string;
}

export function createModuleGraph(request: RunRequest): ModuleGraph {
  const entry = request.filename;
  const erased = new Map<string, Erased>();
  const failures: LinkFailure[] = [];
  let storedLength = 0;
  let latest: string | undefined;
  const pathOfEntry =
    normalizePath('', isUrl(entry) ? entry.slice(entry.lastIndexOf('/') + 1) : entry) ?? entry;
  const paths = new Map([...request.modules].map(([path, { label }]) => [label, path]));
  const sources = new Map([...request.modules.values()].map(({ label, source }) => [label, source]));
  sources.set(entry, request.source);
  const imports = new Map(request.imports.map(({ specifier, names }) => [specifier, names]));

  return {
    failures,
    get latest() {
      return latest;
    },
    preloadSource: [...imports.keys()].map((name) => `import ${JSON.stringify(IMPORT + name)};`).join(''),
    resolve(from, specifier) {
      if (from.startsWith(INTERNAL)) return specifier;
      if (/^\.\.?(\/|$)/.test(specifier)) return resolveRelative(from, specifier);
      if (imports.has(specifier)) return IMPORT + specifier;
      throw failed({
        name: 'ReferenceError',
        message: unresolved(specifier),
        specifier,
        ...(isOwn(from) && { filename: from }),
      });
    },
    load(name) {
      if (name === START) return START_SOURCE;
      if (name.startsWith(IMPORT)) return importSource(name.slice(IMPORT.length));
      const source = sources.get(name);
      // After a failed `resolve` the engine calls `load` with an empty name.
      if (source === undefined) throw asError(failures.at(-1));
      latest = name;
      try {
        const made = isTypeScript(name)
          ? eraseTypes(source, name)
          : { code: source, original: (at: Position) => at };
        erased.set(name, made);
        return made.code;
      } catch (thrown) {
        const { message, position } = thrown as SourceError;
        throw failed({
          name: 'SyntaxError',
          message,
          specifier: name,
          filename: name,
          ...(position && { position }),
        });
      }
    },
    original(name, position) {
      const made = erased.get(name);
      return made?.original(inUnits(made.code, position));
    },
    missingExport(message) {
      const match = /^(.*)export '(.*)' in module '(.*)'/s.exec(message);
      if (match === null) return undefined;
      const [, problem, name = '', module = ''] = match;
      const specifier = module.startsWith(IMPORT) ? module.slice(IMPORT.length) : module;
      const isMissing = problem === 'Could not find ';
      return {
        name: 'SyntaxError',
        message: isMissing ? describeMissing(name, specifier) : message,
        specifier,
      };
    },
  };

  function resolveRelative(from: string, specifier: string): string {
    const base = from === entry ? pathOfEntry : (paths.get(from) ?? '');
    const path = normalizePath(base.slice(0, base.lastIndexOf('/') + 1), specifier);
    const problem = { name: 'ReferenceError', specifier, ...(isOwn(from) && { filename: from }) };
    if (path === undefined)
      throw failed({ ...problem, message: `'${specifier}' leads out of the module graph` });
    if (path === pathOfEntry) return entry;
    const found = request.modules.get(path);
    if (found !== undefined) return found.label;
    throw failed({
      ...problem,
      message: `There is no module './${path}' in modules (imported as '${specifier}')`,
    });
  }

  function isOwn(name: string): boolean {
    return sources.has(name);
  }

  function isTypeScript(name: string): boolean {
    return request.language === 'typescript' || (name !== entry && /\.[cm]?ts$/.test(name));
  }

  function importSource(specifier: string): string {
    const names = imports.get(specifier) ?? [];
    const values = names.map((name, index) => `const v${index} = values[${JSON.stringify(name)}];`);
    const exported = names.map((name, index) => `v${index} as ${JSON.stringify(name)}`);
    const taken = `const values = ${TAKE}(${JSON.stringify(specifier)});`;
    return `${taken}${values.join('')}export { ${exported.join(', ')} };`;
  }

  function describeMissing(name: string, specifier: string): string {
    const fix =
      specifier === entry && name === (request.fn ?? 'default')
        ? '; export it, or name another export in execute.fn'
        : '';
    return `'${specifier}' has no export named '${name}'${fix}`;
  }

  function failed(failure: LinkFailure): Error {
    storedLength += failure.message.length;
    failures.push(failure);
    while (storedLength > MAX_STORED_LENGTH && failures.length > 1)
      storedLength -= failures.shift()?.message.length ?? 0;
    return asError(failure);
  }
}

/** The engine counts characters in a line; source maps and editors count UTF-16 units. */
function inUnits(code: string, { line, column }: Position): Position {
  const text = code.split('\n', line)[line - 1] ?? '';
  const before = Array.from(text).slice(0, column - 1);
  return { line, column: before.join('').length + 1 };
}

function asError(failure: LinkFailure | undefined): Error {
  const error = new Error(failure?.message ?? 'There is no such module');
  error.name = failure?.name ?? 'ReferenceError';
  return error;
}

/** Globals of the worker's own modules. The worker deletes both before the program's first line runs. */
export const TAKE = '__handrail_take__';
export const STARTED = '__handrail_started__';

/** This module is evaluated first, after all modules have linked. Any error before it is a link error. */
const START_SOURCE = `const started = ${STARTED}; delete globalThis.${STARTED}; started();`;

/**
 * Returns the source of the root of the graph. It imports an export that `execute.fn` names, so the program does not run if
 * the export is missing. A program without a default export runs, and gets the error at its end.
 */
export function wrapperSource({ filename, fn }: RunRequest): string {
  const entry = JSON.stringify(filename);
  const bindings = fn === undefined ? '* as entry' : `{ ${JSON.stringify(fn)} as target }`;
  return `import '${START}';\nimport ${bindings} from ${entry};\nexport { ${fn === undefined ? 'entry' : 'target'} };`;
}

function isUrl(specifier: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(specifier);
}

function unresolved(specifier: string): string {
  if (isUrl(specifier) || specifier.startsWith('/')) {
    return `'${specifier}' is a URL or an absolute path, which the sandbox never loads; pass the source in modules`;
  }
  return `There is no module '${specifier}' in imports`;
}
