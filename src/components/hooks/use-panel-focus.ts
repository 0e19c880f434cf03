import {
  type KeyboardEvent,
  type RefCallback,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { readFocused } from './focus-across-frames.ts';
import { keepTabInside, readActiveElement } from './focus-in-shadow.ts';
import { mayTakeText } from './takes-text.ts';
import { swallow } from './use-arming.ts';
import { TypingContext } from './watch-typing.ts';

/** The focus of a dialog, as props of the element around it. */
export interface PanelFocusProps {
  readonly ref: RefCallback<HTMLElement>;
  readonly tabIndex: -1;
  readonly onKeyDownCapture: (event: KeyboardEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export interface PanelFocus {
  readonly props: PanelFocusProps;
  /** Call where the focus may have moved since the panel appeared, and is about to move into it. */
  readonly noteOrigin: () => void;
}

/**
 * Moves the focus into a dialog when it is shown, and keeps Tab inside.
 *
 * The focus starts at the element with `data-autofocus`. If the focus was in an element into which the person may go on typing, the dialog
 * itself takes it, where keys do nothing, and the first Tab goes to that element: a frame of another origin and a closed shadow root keep
 * their keys to themselves. If the person is typing at this moment, the focus stays, and each key with it, until they pause.
 *
 * @param onEnter called before the focus moves, to remember where it was
 */
export function usePanelFocus(onEnter: () => void): PanelFocus {
  const typing = useContext(TypingContext);
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  const before = useRef<Element | null>(null);
  const start = useRef<HTMLElement>(undefined);

  const noteOrigin = useCallback(() => {
    before.current = readFocused();
    onEnter();
  }, [onEnter]);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      // Now, because a focus scope in the dialog of an app, such as that of Radix, may move the focus before the effect below.
      if (element !== null) noteOrigin();
      setPanel(element);
    },
    [noteOrigin],
  );
  // An effect, so that the focus scope of Radix inside is in force: that of a dialog below would take the focus back.
  useEffect(() => {
    const origin = before.current;
    // The app may have given the focus to an element of the dialog.
    if (panel === null || panel.contains(origin)) return;
    const enter = () => {
      const startAt = findStart(panel);
      const isHeld = typing === undefined ? mayTakeText(origin) : typing.mayGoOnIn(origin);
      start.current = isHeld ? startAt : undefined;
      (isHeld ? panel : startAt).focus({ preventScroll: true });
    };
    if (typing?.isTyping() !== true) return enter();
    return typing.afterPause(() => {
      // The person may have pressed something in the dialog meanwhile.
      if (!panel.contains(readActiveElement())) enter();
    });
  }, [panel, typing]);

  const onKeyDownCapture = useCallback((event: KeyboardEvent) => {
    const { key, shiftKey, target, currentTarget } = event;
    if (key !== 'Tab' || shiftKey || target !== currentTarget) return;
    const startAt = start.current;
    start.current = undefined;
    if (startAt === undefined || startAt === currentTarget) return;
    swallow(event);
    startAt.focus();
  }, []);
  return { props: { ref, tabIndex: -1, onKeyDownCapture, onKeyDown: keepTabInside }, noteOrigin };
}

/** A long question is read from its beginning: no key must answer while the button with the focus is not visible. */
function findStart(panel: HTMLElement): HTMLElement {
  const start = panel.querySelector<HTMLElement>('[data-autofocus]') ?? panel;
  const isBelow = start.getBoundingClientRect().bottom > panel.getBoundingClientRect().bottom;
  return isBelow ? panel : start;
}
