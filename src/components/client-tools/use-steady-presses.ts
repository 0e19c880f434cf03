import { type MouseEvent, useCallback, useContext, useRef } from 'react';
import { ARMING_DELAY_MS, ClockContext, swallow } from '../hooks/use-arming.ts';
import { useBeforePaint } from '../hooks/use-before-paint.ts';

/**
 * Drops presses that a person meant for a card that is gone: the second press of a double click, or a press just when somebody else
 * answers the question above. After the cards have moved, no press counts for as long as a dialog takes to arm. Returns the handler for the capture phase of the list.
 *
 * @param keys names the cards of the list, in any order
 */
export function useSteadyPresses(keys: readonly string[]): (event: MouseEvent) => void {
  const clock = useContext(ClockContext);
  const movedAt = useRef(-Infinity);
  const keysBefore = useRef<readonly string[]>([]);
  useBeforePaint(() => {
    if (keysBefore.current.some((key) => !keys.includes(key))) movedAt.current = clock.now();
    keysBefore.current = keys;
  });
  return useCallback(
    (event: MouseEvent) => {
      // A key that presses a button has `detail` 0: the focus moves with the cards.
      const isPress = event.isTrusted && event.detail > 0;
      if (isPress && clock.now() - movedAt.current < ARMING_DELAY_MS) swallow(event);
    },
    [clock],
  );
}
