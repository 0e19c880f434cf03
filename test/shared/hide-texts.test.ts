/** Texts that nobody may read are hidden wherever they stand, also where they overlap or arrive in pieces. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hideTexts, lengthOfSettled, toWrittenForms } from '../../src/shared/hide-texts.ts';

const hide = (...texts: string[]) => texts.map((text) => ({ text, replacement: '#' }));

test.each([
  ['abcdefghi', ['abcdef', 'defghi'], '#'],
  ['ababab', ['abab'], '#'],
  ['abcdef abcd', ['abcd', 'abcdef'], '# #'],
  ['abcdabcd', ['abcd'], '##'],
])('hideTexts leaves nothing of %s where the hidden texts %j overlap', (text, texts, shown) => {
  expect(hideTexts(text, hide(...texts))).toBe(shown);
});

test('hideTexts names both texts where two with different names overlap', () => {
  const hidden = [
    { text: 'abcd', replacement: '[A]' },
    { text: 'cdef', replacement: '[B]' },
  ];
  expect(hideTexts('x abcdef', hidden)).toBe('x [A][B]');
});

test('a text in pieces is hidden as the whole text, wherever it is cut', () => {
  const secret = fc.stringMatching(/^[ab]{2,6}$/);
  const pieces = fc.array(fc.stringMatching(/^[abc]{0,5}$/));
  fc.assert(
    fc.property(fc.array(secret, { maxLength: 3 }), pieces, (secrets, parts) => {
      const hidden = hide(...secrets);
      let [sent, waiting] = ['', ''];
      for (const part of parts) {
        const text = waiting + part;
        const settled = lengthOfSettled(text, hidden);
        sent += hideTexts(text.slice(0, settled), hidden);
        waiting = text.slice(settled);
      }
      expect(sent + hideTexts(waiting, hidden)).toBe(hideTexts(parts.join(''), hidden));
    }),
  );
});

test('toWrittenForms has a value as it stands in JSON, in a query and in a path', () => {
  expect(toWrittenForms('a "b"/c')).toEqual(['a "b"/c', 'a \\"b\\"/c', 'a+%22b%22%2Fc', 'a%20%22b%22%2Fc']);
});

test('toWrittenForms takes half of a surrogate pair, which no address can carry', () => {
  expect(toWrittenForms('key\ud800')).toContain('key%EF%BF%BD');
});
