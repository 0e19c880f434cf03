import {
  createContext,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { readActiveElement } from './focus-in-shadow.ts';

/**
 * A dialog accepts keys and presses after this many milliseconds without one. Browsers wait as long before their permission
 * prompts accept input.
 */
export const ARMING_DELAY_MS = 500;

/** The clock of dialogs. Tests replace it. */
export const ClockContext = /* @__PURE__ */ createContext<Clock>(systemClock);

/**
 * Keeps keys and presses that the person meant for the page from answering the dialog that has just appeared over it. The
 * dialog accepts Enter, Space, Escape, digits that pick an option, and presses only after {@link ARMING_DELAY_MS} without
 * any of them. A key or a press that began earlier never counts.
 *
 * If the focus was in an element that may take text, the person may type for longer than that, and a frame or a closed
 * shadow root keeps its keys to itself. So the dialog itself takes the focus, where keys do nothing. The first Tab moves the
 * focus to the control at which the dialog starts, and the pause begins again.
 *
 * Events that a script dispatches count at once: a script makes no slips.
 */
export function useArming() {
  const clock = useContext(ClockContext);
  // Undefined before the dialog has the focus.
  const [status, setStatus] = useState<'armed' | 'arming'>();
  const armed = useRef(false);
  const start = useRef<HTMLElement>(undefined);
  const keysDown = useRef(new Set<string>());
  const isEarlyPress = useRef<boolean>(undefined);
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

  /** Call when the dialog appears. Moves the focus into it. */
  const arm = useCallback(
    (panel: HTMLElement, startAt: HTMLElement) => {
      keysDown.current.clear();
      isEarlyPress.current = undefined;
      wait();
      const isHeld = mayTakeText(readActiveElement());
      start.current = isHeld ? startAt : undefined;
      (isHeld ? panel : startAt).focus({ preventScroll: true });
    },
    [wait],
  );
  /** Returns true for an event that comes too early to count. */
  const isTooEarly = useCallback((event: Pick<Event, 'isTrusted'>) => event.isTrusted && !armed.current, []);

  const onKeyDownCapture = useCallback(
    (event: KeyboardEvent) => {
      if (!event.isTrusted) return;
      if (!armed.current) wait();
      const { currentTarget: panel, target, key, shiftKey } = event;
      if (key === 'Tab' && !shiftKey && target === panel && start.current && start.current !== panel) {
        swallow(event);
        start.current.focus();
      }
      if (!activates(event)) return;
      if (armed.current && !event.repeat) keysDown.current.add(event.key);
      else if (!keysDown.current.has(event.key) || event.key === 'Enter') swallow(event);
    },
    [wait],
  );
  const onKeyUpCapture = useCallback((event: KeyboardEvent) => {
    // The browser presses a button when Space is released.
    if (event.isTrusted && activates(event) && !keysDown.current.delete(event.key)) swallow(event);
  }, []);
  const onFocusCapture = useCallback(
    (event: FocusEvent) => {
      // The person moved the focus to a control.
      if (start.current === undefined || event.target === event.currentTarget) return;
      start.current = undefined;
      // A press that was accepted has moved it: the person knows that the dialog is there.
      if (isEarlyPress.current !== false) wait();
    },
    [wait],
  );
  const onPointerDownCapture = useCallback(
    (event: SyntheticEvent) => {
      isEarlyPress.current = isTooEarly(event);
      if (isEarlyPress.current) wait();
    },
    [wait, isTooEarly],
  );
  const onClickCapture = useCallback(
    (event: MouseEvent) => {
      // The press decides: the pause may have ended between the press and the click. Assistive technology may click without a press. `detail`
      // is 0 when a key pressed the control, and keys have a rule of their own.
      if (event.detail > 0 && (isEarlyPress.current ?? isTooEarly(event))) swallow(event);
    },
    [isTooEarly],
  );

  const handlers = { onKeyDownCapture, onKeyUpCapture, onFocusCapture, onPointerDownCapture, onClickCapture };
  return { status, arm, isTooEarly, handlers };
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

/**
 * Returns true unless the focused element certainly takes no text. A frame, the host of a closed shadow root and a canvas
 * with an EditContext do not tell whether the person types in them.
 */
function mayTakeText(focused: Element | null): boolean {
  if (focused === null || focused.matches('html, body, button, a, summary')) return false;
  return !(focused instanceof HTMLInputElement) || isTextEntry(focused);
}
