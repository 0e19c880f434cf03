import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { decodePunycode } from '../../../src/components/elicitation/decode-punycode.ts';
import fc from '../../support/fast-check.ts';

test.each([
  ['xn--bcher-kva', 'bücher'],
  ['xn--pple-43d', '\u0430pple'],
  ['xn--fiqs8s', '中国'],
  ['xn--80akhbyknj4f', 'испытание'],
  ['xn--ls8h', '💩'],
  ['example', 'example'],
  // Cut off, with a sign that is no digit, and beyond the last code point.
  ['xn--bcher-kv', 'xn--bcher-kv'],
  ['xn--a-é', 'xn--a-é'],
  ['xn--99999999', 'xn--99999999'],
])('%s stands for %s', (label, text) => {
  expect(decodePunycode(label)).toBe(text);
});

test.each(['a', 'b', ''])(
  'a label that counts beyond all numbers is shown as it is (ends in “%s”)',
  (end) => {
    const label = `xn--${'9'.repeat(400)}${end}`;
    expect(decodePunycode(label)).toBe(label);
  },
);

test('whatever a host name is written with comes back', () => {
  const letter = fc.constantFrom(
    ...'abcxyz019',
    ...'äöüßéñ',
    ...'абвяз',
    ...'ελπ',
    ...'日本語のカ',
    ...'한글',
  );
  fc.assert(
    fc.property(fc.array(letter, { minLength: 1, maxLength: 12 }), (letters) => {
      const text = letters.join('').normalize('NFC');
      const encoded = domainToASCII(text);
      fc.pre(encoded.startsWith('xn--'));
      expect(decodePunycode(encoded)).toBe(text);
    }),
    { numRuns: 500 },
  );
});
