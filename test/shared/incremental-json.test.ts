import { describe, expect, test } from 'vitest';
import { createIncrementalJson } from '../../src/shared/incremental-json.ts';
import { countCharacters } from '../support/count-characters.ts';
import fc, { caseCount } from '../support/fast-check.ts';

function parsePieces(pieces: readonly string[]) {
  const parser = createIncrementalJson();
  for (const piece of pieces) parser.feed(piece);
  return parser;
}

function cut(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set([0, ...cuts.map((place) => place % (text.length + 1)), text.length])].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

/** True if `partial` can still become `whole` by text being added to it. */
function isConsistent(partial: unknown, whole: unknown): boolean {
  if (typeof partial === 'string' && typeof whole === 'string') return whole.startsWith(partial);
  if (typeof partial === 'number' && typeof whole === 'number') return true;
  if (Array.isArray(partial) && Array.isArray(whole)) {
    return partial.length <= whole.length && partial.every((item, index) => isConsistent(item, whole[index]));
  }
  if (typeof partial === 'object' && partial !== null && typeof whole === 'object' && whole !== null) {
    return Object.keys(partial).every(
      (key) =>
        Object.hasOwn(whole, key) &&
        isConsistent((partial as Record<string, unknown>)[key], (whole as Record<string, unknown>)[key]),
    );
  }
  return Object.is(partial, whole);
}

const spaced = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t', ' \n'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe('the finished text', () => {
  test('the parser gives the value of JSON.parse, for any cuts', () => {
    fc.assert(
      fc.property(spaced, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const whole: unknown = JSON.parse(text);
        for (const pieces of [
          [text],
          Array.from({ length: text.length }, (_, i) => text.charAt(i)),
          cut(text, cuts),
        ]) {
          const parser = parsePieces([...pieces, ' ']);
          expect(parser.failed).toBe(false);
          expect(parser.value()).toStrictEqual(whole);
          expect(JSON.stringify(parser.value())).toBe(JSON.stringify(whole));
        }
      }),
      { numRuns: caseCount(200) },
    );
  });

  test.each([
    ['escapes', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"'],
    ['numbers', '[0,-0,1.5,-2e3,4E-2,1e+2,123456789012345680000]'],
    ['literals', ' [true , false,null ] '],
    ['empty containers', '{"a":{},"b":[]}'],
    ['a key given twice', '{"a":1,"b":2,"a":3}'],
    ['a bare number', '42'],
  ])('the parser gives the value of JSON.parse for %s', (_name, text) => {
    expect(parsePieces(Array.from(text)).value()).toStrictEqual(JSON.parse(text));
  });

  test('the parser fails exactly when JSON.parse fails', () => {
    const noise = fc.array(fc.constantFrom(...'{}[]",:0123-.eE+truefalsn\\u d\n'), { maxLength: 12 });
    fc.assert(
      fc.property(noise, (characters) => {
        const text = `[${characters.join('')}]`;
        let whole: unknown;
        try {
          whole = JSON.parse(text);
        } catch {
          // Text that is no JSON either fails or is still incomplete; it is never taken for a finished value.
          const parser = parsePieces([text, '\n']);
          parser.feed('"');
          parser.feed('x');
          expect(parser.failed || !isFinished(text)).toBe(true);
          return;
        }
        expect(parsePieces(cut(text, [3, 5])).value()).toStrictEqual(whole);
      }),
      { numRuns: caseCount(200) },
    );
  });
});

/** True if further text cannot follow the complete JSON of one value. */
function isFinished(text: string): boolean {
  const parser = parsePieces([text]);
  if (parser.failed) return false;
  parser.feed('0');
  return parser.failed;
}

