import {
  CompactSign,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
} from 'jose';
import { describe, expect, it, test } from 'vitest';
import { createJwtReceipts, type JwtReceiptKeys } from '../../../src/server/receipts/create-jwt-receipts.ts';
import { claims } from './support.ts';

async function createKeys(alg: string, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const named = async (key: CryptoKey): Promise<JWK> => ({ ...(await exportJWK(key)), alg, kid });
  return { privateKey: await named(privateKey), publicKeys: [await named(publicKey)] };
}

const keys = await createKeys('EdDSA', 'one');
const others = await createKeys('EdDSA', 'two');
const receipts = createJwtReceipts(keys);

describe('createJwtReceipts', () => {
  it.each(['EdDSA', 'ES256', 'RS256', 'PS256'])(
    'signs with %s what jose verifies with the public key',
    async (alg) => {
      const pair = await createKeys(alg, 'one');
      const receipt = await createJwtReceipts(pair).sign(claims);
      const { payload, protectedHeader } = await jwtVerify(
        receipt,
        createLocalJWKSet({ keys: pair.publicKeys }),
      );
      expect(payload).toEqual(claims);
      expect(protectedHeader).toEqual({ alg, kid: 'one', typ: 'receipt+jwt' });
    },
  );

  it('verifies with the public key alone, and does not sign then', async () => {
    const auditor = createJwtReceipts({ publicKeys: keys.publicKeys });
    expect(await auditor.verify(await receipts.sign(claims))).toEqual(claims);
    await expect(auditor.sign(claims)).rejects.toMatchObject({ code: 'invalid_options' });
  });

  it('verifies the receipts of an earlier key while its public key is in the list', async () => {
    const rotated = createJwtReceipts({ ...others, publicKeys: [...others.publicKeys, ...keys.publicKeys] });
    expect(await rotated.verify(await receipts.sign(claims))).toEqual(claims);
    expect(await receipts.verify(await rotated.sign(claims))).toBeUndefined();
  });
});

describe('verify of createJwtReceipts refuses', () => {
  it('a receipt whose claims were changed', async () => {
    const [header, , signature] = (await receipts.sign(claims)).split('.');
    const payload = Buffer.from(JSON.stringify({ ...claims, toolCallId: 'call-2' })).toString('base64url');
    expect(await receipts.verify(`${header}.${payload}.${signature}`)).toBeUndefined();
  });

  it('a receipt of another key with the same name', async () => {
    const forged = await createJwtReceipts(await createKeys('EdDSA', 'one')).sign(claims);
    expect(await receipts.verify(forged)).toBeUndefined();
  });

  it('a receipt that is signed by HMAC with the public key as its secret', async () => {
    const secret = new TextEncoder().encode(String(keys.publicKeys[0]?.x));
    const forged = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'HS256', kid: 'one', typ: 'receipt+jwt' })
      .sign(secret);
    expect(await receipts.verify(forged)).toBeUndefined();
  });

  it('a token that the app signed with the same key for another purpose', async () => {
    const login = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'EdDSA', kid: 'one', typ: 'JWT' })
      .sign(await importJWK(keys.privateKey));
    expect(await receipts.verify(login)).toBeUndefined();
  });

  it.each(['', 'abc', 'a.b.c'])('the text "%s"', async (text) => {
    expect(await receipts.verify(text)).toBeUndefined();
  });
});

const [publicKey = {}] = keys.publicKeys;
test.each<[string, JwtReceiptKeys, string]>([
  ['without public keys', { publicKeys: [] }, 'needs publicKeys'],
  ['with a key without a name', { publicKeys: [{ ...publicKey, kid: '' }] }, "needs 'alg' and 'kid'"],
  ['with a private key alone', { ...others, publicKeys: keys.publicKeys }, "kid 'two'"],
])('createJwtReceipts throws %s', (_, wrong, complaint) => {
  expect(() => createJwtReceipts(wrong)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(complaint) }),
  );
});
