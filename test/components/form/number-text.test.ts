import { describe, expect, test } from 'vitest';
import { readNumber, toNumberText, writeNumber } from '../../../src/components/form/kinds/number-text.ts';

describe('a text of a number', () => {
  test.each<[string, string, number]>([
    ['1,234', 'en', 1234],
    ['1,234', 'de', 1.234],
    ['1.234', 'en', 1.234],
    ['1.234', 'de', 1234],
    ['1.234', 'es', 1234],
    ['1,234', 'fr', 1.234],
    ["1'234.50", 'de-CH', 1234.5],
    ['1\u202f234,5', 'fr', 1234.5],
    ['0,125', 'en', 0.125],
    ['1234,567', 'en', 1234.567],
    ['1.234,567', 'en', 1234.567],
    ['12,345,678', 'de', 12_345_678],
    ['-1.234,50', 'en', -1234.5],
    [' 5 ', 'en', 5],
    ['1,5e3', 'de', 1500],
  ])('%j is in %s %d', (text, locale, value) => {
    expect(readNumber(text, locale)).toEqual({ value });
  });

  test.each([
    ['1.234', 'fr', undefined],
    ['1,234', 'de-CH', undefined],
    // An amount of euros has two digits behind the point.
    ['1.234', 'en', 'EUR'],
    ['1,234', 'de', 'EUR'],
  ])('%j in %s, currency %s, is refused: it may be a thousand', (text, locale, currency) => {
    expect(readNumber(text, locale, currency)).toEqual({ refused: 'ambiguous' });
  });

  test.each([['1,23,4'], ['1.2.3'], ['1,2.345,6'], ['.'], [''], ['-'], ['€5'], ['1..5']])(
    '%j is no number',
    (text) => {
      expect(readNumber(text, 'en')).toEqual({ refused: 'no-number' });
    },
  );

  test('a currency with three digits takes them', () => {
    expect(readNumber('1.234', 'en', 'KWD')).toEqual({ value: 1.234 });
  });
});

test.each<[number, string, string | undefined, string]>([
  [89, 'en', 'EUR', '89.00'],
  [89.5, 'de', 'EUR', '89,50'],
  [1234.5, 'de', undefined, '1234,5'],
  [500, 'ja', 'JPY', '500'],
  [1234.5, 'ar-EG', undefined, '1234.5'],
  [1e-9, 'en', undefined, '1e-9'],
  [1e21, 'de', undefined, '1e+21'],
])('%d in %s, currency %s, is written as %s', (value, locale, currency, text) => {
  expect(writeNumber(value, locale, currency)).toBe(text);
});

test.each([[1.234], [-12.345], [1234], [0.125], [89.5], [1e-9]])(
  'the form value of %d is read back as the same number in every language',
  (value) => {
    for (const locale of ['en', 'de', 'fr', 'de-CH'])
      expect(readNumber(toNumberText(value), locale, 'EUR')).toEqual({ value });
  },
);
