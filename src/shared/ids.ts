/**
 * A new collision-safe id of 128 random bits. (`crypto.randomUUID` is missing on plain-http pages, which development
 * servers on a LAN are.)
 */
export function createId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
