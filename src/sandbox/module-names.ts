/** Rules for the names of exports, variables and modules, for the page and the worker. */

const IDENTIFIER_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in Infinity instanceof interface let NaN new null package ' +
    'private protected public return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);

/** Any text may name an export (`a-b`), but the engine cuts it at a null character and refuses a lone surrogate. */
export function isExportName(name: string): boolean {
  return !/\p{Surrogate}/u.test(name) && !name.includes('\0');
}

/** Returns true for names that a module may declare. */
export function isVariableName(name: string): boolean {
  return IDENTIFIER_NAME.test(name) && !RESERVED.has(name);
}

/** Returns the path from the root of the module graph, without dots, or undefined if the path leaves the graph. */
export function normalizePath(directory: string, specifier: string): string | undefined {
  const path: string[] = [];
  for (const step of `${directory}${specifier}`.split('/')) {
    if (step === '..') {
      if (path.pop() === undefined) return undefined;
    } else if (step !== '.' && step !== '') {
      path.push(step);
    }
  }
  return path.join('/');
}
