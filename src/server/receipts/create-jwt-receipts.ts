/** Receipts that anybody with the public key can verify. `jose` is an optional peer, loaded when the first receipt is signed or verified. */
import type { JSONWebKeySet, JWK } from 'jose';
import { AgentChatError, invalidOptions, isReadable } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { RECEIPT_TOKEN_TYPE, type ReceiptClaims, type Receipts } from './receipts.ts';

/** Keys of {@link createJwtReceipts}: JSON Web Keys (RFC 7517), each with `alg` and `kid`. */
export interface JwtReceiptKeys {
  /** Signs. An auditor has none: without it, `sign` throws. */
  readonly privateKey?: JWK;
  /** Verify, those of earlier private keys too. */
  readonly publicKeys: readonly JWK[];
}

/**
 * Creates receipts that are signed with a private key, so that an auditor who has the public key alone can verify them and make none. A
 * receipt is a JSON Web Token (RFC 7515). Needs the package `jose`: `npm install jose`.
 *
 * ```ts
 * const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
 * const name = { alg: 'EdDSA', kid: '2030-1' };
 * createJwtReceipts({
 *   privateKey: { ...(await exportJWK(privateKey)), ...name },
 *   publicKeys: [{ ...(await exportJWK(publicKey)), ...name }],
 * });
 * ```
 *
 * @throws AgentChatError `invalid_options` for a key without `alg` or `kid`, for a private key whose `kid` no public key has, and on the
 * first use when the package `jose` is not installed.
 */
export function createJwtReceipts({ privateKey, publicKeys }: JwtReceiptKeys): Receipts {
  checkKeys(privateKey, publicKeys);
  const keySet: JSONWebKeySet = { keys: [...publicKeys] };
  return {
    async sign(claims) {
      if (privateKey === undefined) {
        throw invalidOptions('createJwtReceipts got no privateKey, so its receipts can be verified only.');
      }
      const { CompactSign, importJWK } = await loadJose();
      const { alg = '', kid = '' } = privateKey;
      return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({ alg, kid, typ: RECEIPT_TOKEN_TYPE })
        .sign(await importJWK(privateKey));
    },
    async verify(receipt) {
      const { compactVerify, createLocalJWKSet, errors } = await loadJose();
      try {
        const { payload, protectedHeader } = await compactVerify(receipt, createLocalJWKSet(keySet));
        if (protectedHeader.typ !== RECEIPT_TOKEN_TYPE) return undefined;
        return parseJson(new TextDecoder().decode(payload)) as ReceiptClaims | undefined;
      } catch (thrown) {
        // Other errors are of the keys, not of the receipt.
        if (thrown instanceof errors.JOSEError) return undefined;
        throw thrown;
      }
    },
  };
}

function checkKeys(privateKey: JWK | undefined, publicKeys: readonly JWK[]): void {
  if (!Array.isArray(publicKeys) || publicKeys.length === 0) {
    throw invalidOptions(
      'createJwtReceipts needs publicKeys, a list of JSON Web Keys: without one it can verify nothing.',
    );
  }
  for (const key of privateKey === undefined ? publicKeys : [privateKey, ...publicKeys]) {
    if (isReadable(key.alg) && isReadable(key.kid)) continue;
    throw invalidOptions(
      `A key of createJwtReceipts needs 'alg' and 'kid', and has alg ${String(key.alg)} and kid ${String(key.kid)}: they say which key made a receipt. Add them: { ...jwk, alg: 'EdDSA', kid: '2030-1' }`,
    );
  }
  if (privateKey !== undefined && !publicKeys.some(({ kid }) => kid === privateKey.kid)) {
    throw invalidOptions(
      `The privateKey of createJwtReceipts has kid '${privateKey.kid}', which none of the publicKeys has: nobody could verify its receipts. Add its public key.`,
    );
  }
}

async function loadJose() {
  try {
    return await import('jose');
  } catch (cause) {
    const message = "createJwtReceipts needs the package 'jose': npm install jose.";
    throw new AgentChatError({ code: 'invalid_options', message, source: 'platform', cause });
  }
}
