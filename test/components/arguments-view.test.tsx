// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ArgumentsView } from '../../src/components/primitives/arguments-view.tsx';

const read = (value: Record<string, unknown>) =>
  render(<ArgumentsView value={value} />).container.textContent;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([
  ['yes', true, 'Yes'],
  ['no', false, 'No'],
  ['nothing', null, 'None'],
  ['left out', undefined, 'None'],
  ['an empty text', '', 'Empty'],
  ['an empty list', [], 'None'],
  ['no entries', {}, 'None'],
  ['a number', 0, '0'],
  ['a bigint', 10n, '10'],
  ['a list', ['a', 'b'], 'ab'],
  ['entries', { unitPrice: 3 }, 'Unit price3'],
  ['a date from a schema', new Date('2026-03-01T09:30:00Z'), '2026-03-01T09:30:00.000Z'],
  ['an invalid date', new Date(Number.NaN), 'None'],
  ['a URL from a schema', new URL('https://example.com/a'), 'https://example.com/a'],
  ['a set from a schema', new Set(['a', 'b']), 'ab'],
  ['a map from a schema', new Map([['a', 1]]), 'a1'],
  ['an empty set', new Set(), 'None'],
  ['an object with a toJSON that is no function', { toJSON: 'x' }, 'To JSONx'],
  ['reordering characters', 'pay \u202e01', 'pay \\u{202e}01'],
])('arguments show %s', (_, value, words) => {
  expect(read({ orderedFor: value })).toBe(`Ordered for${words}`);
});

test('long arguments are cut, and the number of hidden entries is shown', () => {
  const many = Object.fromEntries(numbers(41).map((index) => [`k${index}`, '']));
  expect(read(many)).toMatch(/K39Emptyand 1 more$/);
  expect(read({ list: numbers(43) })).toMatch(/3839and 3 more$/);
  expect(read({ list: numbers(40) })).toMatch(/3839$/);
  expect(read({ text: 'x'.repeat(700) })).toBe(`Text${'x'.repeat(600)}…`);
  expect(read({ a: [{ b: [[1]] }] })).toBe('ABMore inside, see details');
  expect(read({ a: [{ b: [1] }] })).toBe('AB1');
});

test('an address in arguments links to itself, and other text is no link', () => {
  render(<ArgumentsView value={{ page: 'https://аpple.com/', code: 'javascript:alert(1)' }} label="Order" />);
  expect(screen.getByLabelText('Order').tagName).toBe('DL');
  const link = screen.getByRole('link', { name: 'https://xn--pple-43d.com/' });
  expect(link.getAttribute('href')).toBe('https://xn--pple-43d.com/');
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

test('a value with several entries is laid out as a list, whatever its type', () => {
  const value = { list: ['a'], set: new Set(['a']), none: [], day: new Date(0), text: 'a', object: { a: 1 } };
  render(<ArgumentsView value={value} />);
  const nested = [...document.querySelectorAll('[data-nested] > dt')].map((name) => name.textContent);
  expect(nested).toEqual(['List', 'Set', 'Object']);
});

test('a call without arguments shows no list', () => {
  expect(render(<ArgumentsView value={{}} />).container.childElementCount).toBe(0);
});
