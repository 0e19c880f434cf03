import canonicalize from 'canonicalize';
import { describe, expect, it, test } from 'vitest';
import { canonicalJson } from '../../src/shared/canonical-json.ts';
import fc, { caseCount } from '../support/fast-check.ts';

describe('the examples of RFC 8785', () => {
  it('canonicalJson writes numbers, strings and literals as section 3.2.2 does', () => {
    const value = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(Buffer.from(canonicalJson(value)).toString('hex')).toBe(
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a' +
        '5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d3237' +
        '5d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d',
    );
  });

  it('canonicalJson sorts keys by UTF-16 code units as section 3.2.3 does', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      1: 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(canonicalJson(value).match(/(?<=:")[^"]+/g)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  test.each([
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555554', '333333333.33333325'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('canonicalJson writes the number %s of appendix B as %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });
});

it('canonicalJson writes any JSON value as the package canonicalize does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value));
    }),
    { numRuns: caseCount(300) },
  );
});

it('canonicalJson sorts keys that are whole numbers as text', () => {
  expect(canonicalJson({ 9: 1, 10: 2 })).toBe('{"10":2,"9":1}');
});

it('canonicalJson escapes half of a surrogate pair', () => {
  expect(canonicalJson({ name: '\ud83d' })).toBe(String.raw`{"name":"\ud83d"}`);
});
