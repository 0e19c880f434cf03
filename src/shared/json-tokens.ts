/** The small words of JSON (RFC 8259). */

/** What the character after a backslash stands for. */
export const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
export const LITERALS: ReadonlyMap<string, unknown> = /* @__PURE__ */ new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
export const WHOLE_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NUMBER_SO_FAR = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/;

export function startsLiteral(text: string): boolean {
  return Array.from(LITERALS.keys()).some((literal) => literal.startsWith(text));
}

/** The number that the longest plausible beginning gives: `1.` is 1, `-` is none yet. */
export function numberSoFar(text: string): number | undefined {
  const digits = NUMBER_SO_FAR.exec(text)?.[0];
  return digits === undefined ? undefined : Number(digits);
}
