import { expect, test } from 'vitest';
import { formatBytes, formatClock, formatDuration, joinNames, plural } from '../../src/locales/format.ts';
import { ar } from '../../src/locales-ar.ts';
import { de } from '../../src/locales-de.ts';
import { fr } from '../../src/locales-fr.ts';
import { ja } from '../../src/locales-ja.ts';

const forms = { zero: 'none', one: 'one', two: 'two', few: '{n} few', many: '{n} many', other: '{n} other' };

test('Arabic has six plural forms', () => {
  const texts = [0, 1, 2, 5, 11, 100].map((count) => plural('ar', count, forms));
  expect(texts).toEqual(['none', 'one', 'two', '5 few', '11 many', '100 other']);
});

test('Japanese has one, and French counts nothing as one', () => {
  expect([1, 2].map((count) => plural('ja', count, forms))).toEqual(['1 other', '2 other']);
  expect([0, 1, 2].map((count) => plural('fr', count, forms))).toEqual(['one', 'one', '2 other']);
});

test('a form that is left out is the general one, and long numbers are grouped', () => {
  expect(plural('ar', 2, { other: '{n}' })).toBe('2');
  expect(plural('de', 41_200, { other: '{n} Zeichen' })).toBe('41.200 Zeichen');
});

test('counted labels take the form of their language', () => {
  expect([1, 2].map(de.pendingTitle)).toEqual(['1 Frage wartet auf Sie', '2 Fragen warten auf Sie']);
  expect([0, 1, 2].map(fr.searchResults)).toEqual(['0 option', '1 option', '2 options']);
  expect([1, 2, 3, 11].map(ar.searchResults)).toEqual(['خيار واحد', 'خياران', '3 خيارات', '11 خيارًا']);
  expect([1, 2].map(ja.pendingTitle)).toEqual([
    '1 件の質問が回答を待っています',
    '2 件の質問が回答を待っています',
  ]);
});

test('a size has the digits and the unit of the language', () => {
  expect(formatBytes('de', 1_234)).toBe('1,2 kB');
  expect(formatBytes('fr', 12_500_000)).toMatch(/^13\sMo$/);
  expect([0, 999, 1_000].map((bytes) => formatBytes('ja', bytes))).toEqual(
    ['0 byte', '999 byte', '1 kB'].map((text) => text.replace('kB', 'KB')),
  );
});

test('a time left has colons below a day, and days from there on', () => {
  expect([5, 65, 3_605].map(formatClock)).toEqual(['0:05', '1:05', '1:00:05']);
  expect([de.countdown(59), de.countdown(172_800)]).toEqual(['0:59', '2 Tage']);
  expect(ar.countdown(172_800)).toBe('يومان');
});

test('a duration is in milliseconds or seconds', () => {
  expect([formatDuration('de', 12.4), formatDuration('de', 1_234)]).toEqual(['12 ms', '1,2 Sek.']);
});

test('names are joined by the word of the language', () => {
  expect(joinNames('de', ['a', 'b', 'c'])).toBe('a, b und c');
  expect(joinNames('es', [])).toBe('');
});
