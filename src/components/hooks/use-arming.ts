import {
  createContext,
  type SyntheticEvent,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { type GestureTracker, trackGestures } from './track-gesture.ts';
import { useBeforePaint } from './use-before-paint.ts';

/**
 * A question takes answers this many milliseconds after it was shown. Browsers wait as long before their permission prompts accept input.
 */
export const ARMING_DELAY_MS = 500;

/** The clock of dialogs. Tests replace it. */
export const ClockContext = /* @__PURE__ */ createContext<Clock>(systemClock);

/** Says whether a question takes answers. */
export interface Arming {
  /** False in the first half second of a question. */
  readonly armed: boolean;
  /** Returns true if the key or press that is handled now came, or began, too early to answer. */
  isEarly(): boolean;
  /** Starts a new half second, because what an answer would mean has changed. */
  rearm(): void;
}

const ARMED: Arming = { armed: true, isEarly: () => false, rearm: () => {} };

/** The arming of the question around. Outside of a question everything counts at once. */
export const ArmingContext = /* @__PURE__ */ createContext<Arming>(ARMED);

/**
 * Keeps keys and presses that the person meant for the page from answering the question that has just appeared over it. It is one half
 * second from the moment the question is shown. Early keys and presses have no effect on it: they answer nothing, and everything else that
 * they do (type, tick, open a part) is done.
 *
 * Events that a script dispatches count at once: a script makes no slips.
 *
 * @param startsArmed for a card, which is in the flow of the page and takes no focus: only a later `rearm` makes it wait
 */
export function useArming(startsArmed: boolean): Arming {
  const clock = useContext(ClockContext);
  const [armed, setArmed] = useState(startsArmed);
  const isArmed = useRef(startsArmed);
  const tracker = useRef<GestureTracker>(undefined);
  const cancelTimer = useRef<(() => void) | undefined>(undefined);

  const rearm = useCallback(() => {
    cancelTimer.current?.();
    isArmed.current = false;
    tracker.current?.expire();
    setArmed(false);
    cancelTimer.current = clock.after(ARMING_DELAY_MS, () => {
      isArmed.current = true;
      setArmed(true);
    });
  }, [clock]);
  // Before the paint: a press that waited for this render, or a script that watches the page, comes before an effect.
  useBeforePaint(() => {
    tracker.current = trackGestures(() => isArmed.current);
    if (!startsArmed) rearm();
    return () => {
      tracker.current?.stop();
      cancelTimer.current?.();
    };
  }, [rearm, startsArmed]);

  const isEarly = useCallback(() => tracker.current?.isEarly() === true, []);
  return useMemo(() => ({ armed, isEarly, rearm }), [armed, isEarly, rearm]);
}

/** Stops an event completely: neither the browser nor another handler acts on it. */
export function swallow(event: SyntheticEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
