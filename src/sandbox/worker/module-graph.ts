/** Which module a specifier means, and the source of each. The only way into the sandbox for code. */
import type { RunRequest } from '../messages.ts';
import { normalizePath } from '../module-names.ts';
import { type Erased, eraseTypes, type Position, type SourceError } from './erase-types.ts';

/** Names of modules that are not the program's. No frame of theirs is ever shown. */
export const INTERNAL = 'handrail:';
export const WRAPPER = `${INTERNAL}wrapper`;
const START = `${INTERNAL}start`;
const IMPORT = `${INTERNAL}import `;

/** Characters of messages. The memory of the program does not count what is kept out here. */
const MOST_REMEMBERED = 1_000_000;

/** Why the graph does not link. */
export interface LinkFailure {
  readonly message: string;
  readonly name: string;
  readonly specifier?: string;
  readonly filename?: string;
  readonly position?: Position;
}

export interface ModuleGraph {
  /** @throws Error when nothing may be found under this specifier; kept in `failures`. */
  resolve(from: string, specifier: string): string;
  /** @throws Error when the source does not parse; kept in `failures`. */
  load(name: string): string;
  /**
   * What failed so far, but for the oldest when it is much. A program may catch what a dynamic import throws, so it
   * need not be fatal.
   */
  readonly failures: readonly LinkFailure[];
  /** The module that was read last: the one at fault when the engine says nothing but that it does not parse. */
  readonly latest: string | undefined;
  /** The place in the original source, or undefined when the module is not the program's. */
  original(name: string, position: Position): Position | undefined;
  /** Reads an error of the engine about an export that does not exist. */
  missingExport(message: string): LinkFailure | undefined;
  /** Evaluated while `TAKE` is there: fills the modules made of `imports`. */
  readonly preloadSource: string;
}

export function createModuleGraph(request: RunRequest): ModuleGraph {
  const entry = request.filename;
  const erased = new Map<string, Erased>();
  const failures: LinkFailure[] = [];
  let remembered = 0;
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
      // The engine goes on to load what could not be resolved, under an empty name.
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
    remembered += failure.message.length;
    failures.push(failure);
    while (remembered > MOST_REMEMBERED && failures.length > 1)
      remembered -= failures.shift()?.message.length ?? 0;
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

/** Globals of the worker's own modules. Both are gone before the first line of the program runs. */
export const TAKE = '__handrail_take__';
export const STARTED = '__handrail_started__';

/** Everything links before anything is evaluated, and this is evaluated first: it tells link errors from others. */
const START_SOURCE = `const started = ${STARTED}; delete globalThis.${STARTED}; started();`;

/**
 * Evaluated as the root of the graph. An export that was asked for by name is linked, so that nothing runs when it
 * is missing. A program that merely has no default export runs, and is told at its end.
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
