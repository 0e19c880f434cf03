import { type MouseEvent, type RefObject, useContext, useRef } from 'react';
import { ClockContext } from './use-arming.ts';

/** Milliseconds within which systems take two presses for one gesture. */
const DOUBLE_PRESS_MS = 500;

/**
 * A double click is one gesture. Its second half must neither answer nor put away the question that its first half
 * brought up, which nobody has read yet.
 *
 * `meet` begins, when the dialog opens. A click says itself that it is a second one; the press on the backdrop, which
 * comes before its click, does not, so there it goes by the time.
 *
 * @param pressedAt when somebody last pressed on this dialog's frame
 */
export function useDoublePress(pressedAt: RefObject<number>) {
  const clock = useContext(ClockContext);
  const pressedBefore = useRef(Number.NEGATIVE_INFINITY);
  const isClicked = useRef(false);
  return {
    meet() {
      pressedBefore.current = pressedAt.current;
      isClicked.current = false;
    },
    isSecondHalf: () => clock.now() - pressedBefore.current < DOUBLE_PRESS_MS,
    onClickCapture(event: MouseEvent) {
      // Zero where a key pressed the button.
      if (event.detail <= 1) isClicked.current = true;
      if (isClicked.current) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
