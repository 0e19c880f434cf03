import { type FocusEvent, useCallback, useContext, useRef } from 'react';
import { readActiveElement } from '../hooks/focus-in-shadow.ts';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { focusOnce, isFocusElsewhere, KeepFocusContext, useReturnFocus } from '../hooks/use-return-focus.ts';

/**
 * Moves the focus on when a card with the focus is removed; without this, the browser moves it to the top of the page. The
 * next card gets the focus. After the last card, the element that had the focus before the cards gets it back, such as the
 * composer; without one the transcript around the card, or else the closest element around it that is still on the page.
 *
 * @returns `remember`, the focus handler of the list of cards, and `leave`, to call while the card is still on the page
 */
export function useNextCard(): { remember: (event: FocusEvent) => void; leave: () => void } {
  const { remember, restore } = useReturnFocus(false);
  const keepFocus = useContext(KeepFocusContext);
  const origin = useRef<Element>(null);
  const removed = useRef<{ cards: HTMLCollection; index: number }>(undefined);

  useBeforePaint(() => {
    if (removed.current === undefined) return;
    const { cards, index } = removed.current;
    removed.current = undefined;
    const next = cards[index] ?? cards[cards.length - 1];
    if (!isFocusElsewhere()) {
      if (next?.isConnected) focusOnce(next as HTMLElement);
      else if (origin.current?.isConnected) (origin.current as HTMLElement).focus({ preventScroll: true });
      else keepFocus();
    }
    // Also forgets the remembered element when the focus has moved on.
    restore();
  });

  const leave = useCallback(() => {
    const card = readActiveElement()?.closest('.hr-inline > *');
    const cards = card?.parentElement?.children;
    if (!card || !cards) return;
    // The remaining cards move up, so the index of the removed card is that of the next one.
    removed.current = { cards, index: [...cards].indexOf(card) };
    remember();
  }, [remember]);
  const rememberOrigin = useCallback(({ currentTarget, relatedTarget: before }: FocusEvent) => {
    // A press on a part of a card that takes no focus comes from nowhere, and so does a card that got the focus by script.
    if (before?.matches(':not(body)') && !currentTarget.contains(before)) origin.current = before;
  }, []);
  return { remember: rememberOrigin, leave };
}
