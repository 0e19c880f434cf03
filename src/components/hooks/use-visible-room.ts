import { useEffect, useState } from 'react';

/**
 * Keeps what lies in an element in the part of the window that an on-screen keyboard leaves. Browsers lay the keyboard over
 * the page and move the page to the focused field, and a page that is locked below a dialog cannot be moved to the buttons.
 * Put the returned ref on it. vaul goes by the visual viewport as well, for its drawers.
 */
export function useVisibleRoom(): (element: HTMLElement | null) => void {
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const view = window.visualViewport;
    if (!element || !view) return;
    const makeRoom = ({ type }: { type?: string }) => {
      const { top, bottom } = element.getBoundingClientRect();
      const hidden = [view.offsetTop - top, bottom - view.offsetTop - view.height];
      // Who has zoomed in sees a part on purpose.
      element.style.paddingBlock = hidden.map((px) => `${view.scale > 1 ? 0 : Math.max(0, px)}px`).join(' ');
      if (type === 'resize') element.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
    };
    makeRoom({});
    view.addEventListener('resize', makeRoom);
    view.addEventListener('scroll', makeRoom);
    return () => {
      view.removeEventListener('resize', makeRoom);
      view.removeEventListener('scroll', makeRoom);
    };
  }, [element]);
  return setElement;
}
