/**
 * Returns a new id of 128 random bits. `crypto.randomUUID` would do, but browsers do not offer it to a page of a development server on a
 * LAN (plain HTTP).
 */
export function createId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
