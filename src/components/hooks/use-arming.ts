import {
  createContext,
  type KeyboardEvent,
  type SyntheticEvent,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { readActiveElement } from '../primitives/focus-in-shadow.ts';

/** Quiet milliseconds before a dialog that appeared under somebody's typing takes Enter and Space. Browsers wait as long for permission prompts. */
const ARMING_DELAY_MS = 500;
/** A key pressed in a text field this many milliseconds ago counts as still typing. */
const TYPING_WINDOW_MS = 1_000;

/** The time dialogs go by. Tests replace it. */
export const ClockContext = /* @__PURE__ */ createContext<Clock>(systemClock);

/** Says whether the person types into the page at this moment. `undefined`: nobody watched, so nobody knows. */
export type TypingWatch = () => boolean;
export const TypingContext = /* @__PURE__ */ createContext<TypingWatch | undefined>(undefined);

/** Watches for typing, so that a dialog can know what was going on before it appeared. */
export function useTypingWatch(): TypingWatch {
  const clock = useContext(ClockContext);
  const lastKeyAt = useRef(Number.NEGATIVE_INFINITY);
  // A watch that begins together with the first dialog has seen nothing, so the place of the focus has to do.
  const watching = useRef(false);

  useEffect(() => {
    const note = (event: Event) => {
      // In a shadow root the event's target is the host.
      if (isTextEntry(event.composedPath()[0] ?? null)) lastKeyAt.current = clock.now();
    };
    document.addEventListener('keydown', note, { capture: true, passive: true });
    watching.current = true;
    return () => {
      document.removeEventListener('keydown', note, { capture: true });
      watching.current = false;
    };
  }, [clock]);

  return useCallback(() => {
    if (!watching.current) return isTextEntry(readActiveElement());
    return clock.now() - lastKeyAt.current < TYPING_WINDOW_MS;
  }, [clock]);
}

/**
 * Keeps keys that were meant for something else from answering. A dialog that appears while somebody types takes
 * Enter and Space, and digits that pick an option, only after a quiet moment; a key held down since before never counts.
 *
 * `arm` begins, from the moment the dialog takes the focus. Put `onKeyDownCapture` and `onKeyUpCapture` on it.
 */
export function useArming() {
  const clock = useContext(ClockContext);
  const watch = useContext(TypingContext);
  // Which of the two is not known before the dialog has the focus, and keys go elsewhere until then.
  const [status, setStatus] = useState<'armed' | 'arming'>();
  const armed = useRef(true);
  const pressed = useRef(new Set<string>());
  const cancelTimer = useRef<(() => void) | undefined>(undefined);

  const wait = useCallback(() => {
    cancelTimer.current?.();
    armed.current = false;
    setStatus('arming');
    cancelTimer.current = clock.after(ARMING_DELAY_MS, () => {
      armed.current = true;
      setStatus('armed');
    });
  }, [clock]);
  useEffect(() => () => cancelTimer.current?.(), []);

  const arm = useCallback(() => {
    pressed.current.clear();
    if (watch === undefined ? isTextEntry(readActiveElement()) : watch()) wait();
    else setStatus('armed');
  }, [watch, wait]);

  const onKeyDownCapture = useCallback(
    (event: KeyboardEvent) => {
      if (!armed.current) wait();
      if (!activates(event)) return;
      if (armed.current && !event.repeat) pressed.current.add(event.key);
      else if (!pressed.current.has(event.key) || event.key === 'Enter') swallow(event);
    },
    [wait],
  );
  const onKeyUpCapture = useCallback((event: KeyboardEvent) => {
    // Space presses a button when it is let go.
    if (activates(event) && !pressed.current.delete(event.key)) swallow(event);
  }, []);

  return { status, arm, onKeyDownCapture, onKeyUpCapture };
}

/** Enter anywhere, and Space and digits where they press something instead of being written. */
function activates(event: KeyboardEvent): boolean {
  if (/^[ 0-9]$/.test(event.key)) return !isTextEntry(event.target);
  return event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement);
}

/** Nobody hears of it. */
export function swallow(event: SyntheticEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

const NOT_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;

function isTextEntry(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NOT_TEXT.test(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
