import { invalidOptions } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { RECEIPT_TOKEN_TYPE, type ReceiptClaims, type Receipts } from './receipts.ts';

/** A secret of at least 32 bytes. A string counts as its UTF-8 bytes. */
export type ReceiptSecret = string | Uint8Array;

/** RFC 7518, section 3.2: a key shorter than the hash is not allowed. */
const MIN_SECRET_BYTES = 32;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Creates receipts that are signed with a secret which only your servers know. A receipt is a JSON Web Token with HS256 (RFC 7515), made
 * with Web Crypto, so it works in Node, Deno, Bun and at the edge.
 *
 * Of a list of secrets the first signs, and all verify: put a new secret in front of the list, and remove the old one when nobody has to
 * verify its receipts any more. Use the secret for nothing else.
 *
 * @throws AgentChatError `invalid_options` for a secret of less than 32 bytes
 */
export function createHmacReceipts(secrets: ReceiptSecret | readonly ReceiptSecret[]): Receipts {
  const list = Array.isArray(secrets) ? (secrets as readonly ReceiptSecret[]) : [secrets as ReceiptSecret];
  const [first, ...others] = list.map(toKeyBytes);
  if (first === undefined) throw invalidOptions('createHmacReceipts needs a secret, and its list is empty.');
  const signingKey = importKey(first);
  const keys = [signingKey, ...others.map(importKey)];
  const header = toBase64Url(utf8({ alg: 'HS256', typ: RECEIPT_TOKEN_TYPE }));
  return {
    async sign(claims) {
      const signed = `${header}.${toBase64Url(utf8(claims))}`;
      const signature = await crypto.subtle.sign(HMAC, await signingKey, new TextEncoder().encode(signed));
      return `${signed}.${toBase64Url(new Uint8Array(signature))}`;
    },
    async verify(receipt) {
      const [found, claims = '', signatureText = '', ...rest] = receipt.split('.');
      const signature = fromBase64Url(signatureText);
      if (found !== header || rest.length > 0 || signature === undefined) return undefined;
      const signed = new TextEncoder().encode(`${found}.${claims}`);
      for (const key of keys) {
        if (await crypto.subtle.verify(HMAC, await key, signature, signed)) return readClaims(claims);
      }
      return undefined;
    },
  };
}

function toKeyBytes(secret: ReceiptSecret): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  if (bytes instanceof Uint8Array && bytes.length >= MIN_SECRET_BYTES) return new Uint8Array(bytes);
  const found = bytes instanceof Uint8Array ? `one of ${bytes.length} bytes` : String(secret);
  throw invalidOptions(
    `createHmacReceipts needs a secret of at least ${MIN_SECRET_BYTES} bytes, not ${found}: a shorter one can be guessed. Make one with: openssl rand -hex 32`,
  );
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']);
}

function readClaims(text: string): ReceiptClaims | undefined {
  const bytes = fromBase64Url(text);
  return bytes && (parseJson(new TextDecoder().decode(bytes)) as ReceiptClaims | undefined);
}

function utf8(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

function toBase64Url(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    // The last character has bits that `atob` ignores: a receipt with other ones there is not the receipt that was signed.
    return toBase64Url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
