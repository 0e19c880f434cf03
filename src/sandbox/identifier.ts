const IDENTIFIER_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in Infinity instanceof interface let NaN new null package ' +
    'private protected public return static super switch this throw true try typeof undefined var void while with yield'
  ).split(' '),
);

/** What may be the name of an export: any text, `a-b` as well, but what the engine takes for less or for none. */
export function isExportName(name: string): boolean {
  return !/\p{Surrogate}/u.test(name) && !name.includes('\0');
}

/** Names that a module may declare. */
export function isVariableName(name: string): boolean {
  return IDENTIFIER_NAME.test(name) && !RESERVED.has(name);
}
