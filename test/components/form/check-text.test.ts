import { describe, expect, test } from 'vitest';
import { checkText } from '../../../src/components/form/kinds/check-text.ts';
import { englishLabels } from '../../../src/components/text/labels.ts';

const check = (pattern: string, text: string) =>
  checkText({ kind: 'text', format: 'plain', label: 'Text', required: true, pattern }, text, englishLabels);

describe('the pattern of a schema', () => {
  test.each([
    ['^[A-Z]{2}\\d{6}$', 'AB12345'],
    ['^#([0-9a-f]{3}|[0-9a-f]{6})$', '#12'],
    ['^\\d{5}(-\\d{4})?$', '12345-'],
    ['^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 'somebody.with.a.long.name@example'],
    ['^(\\d{1,3}\\.){3}\\d{1,3}$', '10.0.0'],
    ['^([01]\\d|2[0-3]):[0-5]\\d$', '24:00'],
    ['^[a-z-]*$', `${'a'.repeat(999)}!`],
  ])('%s refuses a text that does not match', (pattern, text) => {
    expect(check(pattern, text)).toEqual({ message: englishLabels.notPattern, value: text, byPattern: true });
  });

  test.each([
    ['a text of more than 1,000 characters', '^[a-z-]*$', `${'a'.repeat(1_000)}!`],
    ['a text of 5,000 characters that would take minutes', 'a*a*a*a*b', 'a'.repeat(5_000)],
    ['a text of 300 characters that would take seconds', 'a*a*a*a*b', 'a'.repeat(300)],
    ['a repeated group with a repetition', '^(a+)+$', `${'a'.repeat(25)}!`],
    ['a repeated group in a group', '^((a+)b?)*$', `${'a'.repeat(25)}!`],
    ['a repeated group with alternatives', '^(a|aa){10,}$', `${'a'.repeat(35)}!`],
    ['many optional parts', `^${'a?'.repeat(22)}${'a'.repeat(22)}$`, 'a'.repeat(21)],
    ['a pattern of more than 300 characters', `^${'a?'.repeat(150)}$`, 'b'],
    ['a pattern that is not a regular expression', '(', 'b'],
  ])('is left to the receiver for %s', (_, pattern, text) => {
    expect(check(pattern, text)).toEqual({ value: text });
  });
});
