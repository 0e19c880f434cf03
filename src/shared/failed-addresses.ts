/**
 * Remembers the addresses of requests that got no response, by what `fetch` threw: its text names no address, and a developer who reads
 * "Failed to fetch" cannot know whether the server is down or refuses the page. Only development builds use it.
 */
const addresses = /* @__PURE__ */ new WeakMap<object, string>();

/** Remembers the address of a failed request. */
export function noteFailedAddress(thrown: unknown, address: string | URL): void {
  if (typeof thrown === 'object' && thrown !== null) addresses.set(thrown, String(address));
}

/** Returns the address of the request that failed so, or undefined. */
export function readFailedAddress(thrown: unknown): string | undefined {
  return typeof thrown === 'object' && thrown !== null ? addresses.get(thrown) : undefined;
}
