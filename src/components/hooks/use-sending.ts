import { createContext, type RefObject, useContext, useEffect, useId, useState } from 'react';
import { ClockContext } from './use-arming.ts';

/** Most answers have arrived by then, and show nothing of their way. */
export const SHOWN_AFTER_MS = 300;

/** An answer on its way, where its question stays on the page until it has arrived. */
export interface Sending {
  readonly isSending: boolean;
  /** The id of the button that was pressed last. */
  readonly pressed: RefObject<string | undefined>;
}

export const SendingContext = /* @__PURE__ */ createContext<Sending | undefined>(undefined);

/**
 * Tells a button that answers whether to show that its answer is on its way.
 *
 * @returns `press`, to call at each press of the button
 */
export function useSending(): { isShown: boolean; press: () => void } {
  const id = useId();
  const clock = useContext(ClockContext);
  const { isSending = false, pressed } = useContext(SendingContext) ?? {};
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    return isSending ? clock.after(SHOWN_AFTER_MS, () => setLate(true)) : undefined;
  }, [clock, isSending]);
  return {
    isShown: isSending && isLate && pressed?.current === id,
    press() {
      if (pressed) pressed.current = id;
    },
  };
}
