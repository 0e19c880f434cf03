import { expect, test } from 'vitest';
import { formatValue } from '../../../src/components/arguments/format-value.ts';
import { mainValue } from '../../../src/components/arguments/main-value.ts';
import {
  type ArgumentRow,
  type ArgumentsSource,
  readArguments,
} from '../../../src/components/arguments/read-arguments.ts';
import { englishLabels } from '../../../src/components/text/labels.ts';

const labels = { ...englishLabels, locale: 'en-US' };
const schema = {
  type: 'object',
  properties: {
    orderId: { type: 'integer', title: 'Order', readOnly: true },
    amount: { type: 'number', title: 'Amount', emphasis: true, format: 'currency', currencyField: 'code' },
    code: { type: 'string' },
  },
};
const read = (source: ArgumentsSource) => readArguments(source, labels).rows;
const textOf = (described: ArgumentRow['before']) => {
  const shown = described && formatValue(described, labels);
  return shown && 'text' in shown ? shown.text : shown;
};
const list = (source: ArgumentsSource) =>
  read(source).map(({ title, value, before }) => [title, textOf(before), textOf(value)]);

test('the main value comes first, then the order of the schema, then what the schema does not name', () => {
  const args = { note: 'Hi', code: 'EUR', amount: 89, orderId: 4711 };
  expect(list({ args, schema })).toEqual([
    ['Amount', undefined, '€89.00'],
    ['Order', undefined, '4711'],
    ['Code', undefined, 'EUR'],
    ['Note', undefined, 'Hi'],
  ]);
});

test('without a schema the rows have the order and the names of the arguments', () => {
  expect(list({ args: { orderedFor: 'Ada', total: 2 } })).toEqual([
    ['Ordered for', undefined, 'Ada'],
    ['Total', undefined, '2'],
  ]);
});

test('a changed argument has its old value, also one that was removed or added', () => {
  const originalArgs = { amount: 89, code: 'EUR', note: 'Hi' };
  const args = { amount: 45, code: 'EUR', reason: 'late' };
  expect(list({ args, schema, originalArgs })).toEqual([
    ['Amount', '€89.00', '€45.00'],
    ['Code', undefined, 'EUR'],
    ['Reason', 'nothing', 'late'],
    ['Note', 'Hi', 'nothing'],
  ]);
});

test('an amount changes with its currency', () => {
  const originalArgs = { amount: 89, code: 'EUR' };
  expect(list({ args: { amount: 89, code: 'USD' }, schema, originalArgs })).toEqual([
    ['Amount', '€89.00', '$89.00'],
    ['Code', 'EUR', 'USD'],
  ]);
});

test('an argument that the schema keeps from being changed is known', () => {
  const rows = read({ args: { orderId: 1, amount: 2 }, schema });
  expect(rows.map(({ name, isReadOnly }) => [name, isReadOnly])).toEqual([
    ['amount', false],
    ['orderId', true],
  ]);
});

test('names of the prototype are names as any other', () => {
  const args = JSON.parse('{"__proto__":{"a":1},"constructor":"x","toString":2}');
  expect(list({ args, schema })).toEqual([
    ['Proto', undefined, { type: 'entries', count: 1 }],
    ['Constructor', undefined, 'x'],
    ['To string', undefined, '2'],
  ]);
  expect(list({ args: {}, schema: { properties: { constructor: { emphasis: true } } } })).toEqual([]);
});

test('an argument whose getter throws is listed', () => {
  const args = {
    fine: 1,
    get broken() {
      throw new Error('no');
    },
    late: { toJSON: () => Promise.reject.call(undefined) },
  };
  expect(list({ args, schema, originalArgs: { fine: 1 } })).toEqual([
    ['Fine', undefined, '1'],
    ['Broken', 'nothing', 'cannot be shown'],
    ['Late', 'nothing', 'cannot be shown'],
  ]);
});

