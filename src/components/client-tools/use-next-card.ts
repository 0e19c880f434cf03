import { useCallback, useContext, useRef } from 'react';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { focusOnce, isFocusElsewhere, useReturnFocus } from '../hooks/use-return-focus.ts';
import { readActiveElement } from '../primitives/focus-in-shadow.ts';
import { KeepFocusContext } from '../transcript/use-transcript-scroll.ts';

/**
 * A card goes away, answered or taken back, and would take the focus along to the top of the page. The next card gets
 * it; after the last one the transcript around it, or else whatever is left of the surroundings.
 *
 * @returns to be called while the card is still there
 */
export function useNextCard(): () => void {
  const { remember, restore } = useReturnFocus(false);
  const keepFocus = useContext(KeepFocusContext);
  const left = useRef<{ cards: HTMLCollection; index: number }>(undefined);

  useBeforePaint(() => {
    if (left.current === undefined) return;
    const { cards, index } = left.current;
    left.current = undefined;
    const next = cards[index] ?? cards[cards.length - 1];
    if (!isFocusElsewhere()) next?.isConnected ? focusOnce(next as HTMLElement) : keepFocus();
    // Takes the remembered place along in any case.
    restore();
  });

  return useCallback(() => {
    const card = readActiveElement()?.closest('.hr-inline > *');
    const cards = card?.parentElement?.children;
    if (!card || !cards) return;
    // Those that are left move up.
    left.current = { cards, index: [...cards].indexOf(card) };
    remember();
  }, [remember]);
}
