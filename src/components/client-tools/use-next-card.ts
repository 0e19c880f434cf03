import { type RefObject, useCallback, useContext, useEffect, useRef } from 'react';
import type { AnyTool } from '../parts/any-tool.ts';
import { readActiveElement } from '../parts/focus-in-shadow.ts';
import { focusOnce, useReturnFocus } from '../parts/use-return-focus.ts';
import { KeepFocusContext } from '../transcript/use-transcript-scroll.ts';

/**
 * An answered card goes away, and would take the focus along to the top of the page. The next card gets it; after the
 * last one the transcript around it, or else whatever is left of the surroundings.
 *
 * @returns `markAnswered`, to be called while the card is still there
 */
export function useNextCard(
  list: RefObject<HTMLElement | null>,
  markAnswered: (tool: AnyTool) => void,
): (tool: AnyTool) => void {
  const { remember, restore } = useReturnFocus(false);
  const keepFocus = useContext(KeepFocusContext);
  const others = useRef<readonly HTMLElement[]>(undefined);

  useEffect(() => {
    if (others.current === undefined) return;
    const next = others.current.find((card) => card.isConnected);
    others.current = undefined;
    // Takes the remembered place along in any case.
    restore();
    if (next !== undefined) focusOnce(next);
  });

  return useCallback(
    (tool) => {
      markAnswered(tool);
      const cards = [...(list.current?.children ?? [])].filter((card) => card instanceof HTMLElement);
      const index = cards.findIndex((card) => card.contains(readActiveElement()));
      if (index === -1) return;
      others.current = [...cards.slice(index + 1), ...cards.slice(0, index).reverse()];
      keepFocus();
      remember();
    },
    [list, markAnswered, keepFocus, remember],
  );
}
