import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect, it } from 'vitest';
import { digestArguments, digestJson } from '../../src/shared/digest-json.ts';

it('digestArguments is the SHA-256 that node:crypto computes of the canonical arguments', async () => {
  const args = { orderId: 'ord_1', amount: 80, lines: [{ sku: 'é', count: 2 }], note: null };
  const expected = createHash('sha256')
    .update(String(canonicalize(args)))
    .digest('hex');
  expect(await digestArguments(args)).toBe(expected);
  expect(
    await digestArguments({ note: null, lines: [{ count: 2, sku: 'é' }], amount: 80, orderId: 'ord_1' }),
  ).toBe(expected);
});

it('digestJson is the same before and after a value travels as JSON', async () => {
  const value = { at: new Date(0), gone: undefined, list: [undefined], nan: Number.NaN };
  expect(await digestJson(value)).toBe(await digestJson(JSON.parse(JSON.stringify(value))));
  expect(await digestJson(undefined)).toBe(await digestJson(null));
});
