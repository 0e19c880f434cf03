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

/**
 * A dialog that appears while the person types accepts Enter and Space after this many milliseconds without a key. Browsers
 * wait as long before their permission prompts accept keys.
 */
const ARMING_DELAY_MS = 500;
/** The person still types if the last key in a text field is at most this many milliseconds old. */
const TYPING_WINDOW_MS = 1_000;

/** The clock of dialogs. Tests replace it. */
export const ClockContext = /* @__PURE__ */ createContext<Clock>(systemClock);

/** Returns true while the person types into the page. */
export type TypingWatch = () => boolean;
/** `undefined` outside of a queue, where no watch runs. */
export const TypingContext = /* @__PURE__ */ createContext<TypingWatch | undefined>(undefined);

/** Watches the keys of the page, so that a dialog knows whether the person typed before it appeared. */
export function useTypingWatch(): TypingWatch {
  const clock = useContext(ClockContext);
  const lastKeyAt = useRef(Number.NEGATIVE_INFINITY);
  // A watch that begins together with the first dialog has seen no keys. Then the focused element decides.
  const watching = useRef(false);

  useEffect(() => {
    const onKeyDown = (event: Event) => {
      // The target of an event from a shadow root is the host.
      if (isTextEntry(event.composedPath()[0] ?? null)) lastKeyAt.current = clock.now();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true, passive: true });
    watching.current = true;
    return () => {
      document.removeEventListener('keydown', onKeyDown, { capture: true });
      watching.current = false;
    };
  }, [clock]);

  return useCallback(() => {
    if (!watching.current) return isTextEntry(readActiveElement());
    return clock.now() - lastKeyAt.current < TYPING_WINDOW_MS;
  }, [clock]);
}

/**
 * Keeps keys that the person meant for another element from answering a dialog. A dialog that appears while the person
 * types accepts Enter, Space, and digits that pick an option, only after {@link ARMING_DELAY_MS} without a key. A key that
 * was pressed before the dialog appeared never counts.
 *
 * Call `arm` when the dialog takes the focus. Put `onKeyDownCapture` and `onKeyUpCapture` on the dialog.
 */
export function useArming() {
  const clock = useContext(ClockContext);
  const watch = useContext(TypingContext);
  // Undefined before the dialog has the focus: until then, keys go to other elements.
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
    // The browser presses a button when Space is released.
    if (activates(event) && !pressed.current.delete(event.key)) swallow(event);
  }, []);

  return { status, arm, onKeyDownCapture, onKeyUpCapture };
}

/** Returns true for a key that may press a control: Enter outside of a text area, Space and digits outside of text fields. */
function activates(event: KeyboardEvent): boolean {
  if (/^[ 0-9]$/.test(event.key)) return !isTextEntry(event.target);
  return event.key === 'Enter' && !(event.target instanceof HTMLTextAreaElement);
}

/** Stops an event completely: neither the browser nor another handler acts on it. */
export function swallow(event: SyntheticEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

const NOT_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;

function isTextEntry(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NOT_TEXT.test(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}
