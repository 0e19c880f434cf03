import { describe, expect, test } from 'vitest';
import { checkText } from '../../../src/components/form/check-text.ts';
import { countWays } from '../../../src/components/form/count-ways.ts';
import { englishLabels } from '../../../src/components/text/labels.ts';

describe('the ways to lay a pattern over ten letters', () => {
  test.each([
    ['^abc$', 1],
    ['abc', 11],
    ['^a?b$', 2],
    ['^a*b+?$', 11 * 10],
    ['^a{2}b{2,4}c{8,}$', 3 * 3],
    ['^(a|bc|d?)$', 11 * 4],
    ['^(?:a|b){3}$', 11 * 8],
    ['^(?<year>\\d{4})-[a+*?(]\\)\\p{Lu}$', 1],
    ['^a*|b$', 11 * (11 + 1)],
  ])('%s', (pattern, ways) => {
    expect(countWays(pattern, 10)).toBe(ways);
  });
});

describe('a pattern', () => {
  const check = (pattern: string, text: string) =>
    checkText({ kind: 'text', format: 'plain', label: 'Text', required: true, pattern }, text, englishLabels);
  test.each([
    ['^[A-Z]{2}\\d{6}$', 'AB12345'],
    ['^#([0-9a-f]{3}|[0-9a-f]{6})$', '#12'],
    ['^\\d{5}(-\\d{4})?$', '12345-'],
    ['^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 'somebody.with.a.long.name@example'],
    ['^(\\d{1,3}\\.){3}\\d{1,3}$', '10.0.0'],
    ['^([01]\\d|2[0-3]):[0-5]\\d$', '24:00'],
    ['^[a-z-]*$', `${'a'.repeat(5_000)}!`],
  ])('%s is a rule', (pattern, text) => {
    expect(check(pattern, text)).toEqual({ message: englishLabels.notPattern, value: text, byPattern: true });
  });

  test.each([
    ['^(a+)+$'],
    ['^(a|a)*$'],
    ['^(a?){40}$'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$'],
    ['a*a*a*a*a*a*b'],
    [`^${'a?'.repeat(40)}$`],
  ])('%s, which would hang the page, is none', (pattern) => {
    const text = `${'a'.repeat(40)}!`;
    expect(check(pattern, text)).toEqual({ value: text });
  });
});
