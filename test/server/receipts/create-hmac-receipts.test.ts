import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { describe, expect, it, test } from 'vitest';
import { createHmacReceipts, type ReceiptSecret } from '../../../src/server/receipts/create-hmac-receipts.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { claims, createSecret } from './support.ts';

const secret = createSecret('a');
const receipts = createHmacReceipts(secret);
const key = new TextEncoder().encode(secret);

describe('a receipt of createHmacReceipts', () => {
  it('is signed as node:crypto signs', async () => {
    const [header, payload, signature] = (await receipts.sign(claims)).split('.');
    expect(signature).toBe(createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url'));
  });

  it('is a JSON Web Token that jose verifies', async () => {
    const { payload, protectedHeader } = await jwtVerify(await receipts.sign(claims), key);
    expect(payload).toEqual(claims);
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'receipt+jwt' });
  });

  it('gives its claims back, text of any script too', async () => {
    const wide = { ...claims, toolName: 'erstatten-€-😀' };
    expect(await receipts.verify(await receipts.sign(wide))).toEqual(wide);
  });
});

describe('verify of createHmacReceipts refuses', () => {
  it('a receipt in which any character was changed', async () => {
    const receipt = await receipts.sign(claims);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(receipt.length - 1),
        fc.constantFrom(...'AZaz09-_.+/= '),
        async (at, character) => {
          fc.pre(receipt[at] !== character);
          expect(
            await receipts.verify(receipt.slice(0, at) + character + receipt.slice(at + 1)),
          ).toBeUndefined();
        },
      ),
      { numRuns: caseCount(300) },
    );
  });

  it('another encoding of the same signature', async () => {
    const receipt = await receipts.sign(claims);
    // 43 characters have two bits more than 32 bytes, which a tolerant decoder ignores.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(receipt.at(-1) ?? '');
    const other = receipt.slice(0, -1) + alphabet[last ^ 1];
    expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(receipt, 'base64url'));
    expect(await receipts.verify(other)).toBeUndefined();
    expect(await receipts.verify(`${receipt}=`)).toBeUndefined();
    expect(await receipts.verify(`${receipt}.`)).toBeUndefined();
  });

  it('a token that the app signed with the same secret for another purpose', async () => {
    const login = await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key);
    expect(await receipts.verify(login)).toBeUndefined();
  });

  it.each(['', '.', '..', 'abc', 'a.b.c', 'a.b.c.d', '€.€.€'])('the text "%s"', async (text) => {
    expect(await receipts.verify(text)).toBeUndefined();
  });

  it('a receipt without a signature, whatever its header says', async () => {
    const [, payload] = (await receipts.sign(claims)).split('.');
    const header = Buffer.from('{"alg":"none","typ":"receipt+jwt"}').toString('base64url');
    expect(await receipts.verify(`${header}.${payload}.`)).toBeUndefined();
  });
});

test('the first of several secrets signs, and all of them verify', async () => {
  const old = createSecret('old');
  const both = createHmacReceipts([secret, old]);
  expect(await both.verify(await createHmacReceipts(old).sign(claims))).toEqual(claims);
  expect(await receipts.verify(await both.sign(claims))).toEqual(claims);
  expect(await createHmacReceipts(old).verify(await both.sign(claims))).toBeUndefined();
});

test('the bytes of a secret are the same secret as its text', async () => {
  expect(await createHmacReceipts(key).verify(await receipts.sign(claims))).toEqual(claims);
});

test.each([
  ['short', 'at least 32 bytes, not one of 5 bytes'],
  [new Uint8Array(31), 'at least 32 bytes, not one of 31 bytes'],
  [[], 'its list is empty'],
  [[secret, 'short'], 'not one of 5 bytes'],
  [undefined, 'not undefined'],
])('createHmacReceipts refuses the secret %j', (wrong, complaint) => {
  const create = () => createHmacReceipts(wrong as unknown as ReceiptSecret);
  expect(create).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(complaint) }),
  );
});