describe('the value so far', () => {
  test('the value of every prefix is consistent with the whole value', () => {
    fc.assert(
      fc.property(spaced, (text) => {
        const whole: unknown = JSON.parse(text);
        const parser = createIncrementalJson();
        for (const character of Array.from({ length: text.length }, (_, i) => text.charAt(i))) {
          parser.feed(character);
          const partial = parser.value();
          expect(partial === undefined || isConsistent(partial, whole)).toBe(true);
        }
      }),
    );
  });

  test.each([
    ['', undefined],
    ['{', {}],
    ['{"a', {}],
    ['{"a":', {}],
    ['{"a":"x', { a: 'x' }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\u00e', { a: 'x' }],
    ['{"a":"\\ud83d', { a: '' }],
    ['{"a":"\u{1f600}b', { a: '\u{1f600}b' }],
    ['{"a":tru', {}],
    ['{"a":-', {}],
    ['{"a":1.', { a: 1 }],
    ['{"a":1.5e', { a: 1.5 }],
    ['[100.5', [100.5]],
    ['{"a":[1,{"b":"', { a: [1, { b: '' }] }],
    ['[nul', []],
    ['"par', 'par'],
  ])('the value so far of %j is the complete part', (text, expected) => {
    const parser = parsePieces([text]);
    expect(parser.value()).toStrictEqual(expected);
    expect(parser.failed).toBe(false);
  });

  test('values so far are frozen, never change, and share complete containers', () => {
    const parser = parsePieces(['{"done":[1,2],"open":{"text":"a']);
    const before = parser.value() as { done: unknown; open: object };
    const copy = JSON.stringify(before);
    parser.feed('b"},"more":[');
    const after = parser.value() as { done: unknown; open: object };
    expect(JSON.stringify(before)).toBe(copy);
    expect(after).toStrictEqual({ done: [1, 2], open: { text: 'ab' }, more: [] });
    expect(after.done).toBe(before.done);
    expect([before, before.open, after, after.done].every(Object.isFrozen)).toBe(true);
  });

  test('a key __proto__ is an own key and changes no prototype', () => {
    const text = '{"__proto__":{"polluted":true},"a":{"__proto__":1';
    const value = parsePieces([text]).value() as { a: object };
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.keys(value.a)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('text that is no JSON', () => {
  test.each([
    ['garbage after the value', '{"a":1} x', { a: 1 }],
    ['a missing comma', '{"a":1 "b":2}', { a: 1 }],
    ['a trailing comma', '[1,]', [1]],
    ['the wrong bracket', '{"a":[1}', { a: [1] }],
    ['a key without its quotation mark', '{a":1}', {}],
    ['another sign for a colon', '{"a"=1}', {}],
    ['another sign for a comma', '[1;2]', [1]],
    ['a colon in a list', '[1:2]', [1]],
    ['a key without a value', '{"a","b":1}', {}],
    ['a raw line break in a string', '{"a":"x\nny"}', { a: 'x' }],
    ['an unknown escape', '["a\\x"]', ['a']],
    ['a bad unicode escape', '["a\\u12g4"]', ['a']],
    ['a leading zero', '[01]', [0]],
    ['an unknown word', '[nope]', []],
    ['plain prose', 'Sorry, I cannot', undefined],
  ])('the value before %s is retained', (_name, text, expected) => {
    const parser = parsePieces([text]);
    expect(parser.failed).toBe(true);
    expect(parser.value()).toStrictEqual(expected);
    parser.feed('{"later":1}');
    expect(parser.value()).toStrictEqual(expected);
  });

  test('the parser limits the nesting', () => {
    const parser = parsePieces(['['.repeat(100_000)]);
    expect(parser.failed).toBe(true);
    let depth = 0;
    for (let value = parser.value(); Array.isArray(value); value = value[0]) depth++;
    expect(depth).toBe(256);
  });
});

test('the parser reads every character once, for any cuts', () => {
  const text = JSON.stringify(
    Array.from({ length: 2000 }, (_, index) => ({ index, name: `item ${index}`, ok: true })),
  );
  for (const size of [1, 3, 7, 1000, text.length]) {
    const parser = createIncrementalJson();
    const count = countCharacters(() => {
      for (let start = 0; start < text.length; start += size) {
        parser.feed(text.slice(start, start + size));
        if (start % 5000 === 0) parser.value();
      }
    });
    expect(count).toBe(text.length);
    expect(parser.value()).toStrictEqual(JSON.parse(text));
  }
});
