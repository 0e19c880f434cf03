import { expect, test } from 'vitest';
import { sameJson } from '../../src/components/primitives/same-json.ts';
import fc from '../support/fast-check.ts';

/** The same value with the keys of every object the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, turned(item)] as const);
  return Object.fromEntries(entries.reverse());
}

test('values are the same whatever the order of their keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(sameJson(value, turned(value))).toBe(true);
    }),
  );
});

test('and otherwise where their JSON is', () => {
  const sorted = (value: unknown) =>
    JSON.stringify(value, (_, item) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort())
        : item,
    );
  const small = fc.jsonValue({ maxDepth: 2, depthSize: 'xsmall' });
  fc.assert(
    fc.property(small, small, (one, two) => {
      expect(sameJson(one, two)).toBe(sorted(one) === sorted(two));
    }),
  );
});

test.each<[string, unknown, unknown, boolean]>([
  ['a list and a longer one', [1], [1, 2], false],
  ['lists that differ at the end', [1, 2], [1, 3], false],
  ['a list and an object with its positions', ['a'], { 0: 'a' }, false],
  ['an object and one with another key', { a: 1 }, { b: 1 }, false],
  ['an object and one with more', { a: 1 }, { a: 1, b: 2 }, false],
  ['a key that every object inherits', { toString: 1 }, { other: 1 }, false],
  ['nothing and an object', null, {}, false],
  ['a number and its text', 1, '1', false],
  ['dates of one time', new Date(0), new Date(0), true],
  ['dates of two times', new Date(0), new Date(1), false],
  ['a date and its text', new Date(0), '1970-01-01T00:00:00.000Z', true],
  ['addresses', new URL('https://a.test'), new URL('https://b.test'), false],
  ['sets that hold the same', new Set([1]), new Set([1]), true],
  ['sets that do not', new Set([1]), new Set([2]), false],
  ['maps that hold the same', new Map([['a', 1]]), new Map([['a', 1]]), true],
  ['maps that do not', new Map([['a', 1]]), new Map([['a', 2]]), false],
])('%s', (_, one, two, same) => {
  expect([sameJson(one, two), sameJson(two, one)]).toEqual([same, same]);
});
