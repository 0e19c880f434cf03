import { describe, expect, test } from 'vitest';
import { describeArguments, describeInside } from '../../../src/components/arguments/describe-value.ts';
import { formatTime } from '../../../src/components/arguments/format-time.ts';
import { formatValue } from '../../../src/components/arguments/format-value.ts';
import { englishLabels } from '../../../src/components/text/labels.ts';

const english = { ...englishLabels, locale: 'en-US' };
const german = { ...englishLabels, locale: 'de-DE' };
type Schema = Record<string, unknown>;

/** The argument `it`, with others beside it. */
const show = (value: unknown, node: Schema = {}, beside: Schema = {}, labels = english) => {
  const args = describeArguments({ it: value, ...beside }, { type: 'object', properties: { it: node } });
  return formatValue(describeInside(args, 'it'), labels);
};
const text = (...args: Parameters<typeof show>) => {
  const shown = show(...args);
  return 'text' in shown ? shown.text.replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ') : shown;
};

describe('numbers', () => {
  const money = { type: 'number', format: 'currency', currency: 'EUR' };
  test.each<[string, unknown, Schema, Schema, string]>([
    ['an amount has the sign and the digits of its currency', 89, money, {}, '€89.00'],
    ['a currency without digits after the point has none', 1200, { ...money, currency: 'JPY' }, {}, '¥1,200'],
    ['an amount with more digits than its currency keeps them', 89.005, money, {}, '€89.005'],
    [
      'a sibling names the currency',
      89,
      { format: 'currency', currencyField: 'code' },
      { code: 'USD' },
      '$89.00',
    ],
    [
      'a sibling that names no currency leaves a number',
      8900,
      { format: 'currency', currencyField: 'code' },
      { code: '<b>' },
      '8,900',
    ],
    ['a schema that names no currency leaves a number', 8900, { ...money, currency: 'euros' }, {}, '8,900'],
    ['a unit stands behind its number', 1200, { unit: 'kg' }, {}, '1,200 kg'],
    ['a unit that a browser knows is written out', 2, { unit: 'day' }, {}, '2 days'],
    ['an order number stays as it is', 471100, { type: 'integer' }, {}, '471100'],
    ['a quantity is grouped from 10,000 on', 47110, { type: 'number' }, {}, '47,110'],
    ['a smaller quantity is not grouped', 4711, { type: 'number' }, {}, '4711'],
    ['a negative quantity is grouped as well', -47110.5, { type: 'number' }, {}, '-47,110.5'],
    ['no digit is lost', 0.1234567890123, { type: 'number' }, {}, '0.1234567890123'],
    ['a number too small for digits is not zero', 1e-30, { ...money }, {}, '1e-30 EUR'],
    ['a number too large for digits stays as it is', 1e30, {}, {}, '1e+30'],
    [
      'a bigint has all of its digits',
      12345678901234567890n,
      { type: 'integer' },
      {},
      '12345678901234567890',
    ],
    ['an amount that is a text stays a text', '89', money, {}, '89'],
    ['what is no number stays as it is', Number.NaN, money, {}, 'NaN'],
  ])('%s', (_, value, node, beside, expected) => {
    expect(text(value, node, beside)).toBe(expected);
  });

  test('numbers are written in the language of the reader', () => {
    expect(text(1234.5, money, {}, german)).toBe('1.234,50 €');
    expect(text(0.5, {}, {}, german)).toBe('0,5');
    expect(text(2, { unit: 'day' }, {}, german)).toBe('2 Tage');
  });
});

describe('dates and times', () => {
  test.each([
    ['a day has its weekday', '2026-11-30', 'date', 'Monday, November 30, 2026'],
    ['a day that does not exist stays as it is', '2026-02-31', 'date', '2026-02-31'],
    ['a text that is no day stays as it is', 'tomorrow', 'date', 'tomorrow'],
    [
      'a moment names its time zone',
      '2026-11-30T14:30:00Z',
      'date-time',
      'Monday, November 30, 2026 at 2:30 PM UTC',
    ],
    ['a local time names none', '2026-11-30T14:30', 'date-time', 'Monday, November 30, 2026 at 2:30 PM'],
    [
      'seconds are shown where there are any',
      '2026-11-30T14:30:05',
      'date-time',
      'Monday, November 30, 2026 at 2:30:05 PM',
    ],
    ['a time of day', '14:30:00', 'time', '2:30 PM'],
    ['a time of day keeps its offset', '14:30:00+02:00', 'time', '2:30 PM UTC+02:00'],
    ['a time that does not exist stays as it is', '25:30', 'time', '25:30'],
    ['a fraction that cannot be shown stays as it is', '14:30:00.00001', 'time', '14:30:00.00001'],
  ])('%s', (_, value, format, expected) => {
    expect(text(value, { type: 'string', format })).toBe(expected);
  });

  test('a day is written in the language of the reader', () => {
    expect(text('2026-11-30', { format: 'date' }, {}, german)).toBe('Montag, 30. November 2026');
  });

  test.each([
    ['2026-11-30', 'date', 'Mon, Nov 30, 2026'],
    ['2026-11-30T14:30', 'date-time', 'Mon, Nov 30, 2026, 2:30 PM'],
    ['14:30', 'time', '2:30 PM'],
  ] as const)('%s (%s) is written in few letters where there is little room', (value, format, expected) => {
    expect(formatTime(value, format, 'en-US', 'short')?.replaceAll('\u202f', ' ')).toBe(expected);
  });

  test('a text without a format is no date', () => {
    expect(text('2026-11-30', { type: 'string' })).toBe('2026-11-30');
  });
});

