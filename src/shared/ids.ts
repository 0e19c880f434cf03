/**
 * A new collision-safe id: `crypto.randomUUID` where the context is secure, else 128 random bits.
 * (`randomUUID` is missing on plain-http pages, which development servers on a LAN are.)
 */
export function createId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
