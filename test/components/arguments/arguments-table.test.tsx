// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ArgumentsTable } from '../../../src/components/arguments/arguments-table.tsx';
import { LabelsProvider } from '../../../src/components/text/labels-context.tsx';

const show = (args: object, more: object = {}) => render(<ArgumentsTable args={args} {...more} />).container;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const press = (name: string | RegExp) => userEvent.setup().click(screen.getByRole('button', { name }));

test.each([
  ['yes', true, 'Yes'],
  ['nothing', null, 'nothing'],
  ['left out', undefined, 'nothing'],
  ['a number', 0, '0'],
  ['a bigint', 10n, '10'],
  ['a list', ['a', 'b'], 'ab'],
  ['entries', { unitPrice: 3 }, 'Unit price3'],
  ['a date from a schema', new Date('2026-03-01T09:30:00Z'), '2026-03-01T09:30:00.000Z'],
  ['an invalid date', new Date(Number.NaN), 'nothing'],
  ['a URL from a schema', new URL('https://example.com/a'), 'https://example.com/a'],
  ['a set from a schema', new Set(['a', 'b']), 'ab'],
  ['a map from a schema', new Map([['a', 1]]), '2 more inside'],
  ['an empty set', new Set(), 'nothing'],
  ['an object with a toJSON that is no function', { toJSON: 'x' }, 'To JSONx'],
])('a table shows %s', (_, value, words) => {
  expect(show({ orderedFor: value }).textContent).toBe(`Ordered for${words}`);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  [false, 'Monday, November 30, 2026'],
  [true, 'Mon, Nov 30, 2026'],
])('a day in a narrow window (%s) reads %s', (matches, words) => {
  vi.stubGlobal('matchMedia', () => ({ matches, addEventListener() {}, removeEventListener() {} }));
  const schema = { type: 'object', properties: { day: { type: 'string', format: 'date' } } };
  const labels = { locale: 'en-US' };
  render(
    <LabelsProvider labels={labels}>
      <ArgumentsTable args={{ day: '2026-11-30' }} schema={schema} />
    </LabelsProvider>,
  );
  expect(screen.getByRole('definition').textContent).toBe(words);
});

test('values inside a value are indented once, then opened by a button that counts them', async () => {
  const table = show({ order: { customer: { name: 'Ada', city: 'Graz', deep: { a: { b: 'end' } } } } });
  expect(table.textContent).toBe('OrderCustomer3 more inside');
  await press('3 more inside');
  expect(table.textContent).toBe('OrderCustomerShow lessNameAdaCityGrazDeep1 more inside');
  await press('1 more inside');
  await press('1 more inside');
  expect(table.textContent).toMatch(/AShow lessBend$/);
});

test('every one of many values can be reached', async () => {
  const table = show(Object.fromEntries(numbers(300).map((index) => [`k${index}`, index])));
  expect(table.querySelectorAll('dt')).toHaveLength(40);
  await press('Show 260 more');
  await press('Show 60 more');
  expect(table.querySelectorAll('dt')).toHaveLength(300);
  expect(screen.queryByRole('button')).toBe(null);
});

test('every one of many items can be reached', async () => {
  const table = show({ list: numbers(43) });
  expect(table.querySelectorAll('li')).toHaveLength(40);
  await press('Show 3 more');
  expect(table.querySelectorAll('li')).toHaveLength(43);
});

test('a long text is folded, and shown whole on demand', async () => {
  const text = `${'word '.repeat(500)}end`;
  const table = show({ note: text });
  expect(table.querySelector('.hr-folded')?.textContent).toHaveLength(600);
  expect(table.querySelector('[data-wide]')).not.toBe(null);
  await press('Show all 2503 characters');
  expect(table.querySelector('.hr-long-text')?.textContent).toBe(text);
  await press('Show less');
  expect(table.querySelector('.hr-long-text')).toBe(null);
});

test('a long text in pieces has all of its characters, and no half of a pair', async () => {
  const text = '😀'.repeat(15_000);
  const table = show({ note: text });
  await press(/^Show all/);
  const pieces = [...(table.querySelector('.hr-long-text')?.children ?? [])];
  expect(pieces.length).toBe(2);
  expect(pieces.map((piece) => piece.textContent).join('')).toBe(text);
});

test('a changed long text has its old text beside it, and both can be read whole', async () => {
  const [before, after] = ['a '.repeat(300), 'b '.repeat(300)];
  const table = show({ note: after }, { originalArgs: { note: before } });
  expect(table.querySelector('del .hr-folded')?.textContent).toBe(before);
  expect(screen.getAllByRole('button', { name: 'Show all 600 characters' })).toHaveLength(2);
});

test('an address in arguments links to itself, and other text is no link', () => {
  show({ page: 'https://аpple.com/', code: 'javascript:alert(1)' }, { label: 'Order' });
  expect(screen.getByLabelText('Order').tagName).toBe('DL');
  const link = screen.getByRole('link', { name: 'https://xn--pple-43d.com/' });
  expect(link.getAttribute('href')).toBe('https://xn--pple-43d.com/');
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

test('a file has its name, its size and its own address', () => {
  const file = {
    id: 'f',
    mediaType: 'application/pdf',
    url: 'https://files.example/a.pdf',
    filename: 'a.pdf',
    size: 2048,
  };
  show({ file }, { schema: { properties: { file: { type: 'object', format: 'file' } } } });
  expect(screen.getByText('a.pdf')).toBeTruthy();
  expect(screen.getByRole('link').getAttribute('href')).toBe('https://files.example/a.pdf');
  expect(screen.queryByRole('img')).toBe(null);
});

test('a call without arguments shows no table', () => {
  expect(show({}).childElementCount).toBe(0);
});

test('a table without changes has no buttons to change it', () => {
  const table = show({ amount: 45 }, { originalArgs: { amount: 89 } });
  expect(table.textContent).toBe('AmountBefore: 89 → Now: 45');
  expect(screen.queryByRole('button')).toBe(null);
  expect(table.querySelector('[data-changed="earlier"]')).not.toBe(null);
});
