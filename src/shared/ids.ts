/**
 * Returns a new random id in the form of a UUID of version 4 (RFC 9562): some servers, LangGraph's for instance, take no other id of a
 * thread. `crypto.randomUUID` would do, but browsers do not offer it to a page of a development server on a LAN (plain HTTP).
 */
export function createId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // The 4 is the version, the 8 the variant.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
