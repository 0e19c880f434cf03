import { isComposing } from '../../shared/is-composing.ts';

/** Follows keys and presses, and tells whether the latest one may answer. */
export interface GestureTracker {
  /** Returns true if the latest key or press came, or began, before the question was armed. */
  isEarly(): boolean;
  /** Makes keys and presses so far early: what they were meant for has changed. */
  expire(): void;
  stop(): void;
}

/**
 * Listens on the window, before every other listener of the page: a library that closes a dialog by Escape listens on the document.
 *
 * What decides is when a key or a press began: a browser presses a button when Space is released, and clicks where a press ended. A
 * click or a key that a script dispatches makes no slips, so it is never early.
 */
export function trackGestures(isArmed: () => boolean): GestureTracker {
  // Keys that went down while the question was armed, and have not been released.
  const keysDown = new Set<string>();
  let latest: 'none' | 'script' | 'early' | 'counts' = 'none';
  let isEarlyPress: boolean | undefined;
  let scriptPath: readonly EventTarget[] = [];
  const note = (counts: boolean) => {
    latest = counts ? 'counts' : 'early';
  };

  const handlers = {
    keydown(event: Event) {
      const { key, repeat } = event as KeyboardEvent;
      // A key that is held down answers once at most: its repetitions may reach the next question.
      const counts = isArmed() && !repeat && !isComposing(event as KeyboardEvent);
      if (counts) keysDown.add(key);
      note(counts);
    },
    keyup(event: Event) {
      const { key } = event as KeyboardEvent;
      const beganArmed = keysDown.delete(key);
      if (key === ' ') note(beganArmed);
    },
    pointerdown() {
      isEarlyPress = !isArmed();
      note(!isEarlyPress);
    },
    click(event: Event) {
      // `detail` is 0 when a key pressed the control. Assistive technology may click without a press.
      if ((event as MouseEvent).detail > 0) note(!(isEarlyPress ?? !isArmed()));
      isEarlyPress = undefined;
    },
    submit(event: Event) {
      const isClicked = latest === 'script' && clickedByScript(event as SubmitEvent, scriptPath);
      if (!isClicked && !isArmed()) note(false);
    },
  };
  const types = Object.keys(handlers) as (keyof typeof handlers)[];
  const onEvent = (event: Event) => {
    if (event.isTrusted) return handlers[event.type as keyof typeof handlers](event);
    if (event.type === 'submit') return;
    latest = 'script';
    scriptPath = event.type === 'click' ? event.composedPath() : [];
  };
  for (const type of types) window.addEventListener(type, onEvent, true);
  return {
    isEarly: () => latest === 'early',
    expire() {
      keysDown.clear();
      isEarlyPress = undefined;
      if (latest !== 'none') latest = 'early';
    },
    stop() {
      for (const type of types) window.removeEventListener(type, onEvent, true);
    },
  };
}

/**
 * Returns true for the submit of a form whose button a script has clicked. A password manager that fills a form, with events of keys that
 * nobody pressed, may submit it without.
 *
 * @param path the elements that the latest click of a script was on
 */
function clickedByScript({ submitter }: SubmitEvent, path: readonly EventTarget[]): boolean {
  return submitter !== null && path.includes(submitter);
}
