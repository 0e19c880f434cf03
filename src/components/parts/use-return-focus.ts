import { useCallback, useEffect, useRef } from 'react';
import { parentAcrossShadow, readActiveElement } from './focus-in-shadow.ts';

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
    return () => {
      stillOpen.current = false;
    };
  }, [open]);

  /**
   * Called before the focus moves into a dialog. The second of a row of dialogs keeps the place of the first, unless the
   * focus has been put somewhere else since: into another dialog, which may still be open then.
   */
  const remember = useCallback(() => {
    if (trail.current.length > 0 && !isTaken()) return;
    const path: HTMLElement[] = [];
    for (let node = readActiveElement(); node instanceof HTMLElement; node = parentAcrossShadow(node))
      path.push(node);
    trail.current = path;
  }, []);

  const restore = useCallback(() => {
    if (stillOpen.current) return;
    const [origin, ...around] = trail.current;
    trail.current = [];
    if (origin === undefined || isTaken()) return;
    origin.focus({ preventScroll: true });
    if (readActiveElement() === origin) return;
    const left = around.find((element) => element.isConnected);
    if (left !== undefined) focusOnce(left);
  }, []);

  return { remember, restore };
}

/** Somebody has moved the focus meanwhile: the app that heard of the answer, or a person who was quick. */
export function isTaken(): boolean {
  const active = readActiveElement();
  return active !== null && active !== document.body;
}

/** Focuses an element that is not a tab stop, without making it one. */
export function focusOnce(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.setAttribute('tabindex', '-1');
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}
