import { type MouseEvent, useContext, useRef } from 'react';
import type { DialogFrameValue } from '../primitives/surface-context.ts';
import { ClockContext, swallow } from './use-arming.ts';

/** Operating systems take two presses within this many milliseconds for one double click. */
const DOUBLE_PRESS_MS = 500;

/**
 * Ignores the second half of a double click: it must neither answer nor dismiss the question that the first half
 * opened, because the person has not read that question yet.
 *
 * Call `start` when the dialog opens. A click event carries its count. The pointer press on the backdrop, which comes before
 * its click, does not, so `isSecondHalf` compares times.
 *
 * @param frame the frame of this dialog
 */
export function useDoublePress(frame: DialogFrameValue | undefined) {
  const clock = useContext(ClockContext);
  const pressedBefore = useRef(Number.NEGATIVE_INFINITY);
  const isClicked = useRef(false);
  return {
    start() {
      pressedBefore.current = frame?.pressedAt.current ?? Number.NEGATIVE_INFINITY;
      isClicked.current = false;
    },
    isSecondHalf: () => clock.now() - pressedBefore.current < DOUBLE_PRESS_MS,
    onClickCapture(event: MouseEvent) {
      // `detail` is 0 when a key pressed the button.
      if (event.detail <= 1) isClicked.current = true;
      if (!isClicked.current) swallow(event);
    },
  };
}
