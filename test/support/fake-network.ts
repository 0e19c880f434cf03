/** The network of a browser, as `src/shared/network.ts` sees it, under the control of a test. Undo it with `vi.unstubAllGlobals()`. */
import { vi } from 'vitest';

export interface FakeNetwork {
  goOffline(): void;
  goOnline(): void;
}

export function stubNetwork(): FakeNetwork {
  const page = new EventTarget();
  const navigator = { onLine: true };
  vi.stubGlobal('navigator', navigator);
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, page[name].bind(page));
  const go = (onLine: boolean) => {
    navigator.onLine = onLine;
    page.dispatchEvent(new Event(onLine ? 'online' : 'offline'));
  };
  return { goOffline: () => go(false), goOnline: () => go(true) };
}
