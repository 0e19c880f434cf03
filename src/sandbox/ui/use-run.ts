import { useCallback, useSyncExternalStore } from 'react';
import type { RunState } from '../create-run-book.ts';
import type { RunCodeSetup } from './run-code-setup.ts';

/** Returns the state of a call's run. Undefined before consent and after a reload. */
export function useRun({ runs }: RunCodeSetup, key: string): RunState | undefined {
  const get = useCallback(() => runs.get(key), [runs, key]);
  return useSyncExternalStore(runs.subscribe, get, get);
}

/** Returns true if a card in the transcript shows the call. */
export function useIsWatched({ runs }: RunCodeSetup, key: string): boolean {
  const get = useCallback(() => runs.isWatched(key), [runs, key]);
  return useSyncExternalStore(runs.subscribe, get, get);
}
