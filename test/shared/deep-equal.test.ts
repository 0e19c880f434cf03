import { expect, test } from 'vitest';
import { deepEqual } from '../../src/shared/deep-equal.ts';
import fc from '../support/fast-check.ts';

/** Returns the value with the keys of every object in reverse order. */
function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, reverseKeys(item)] as const);
  return Object.fromEntries(entries.reverse());
}

test('deepEqual is true whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(deepEqual(value, reverseKeys(value))).toBe(true);
    }),
  );
});

test('deepEqual is true exactly when the sorted JSON is the same', () => {
  const sorted = (value: unknown) =>
    JSON.stringify(value, (_, item) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort())
        : item,
    );
  const small = fc.jsonValue({ maxDepth: 2, depthSize: 'xsmall' });
  fc.assert(
    fc.property(small, small, (one, two) => {
      expect(deepEqual(one, two)).toBe(sorted(one) === sorted(two));
    }),
  );
});

test.each<[string, unknown, unknown, boolean]>([
  ['a list and a longer one', [1], [1, 2], false],
  ['lists that differ at the end', [1, 2], [1, 3], false],
  ['a list and an object with its positions', ['a'], { 0: 'a' }, false],
  ['objects with different keys', { a: 1 }, { b: 1 }, false],
  ['an object and one with one more key', { a: 1 }, { a: 1, b: 2 }, false],
  ['a key that every object inherits', { toString: 1 }, { other: 1 }, false],
  ['null and an empty object', null, {}, false],
  ['a number and its text', 1, '1', false],
  ['equal dates', new Date(0), new Date(0), true],
  ['different dates', new Date(0), new Date(1), false],
  ['a date and its text', new Date(0), '1970-01-01T00:00:00.000Z', true],
  ['different URLs', new URL('https://a.test'), new URL('https://b.test'), false],
  ['sets with the same items', new Set([1]), new Set([1]), true],
  ['sets with different items', new Set([1]), new Set([2]), false],
  ['maps with the same entries', new Map([['a', 1]]), new Map([['a', 1]]), true],
  ['maps with different entries', new Map([['a', 1]]), new Map([['a', 2]]), false],
  ['a property that is undefined and one that is absent', { a: 1, b: undefined }, { a: 1 }, true],
  ['a property that is undefined and another one', { a: undefined }, { b: 1 }, false],
])('deepEqual compares %s', (_, one, two, same) => {
  expect([deepEqual(one, two), deepEqual(two, one)]).toEqual([same, same]);
});
