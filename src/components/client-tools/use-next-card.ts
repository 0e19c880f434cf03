import { useCallback, useContext, useRef } from 'react';
import { useBeforePaint } from '../../react/use-before-paint.ts';
import { focusOnce, isFocusElsewhere, useReturnFocus } from '../hooks/use-return-focus.ts';
import { readActiveElement } from '../primitives/focus-in-shadow.ts';
import { KeepFocusContext } from '../transcript/use-transcript-scroll.ts';

/**
 * Moves the focus on when a card with the focus is removed; without this, the browser moves it to the top of the page. The
 * next card gets the focus. After the last card, the transcript around it gets the focus, or else the closest element
 * around the card that is still on the page.
 *
 * @returns a function to call while the card is still on the page
 */
export function useNextCard(): () => void {
  const { remember, restore } = useReturnFocus(false);
  const keepFocus = useContext(KeepFocusContext);
  const removed = useRef<{ cards: HTMLCollection; index: number }>(undefined);

  useBeforePaint(() => {
    if (removed.current === undefined) return;
    const { cards, index } = removed.current;
    removed.current = undefined;
    const next = cards[index] ?? cards[cards.length - 1];
    if (!isFocusElsewhere()) next?.isConnected ? focusOnce(next as HTMLElement) : keepFocus();
    // Also forgets the remembered element when the focus has moved on.
    restore();
  });

  return useCallback(() => {
    const card = readActiveElement()?.closest('.hr-inline > *');
    const cards = card?.parentElement?.children;
    if (!card || !cards) return;
    // The remaining cards move up, so the index of the removed card is that of the next one.
    removed.current = { cards, index: [...cards].indexOf(card) };
    remember();
  }, [remember]);
}
