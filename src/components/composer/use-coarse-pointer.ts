import { useSyncExternalStore } from 'react';

/** Returns true on a touch screen, whose keyboard has no Shift+Enter. */
export function useCoarsePointer(): boolean {
  return useSyncExternalStore(subscribe, isCoarse, () => false);
}

/** Undefined where there is no screen, as in jsdom. */
const query = () => globalThis.matchMedia?.('(pointer: coarse)');
const isCoarse = () => query()?.matches ?? false;

function subscribe(onChange: () => void): () => void {
  const pointer = query();
  pointer?.addEventListener('change', onChange);
  return () => pointer?.removeEventListener('change', onChange);
}