describe('options, words and files', () => {
  const options = {
    oneOf: [
      { const: 'std', title: 'Standard' },
      { const: 'exp', title: 'Express, tomorrow' },
    ],
  };
  test.each<[string, unknown, Schema, string]>([
    ['an option has its title', 'exp', options, 'Express, tomorrow'],
    ['a value that is no option stays as it is', 'drone', options, 'drone'],
    ['an older list of names counts', 2, { enum: [1, 2], enumNames: ['One', 'Two'] }, 'Two'],
    ['an option without a name is written for people', 'in_transit', { enum: ['in_transit'] }, 'In transit'],
    ['true is Yes', true, { type: 'boolean' }, 'Yes'],
    ['false is No', false, {}, 'No'],
    ['no value is nothing', undefined, {}, 'nothing'],
    ['null is nothing', null, options, 'nothing'],
    ['an empty text is nothing', '', {}, 'nothing'],
    ['an empty list is nothing', [], {}, 'nothing'],
    ['a marked value is hidden', '1234', { type: 'string', writeOnly: true }, 'hidden'],
    [
      'a value that one alternative marks is hidden',
      'a',
      { anyOf: [{ type: 'string' }, { format: 'password' }] },
      'hidden',
    ],
    ['characters that reorder text are spelled out', 'pay \u202e01', {}, 'pay \\u{202e}01'],
  ])('%s', (_, value, node, expected) => {
    expect(text(value, node)).toBe(expected);
  });

  test('the alternative of a union that fits the value formats it', () => {
    const union = { anyOf: [{ type: 'null' }, { type: 'number', format: 'currency', currency: 'EUR' }] };
    expect(text(5, union)).toBe('€5.00');
    expect(text(null, union)).toBe('nothing');
    expect(text('five', union)).toBe('five');
  });

  test('a name that means a secret hides its value', () => {
    const args = describeArguments({ apiKey: 'k', tokenCount: 3, list: [{ password: 'p' }] }, undefined);
    expect(formatValue(describeInside(args, 'apiKey'), english)).toEqual({ type: 'word', text: 'hidden' });
    expect(formatValue(describeInside(args, 'tokenCount'), english)).toEqual({ type: 'text', text: '3' });
    const inner = describeInside(describeInside(describeInside(args, 'list'), 0), 'password');
    expect(formatValue(inner, english)).toEqual({ type: 'word', text: 'hidden' });
  });

  test('a secret behind a reference and inside a list is hidden', () => {
    const schema = {
      properties: { keys: { type: 'array', items: { $ref: '#/$defs/key' } } },
      $defs: { key: { properties: { door: { format: 'password' }, floor: { type: 'integer' } } } },
    };
    const args = describeArguments({ keys: [{ door: '77', floor: 1 }] }, schema);
    const key = describeInside(describeInside(args, 'keys'), 0);
    expect(formatValue(describeInside(key, 'door'), english)).toEqual({ type: 'word', text: 'hidden' });
    expect(formatValue(describeInside(key, 'floor'), english)).toEqual({ type: 'text', text: '1' });
  });

  test('a file has its name, and a picture only if it is in the arguments', () => {
    const file = {
      id: 'f1',
      mediaType: 'image/png',
      url: 'https://files.example/a.png',
      filename: 'a.png',
      size: 3,
    };
    const node = { type: 'object', format: 'file' };
    expect(show(file, node)).toMatchObject({
      type: 'file',
      file: { name: 'a.png', size: 3, thumbnail: undefined },
    });
    const url = 'data:image/png;base64,AAAA';
    expect(show({ ...file, url }, node)).toMatchObject({ type: 'file', file: { thumbnail: url } });
    expect(show({ ...file, note: 'more' }, node)).toEqual({ type: 'entries', count: 6 });
    expect(show(file, {})).toEqual({ type: 'entries', count: 5 });
  });

  test('a long text is folded, by its characters or by its lines', () => {
    expect(show('x'.repeat(320)).type).toBe('text');
    expect(show('x'.repeat(321)).type).toBe('long-text');
    expect(show('a\n'.repeat(5)).type).toBe('text');
    expect(show('a\n'.repeat(7)).type).toBe('long-text');
  });
});
