import { useEffect } from 'react';
import { warnOnce } from '../../shared/warn-once.ts';

/** How many mounted components ask all questions of a chat, by its `getState`: the objects of one chat share it. */
const mounted = /* @__PURE__ */ new WeakMap<object, number>();

/** Warns in development if two components ask the questions of one chat: each question is shown twice. */
export function useSoleDialogs({ getState }: { readonly getState: object }): void {
  useEffect(() => {
    if (process.env.NODE_ENV !== 'development') return undefined;
    const count = (mounted.get(getState) ?? 0) + 1;
    mounted.set(getState, count);
    if (count > 1) {
      warnOnce(
        'Two <ClientToolDialogs /> of one chat are mounted, so that each question is asked twice. Keep one, or give each its own calls with ' +
          '`tools`.',
      );
    }
    return () => void mounted.set(getState, (mounted.get(getState) ?? 1) - 1);
  }, [getState]);
}
