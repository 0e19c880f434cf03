import { useCallback, useSyncExternalStore } from 'react';
import type { RunState } from '../create-run-book.ts';
import type { RunCodeSetup } from './run-code-setup.ts';

/** Where the run of a call stands; undefined before consent, and after a reload. */
export function useRun({ runs }: RunCodeSetup, key: string): RunState | undefined {
  const get = useCallback(() => runs.get(key), [runs, key]);
  return useSyncExternalStore(runs.subscribe, get, get);
}

/** True if a card in the transcript shows the call. */
export function useIsWatched({ runs }: RunCodeSetup, key: string): boolean {
  const get = useCallback(() => runs.isWatched(key), [runs, key]);
  return useSyncExternalStore(runs.subscribe, get, get);
}
