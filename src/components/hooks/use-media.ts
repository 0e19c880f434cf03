import { useCallback, useSyncExternalStore } from 'react';

/** Returns true while a media query matches, such as `(pointer: coarse)` for a touch screen. False where there is no screen, as in jsdom. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = globalThis.matchMedia?.(query);
      list?.addEventListener('change', onChange);
      return () => list?.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => globalThis.matchMedia?.(query)?.matches ?? false,
    () => false,
  );
}
