import { describe, expect, test } from 'vitest';
import { displayText, humaniseName, readLink } from '../../../src/components/text/safe-text.ts';
import fc from '../../support/fast-check.ts';

describe('displayText', () => {
  test.each([
    ['<b>x</b>', '<b>x</b>'],
    ['pay \u202e01', 'pay \\u{202e}01'],
    ['a\u200bb\u0000c\u2066d', 'a\\u{200b}b\\u{0}c\\u{2066}d'],
    ['family 👨‍👩‍👧 and नमस्‍ते', 'family 👨‍👩‍👧 and नमस्‍ते'],
    ['one\r\ntwo\rthree\tfour', 'one\ntwo\nthree\tfour'],
    ['tag \u{E0041}', 'tag \\u{e0041}'],
    ['pay\u00adpal \u3164\u2800\u115f\uffa0', 'pay\\u{ad}pal \\u{3164}\\u{2800}\\u{115f}\\u{ffa0}'],
    ['Việt, שָׁ and नमस्‍ते', 'Việt, שָׁ and नमस्‍ते'],
    [`45${'\u0336'.repeat(3)}`, `45${'\u0336'.repeat(3)}`],
    [`x${'\u0300'.repeat(200)}y`, `x${'\u0300'.repeat(4)}\u2026y`],
  ])('shows %j', (given, shown) => {
    expect(displayText(given)).toBe(shown);
  });

  test('cuts a text without splitting a character', () => {
    expect(displayText('ab🙂cd', 3)).toBe('ab…');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, limit) => {
        const shown = displayText(text, limit);
        expect(/[\u202A-\u202E\u2066-\u2069\u200B]/.test(shown)).toBe(false);
      }),
    );
  });
});

describe('readLink', () => {
  test.each(['https://example.com/a?b=c#d', 'http://localhost:3000/', 'mailto:ada@example.com'])(
    '%s is one',
    (text) => {
      expect(readLink(text)).toBe(text);
    },
  );

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript:alert(1)//https://example.com',
    'javascript:location="mailto:ada@example.com"',
    ' https://example.com',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'file:///etc/passwd',
    'https://bank.example@evil.test/',
    'https://user:pass@example.com/',
    'https://:pass@example.com/',
    '//example.com',
    'see https://example.com',
    'https://',
    `https://example.com/${'a'.repeat(3_000)}`,
  ])('returns no link for %s', (text) => {
    expect(readLink(text)).toBeUndefined();
  });

  test('returns a host with letters outside a to z in ASCII', () => {
    expect(readLink('https://аpple.com/')).toBe('https://xn--pple-43d.com/');
  });
});

describe('humaniseName', () => {
  test.each([
    ['confirm-order', 'Confirm order'],
    ['confirmOrder', 'Confirm order'],
    ['snake_case_name', 'Snake case name'],
    ['mcp:github/createIssue', 'Github create issue'],
    ['userID', 'User ID'],
    ['', ''],
    ['__', '__'],
    ['сумма', 'Сумма'],
    ['\u0430mount', '\\u{430}mount'],
    ['to_\u0435mail', 'To \\u{435}mail'],
    ['p\u03bfst', 'P\\u{3bf}st'],
    ['цена_usd', 'Цена usd'],
  ])('makes a label of %s', (name, shown) => {
    expect(humaniseName(name)).toBe(shown);
  });
});

test.each([
  ['thisIsAVeryLongName', 'This is a very long name'],
  ['customerIDNumber', 'Customer ID number'],
  ['sendSMSToUser', 'Send SMS to user'],
  ['isURLValid', 'Is URL valid'],
])('the name %s becomes %s, because the last capital of a run begins a word', (name, label) => {
  expect(humaniseName(name)).toBe(label);
});
