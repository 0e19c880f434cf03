/**
 * JSON that is still arriving: feed text in any cuts, look at the value so far at any time.
 *
 * Own code, because libraries for partial JSON (`partial-json`, `best-effort-json-parser` and the like) take the
 * whole text so far and parse it from its start: one look per delta makes that quadratic. Here every character is
 * read once, whatever the cuts, and a look copies only the containers that are still open; closed ones are shared.
 */
import { defineOwn } from './json.ts';

/** A reader of one JSON value. Made by {@link createIncrementalJson}. */
export interface IncrementalJson {
  /** Takes the next piece of the text. After a failure it does nothing. */
  feed(chunk: string): void;
  /**
   * The value so far, frozen; it never changes later. `undefined` until there is one.
   *
   * Open strings are given as far as they got, open numbers as far as they are plausible (`1.` is 1); half-written
   * keys and literals are left out. Once the text is complete it equals what `JSON.parse` gives.
   */
  value(): unknown;
  /** The text is no JSON (or nests deeper than 256): the value stays what it was before the first bad character. */
  readonly failed: boolean;
  /** Characters looked at so far, so that tests can count work instead of time. */
  readonly scanned: number;
}

/** Nobody writes arguments deeper than this; a stream that does must not exhaust the stack of whoever reads them. */
const MAX_DEPTH = 256;

type Container = unknown[] | Record<string, unknown>;
interface Frame {
  readonly items: Container;
  /** Objects: the key whose value comes next. */
  key: string;
}
type Expected = 'value' | 'key' | 'colon' | 'comma';
/** What is being read in the middle; `key` and `string` differ only in where they go. */
type TokenKind = 'key' | 'string' | 'word';

/** A new reader. It costs nothing until it is fed. */
export function createIncrementalJson(): IncrementalJson {
  // Sticky patterns carry a position, so each reader has its own.
  const spaces = /[ \t\n\r]*/y;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them raw inside strings
  const plainText = /[^"\\\u0000-\u001f]*/y;
  const word = /[-+.\w]*/y;

  const stack: Frame[] = [];
  let expected: Expected = 'value';
  /** The container that is open may end here: behind its beginning or a whole value. */
  let mayClose = false;
  let token: TokenKind | undefined;
  let text = '';
  /** An escape sequence that is not complete: starts with a backslash. */
  let pendingEscape = '';
  let root: unknown;
  let failed = false;
  let scanned = 0;
  let snapshot: unknown;
  let fresh = true;

  /** The end of the run of characters that `pattern` accepts. */
  const runEnd = (pattern: RegExp, chunk: string, from: number): number => {
    pattern.lastIndex = from;
    pattern.test(chunk);
    return pattern.lastIndex;
  };

  const fail = () => {
    failed = true;
  };

  const put = (value: unknown) => {
    const frame = stack.at(-1);
    if (frame === undefined) root = value;
    else if (Array.isArray(frame.items)) frame.items.push(value);
    else defineOwn(frame.items, frame.key, value);
    expected = 'comma';
    mayClose = true;
  };

  const expectItem = (items: Container) => {
    expected = Array.isArray(items) ? 'value' : 'key';
  };

  const open = (items: Container) => {
    if (stack.length === MAX_DEPTH) return fail();
    stack.push({ items, key: '' });
    expectItem(items);
    mayClose = true;
  };

  const close = (isArray: boolean) => {
    const frame = stack.at(-1);
    if (frame === undefined || Array.isArray(frame.items) !== isArray) return fail();
    stack.pop();
    put(Object.freeze(frame.items));
  };

  const begin = (kind: TokenKind, first = '') => {
    token = kind;
    text = first;
  };

  const beginValue = (character: string) => {
    if (character === '{') open({});
    else if (character === '[') open([]);
    else if (character === '"') begin('string');
    else if (/[-\dtfn]/.test(character)) begin('word', character);
    else fail();
  };

  /** A character outside of any token. */
  const readStructure = (character: string) => {
    if (mayClose && (character === ']' || character === '}')) return close(character === ']');
    mayClose = false;
    const frame = stack.at(-1);
    if (expected === 'value') beginValue(character);
    else if (expected === 'key' && character === '"') begin('key');
    else if (expected === 'colon' && character === ':') expected = 'value';
    else if (expected === 'comma' && character === ',' && frame) expectItem(frame.items);
    else fail();
  };

  const endString = () => {
    const frame = stack.at(-1);
    if (token === 'key' && frame !== undefined) {
      frame.key = text;
      expected = 'colon';
    } else put(text);
    token = undefined;
  };

  /** One character of an escape sequence. */
  const readEscape = (character: string) => {
    pendingEscape += character;
    if (pendingEscape.length < (pendingEscape[1] === 'u' ? 6 : 2)) return;
    const meant = parseToken(`"${pendingEscape}"`);
    if (meant === undefined) return fail();
    text += meant;
    pendingEscape = '';
  };

  const readString = (chunk: string, from: number): number => {
    if (pendingEscape !== '') {
      readEscape(chunk.charAt(from));
      return from + 1;
    }
    const end = runEnd(plainText, chunk, from);
    text += chunk.slice(from, end);
    if (end === chunk.length) return end;
    const character = chunk.charAt(end);
    if (character === '"') endString();
    else if (character === '\\') pendingEscape = '\\';
    else fail();
    return end + 1;
  };

  /** Numbers and literals end before the first character that cannot belong to them; literals also with their last. */
  const readWord = (chunk: string, from: number): number => {
    const end = runEnd(word, chunk, from);
    text += chunk.slice(from, end);
    const isEnded = end < chunk.length;
    const meant = isEnded || /[a-z]$/.test(text) ? parseToken(text) : undefined;
    if (meant !== undefined) {
      put(meant);
      token = undefined;
    } else if (isEnded) fail();
    return end;
  };

  const feed = (chunk: string) => {
    let position = 0;
    while (position < chunk.length && !failed) {
      const from = position;
      if (token === undefined) {
        position = runEnd(spaces, chunk, position);
        if (position < chunk.length) readStructure(chunk.charAt(position++));
      } else position = token === 'word' ? readWord(chunk, from) : readString(chunk, from);
      scanned += position - from;
      fresh = false;
    }
  };

  /** The scalar that is being read, as far as it can be shown: `1.` is 1, `-` is no number yet. */
  const openScalar = (): unknown => {
    if (token === 'string') return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
    // Nothing follows a leading zero but a point or an exponent.
    const number = token === 'word' ? Number.parseFloat(text.replace(/^(-?0)\d.*/, '$1')) : Number.NaN;
    return Number.isFinite(number) ? number : undefined;
  };

  const value = (): unknown => {
    if (fresh) return snapshot;
    fresh = true;
    // Whole: no JSON value is undefined.
    if (root !== undefined) {
      snapshot = root;
      return snapshot;
    }
    snapshot = openScalar();
    for (let depth = stack.length - 1; depth >= 0; depth--) {
      const frame = stack[depth] as Frame;
      const items: Container = Array.isArray(frame.items) ? [...frame.items] : { ...frame.items };
      if (snapshot !== undefined) {
        if (Array.isArray(items)) items.push(snapshot);
        else defineOwn(items, frame.key, snapshot);
      }
      snapshot = Object.freeze(items);
    }
    return snapshot;
  };

  return {
    feed,
    value,
    get failed() {
      return failed;
    },
    get scanned() {
      return scanned;
    },
  };
}

/** What a scalar means; undefined when it is no JSON. */
function parseToken(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
