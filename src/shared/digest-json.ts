import { canonicalJson } from './canonical-json.ts';

/** Returns the SHA-256 of the canonical JSON (RFC 8785) of a value, in hexadecimal. A value that JSON drops counts as `null`. */
export async function digestJson(value: unknown): Promise<string> {
  // The copy is the value as a wire or a store would carry it, so that its digest is the same before and after.
  const carried: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
  return digestText(canonicalJson(carried));
}

/** Returns the SHA-256 of a text in UTF-8, in hexadecimal. */
export function digestText(text: string): Promise<string> {
  return sha256(new TextEncoder().encode(text));
}

/** The part of Node's crypto module that is used here. */
interface NodeCrypto {
  createHash(algorithm: 'sha256'): { update(bytes: Uint8Array): { digest(encoding: 'hex'): string } };
}

/** Node answers at once. The Web Crypto API, which all other runtimes have, answers from a thread, some turns of the event loop later. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const runtime = (globalThis as { process?: { getBuiltinModule?(id: string): unknown } }).process;
  const node = runtime?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (node !== undefined) return node.createHash('sha256').update(bytes).digest('hex');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns the digest of the arguments of a call, as receipts hold it: the SHA-256 of their canonical JSON (RFC 8785), in hexadecimal.
 * A page may send the digest of the arguments that it showed, as `shown` of its answer. Browsers offer it on https pages and localhost.
 */
export function digestArguments(args: Readonly<Record<string, unknown>>): Promise<string> {
  return digestJson(args);
}
