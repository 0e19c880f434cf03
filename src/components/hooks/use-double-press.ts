import { type MouseEvent, useContext, useRef } from 'react';
import type { DialogFrameValue } from '../primitives/surface-context.ts';
import { ClockContext, swallow } from './use-arming.ts';

/** Milliseconds within which systems take two presses for one gesture. */
const DOUBLE_PRESS_MS = 500;

/**
 * A double click is one gesture. Its second half must neither answer nor put away the question that its first half
 * brought up, which nobody has read yet.
 *
 * `meet` begins, when the dialog opens. A click says itself that it is a second one; the press on the backdrop, which
 * comes before its click, does not, so there it goes by the time.
 *
 * @param frame this dialog's
 */
export function useDoublePress(frame: DialogFrameValue | undefined) {
  const clock = useContext(ClockContext);
  const pressedBefore = useRef(Number.NEGATIVE_INFINITY);
  const isClicked = useRef(false);
  return {
    meet() {
      pressedBefore.current = frame?.pressedAt.current ?? Number.NEGATIVE_INFINITY;
      isClicked.current = false;
    },
    isSecondHalf: () => clock.now() - pressedBefore.current < DOUBLE_PRESS_MS,
    onClickCapture(event: MouseEvent) {
      // Zero where a key pressed the button.
      if (event.detail <= 1) isClicked.current = true;
      if (!isClicked.current) swallow(event);
    },
  };
}