test('a schema that refers to itself, or is none, describes what it can', () => {
  const endless = { $ref: '#', properties: { it: { $ref: '#/properties/it' } } };
  expect(list({ args: { it: 1 }, schema: endless })).toEqual([['It', undefined, 'hidden']]);
  for (const none of [null, 7, 'x', [], { properties: 3 }, { properties: { it: 'x' } }]) {
    expect(list({ args: { it: 1 }, schema: none })).toEqual([['It', undefined, '1']]);
  }
});

test('the main value is that of the emphasised argument, with the old one after a change', () => {
  const args = { amount: 45, code: 'EUR' };
  expect(mainValue(args, schema, undefined, labels)).toEqual({
    text: '€45.00',
    before: undefined,
    isFreeText: false,
  });
  expect(mainValue(args, schema, { amount: 89, code: 'EUR' }, labels)).toEqual({
    text: '€45.00',
    before: '€89.00',
    isFreeText: false,
  });
});

test.each([
  ['a text of the agent', { emphasis: true, type: 'string' }, 'nothing, just close', true],
  ['an option of the schema', { emphasis: true, enum: ['red', 'blue'] }, 'red', false],
  ['a date', { emphasis: true, type: 'string', format: 'date' }, '2026-11-30', false],
])('the main value that is %s is free text or not', (_, it, value, isFree) => {
  expect(mainValue({ it: value }, { properties: { it } }, undefined, labels)?.isFreeText).toBe(isFree);
});

test.each<[string, unknown, unknown]>([
  ['no argument is emphasised', { amount: 1 }, { properties: { amount: {} } }],
  ['there is no schema', { amount: 1 }, undefined],
  ['the emphasised argument is missing', { code: 'EUR' }, schema],
  ['the value is long', { it: 'x'.repeat(41) }, { properties: { it: { emphasis: true } } }],
  ['the value has lines', { it: 'a\nb' }, { properties: { it: { emphasis: true } } }],
  ['the value has entries', { it: { a: 1 } }, { properties: { it: { emphasis: true } } }],
])('there is no main value where %s', (_, args, described) => {
  expect(mainValue(args, described, undefined, labels)).toBe(undefined);
});

test('only one of several emphasised arguments is the main value', () => {
  const two = { properties: { a: { emphasis: true }, b: { emphasis: true } } };
  const rows = read({ args: { b: 2, a: 1 }, schema: two });
  expect(rows.map(({ name, isMain }) => [name, isMain])).toEqual([
    ['a', true],
    ['b', false],
  ]);
});

test('a secret that is emphasised says that it is hidden', () => {
  const hidden = { properties: { pin: { emphasis: true } } };
  expect(mainValue({ pin: '1234' }, hidden, undefined, labels)?.text).toBe('hidden');
});

test('rows beyond the limit are counted and not read', () => {
  const args = Object.defineProperty({ a: 1 }, 'b', {
    enumerable: true,
    get: () => {
      throw new Error('This value is not shown.');
    },
  });
  const { rows, total } = readArguments({ args }, labels, 1);
  expect(rows.map(({ name }) => name)).toEqual(['a']);
  expect(total).toBe(2);
});

test('names that read alike are told apart', () => {
  const args = { amount: 45, Amount: 4500, 'a_mount ': 12, to: 'Ada' };
  expect(list({ args, schema: { type: 'object', properties: { amount: { title: 'Amount' } } } })).toEqual([
    ['Amount ("amount")', undefined, '45'],
    ['Amount ("Amount")', undefined, '4500'],
    ['A mount ("a_mount ")', undefined, '12'],
    ['To', undefined, 'Ada'],
  ]);
});

test('an argument that takes the title of another one is told apart from it', () => {
  const described = { type: 'object', properties: { total: { title: 'Total price' } } };
  expect(list({ args: { total: 45, total_price: 1 }, schema: described })).toEqual([
    ['Total price ("total")', undefined, '45'],
    ['Total price ("total_price")', undefined, '1'],
  ]);
});

test('names that a prototype has are arguments like any other', () => {
  const args = JSON.parse('{"__proto__": 1, "constructor": "c", "confirmed": true}');
  expect(list({ args, schema })).toEqual([
    ['Proto', undefined, '1'],
    ['Constructor', undefined, 'c'],
    ['Confirmed', undefined, 'Yes'],
  ]);
});
