import { useCallback, useEffect, useRef } from 'react';
import { parentAcrossShadow, readActiveElement } from '../primitives/focus-in-shadow.ts';

/**
 * Where the focus goes when a dialog closes: back to where it was. When that element is gone by then (the button
 * that asked was replaced by the answer), to what is left of its surroundings, so that a screen reader does not
 * start again at the top of the page.
 */
export function useReturnFocus(open: boolean) {
  const trail = useRef<readonly HTMLElement[]>([]);
  const stillOpen = useRef(false);
  useEffect(() => {
    stillOpen.current = open;
    // At once: whoever types on is not kept until a dialog has faded. What asked may go as well by then, so the place stays.
    if (!open) restoreFocus(trail.current);
    return () => {
      stillOpen.current = false;
    };
  }, [open]);

  /**
   * Called before the focus moves into a dialog. The second of a row of dialogs keeps the place of the first, unless the
   * focus has been put somewhere else since: into another dialog, which may still be open then.
   */
  const remember = useCallback(() => {
    if (trail.current.length > 0 && !isFocusElsewhere()) return;
    const path: HTMLElement[] = [];
    for (let node = readActiveElement(); node instanceof HTMLElement; node = parentAcrossShadow(node))
      path.push(node);
    trail.current = path;
  }, []);

  /** Called when the dialog is gone, and forgets the place. */
  const restore = useCallback(() => {
    if (stillOpen.current) return;
    const path = trail.current;
    trail.current = [];
    restoreFocus(path);
  }, []);

  return { remember, restore };
}

/** @param path where the focus was, and what stands around that */
function restoreFocus(path: readonly HTMLElement[]): void {
  const [origin, ...around] = path;
  if (origin === undefined || isFocusElsewhere()) return;
  // The page is hidden from screen readers until the dialog is gone, and what has the focus is to be heard.
  for (const element of path) if (element.dataset.ariaHidden) element.removeAttribute('aria-hidden');
  origin.focus({ preventScroll: true });
  if (readActiveElement() === origin) return;
  const left = around.find((element) => element.isConnected);
  if (left !== undefined) focusOnce(left);
}

/** Somebody has moved the focus out of the dialog: the app that heard of the answer, or a person who was quick. */
export function isFocusElsewhere(): boolean {
  const active = readActiveElement();
  return active?.matches('body, .hr-overlay[data-state="closed"] *') === false;
}

/** Focuses an element that is not a tab stop, without making it one. */
export function focusOnce(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.setAttribute('tabindex', '-1');
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}
