import { useEffect, useState } from 'react';

/**
 * Keeps the content of an element in the part of the window that an on-screen keyboard leaves free. Browsers lay the
 * keyboard over the page and scroll the focused field into view, but the page is locked below a dialog, so the person could
 * not scroll to the buttons. Put the returned ref on the element. The drawers of vaul use the visual viewport in the same way.
 */
export function useVisibleRoom(): (element: HTMLElement | null) => void {
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const view = window.visualViewport;
    if (!element || !view) return;
    const makeRoom = ({ type }: { type?: string }) => {
      const { top, bottom } = element.getBoundingClientRect();
      const hidden = [view.offsetTop - top, bottom - view.offsetTop - view.height];
      // A person who has zoomed in sees only a part of the page on purpose.
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
