import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useBeforePaint } from './use-before-paint.ts';
import { focusOnce } from './use-return-focus.ts';

/** What of a question has to be in view before a yes: rows of arguments, and code. A row inside of a row belongs to that row. */
const DETAILS = '.hr-entry, [data-detail]';
const listDetails = (root: Element) =>
  [...root.querySelectorAll<HTMLElement>(DETAILS)].filter(
    (detail) => detail.parentElement?.closest(DETAILS) === null,
  );

/** Events after which other details may be in view. A dialog comes in with an animation. */
const MOVES = ['scroll', 'resize', 'animationend', 'transitionend'] as const;

export interface SeenDetails {
  /** Put it on the element around all that has to be seen. */
  readonly region: RefObject<HTMLDivElement | null>;
  /** The details that were not in view yet. Undefined before the first look: nothing counts as seen then. */
  readonly unseen: { readonly count: number; readonly isAbove: boolean } | undefined;
  /** Scrolls to the first detail that was not in view yet, and moves the focus there. */
  showNext(): void;
}

/**
 * Watches whether the details of a question were in view, each from its start to its end, at any time since it opened. Text that
 * is folded inside a detail counts as seen; `[data-fold]` marks a detail of which the rest must be opened first.
 *
 * In view means inside of the window, of every box that scrolls, and not below the strip or the foot of its question. In a window
 * that is too small for both, those do not stay in place, so every detail can be brought into view.
 */
export function useSeen(isWatching: boolean): SeenDetails {
  const region = useRef<HTMLDivElement>(null);
  const edges = useRef(new WeakMap<Element, { top: boolean; bottom: boolean }>());
  const [unseen, setUnseen] = useState<SeenDetails['unseen']>();

  const look = useCallback(() => {
    const root = region.current;
    if (root === null) return;
    const view = readView(root);
    const missing = listDetails(root).filter((detail) => !wasSeen(detail, view, edges.current));
    const isAbove =
      missing.length > 0 && missing.every((detail) => detail.getBoundingClientRect().top < view.top);
    setUnseen((before) =>
      before?.count === missing.length && before.isAbove === isAbove
        ? before
        : { count: missing.length, isAbove },
    );
  }, []);

  // After each render: a detail may have been added or opened.
  useBeforePaint(() => {
    if (isWatching) look();
  });
  const isMissingSome = isWatching && unseen?.count !== 0;
  useEffect(() => {
    if (!isMissingSome) return;
    for (const event of MOVES) window.addEventListener(event, look, { capture: true, passive: true });
    return () => {
      for (const event of MOVES) window.removeEventListener(event, look, { capture: true });
    };
  }, [isMissingSome, look]);
  useEffect(() => {
    if (!isWatching || region.current === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(look);
    observer.observe(region.current);
    return () => observer.disconnect();
  }, [isWatching, look]);

  const showNext = useCallback(() => {
    const root = region.current;
    const view = root && readView(root);
    const next = root && listDetails(root).find((detail) => !wasSeen(detail, view, edges.current));
    if (!root || !next) return;
    // A fold that was in view already needs a press, not a scroll.
    const fold = next.querySelector<HTMLElement>('[data-fold]') ?? next;
    focusOnce(fold);
    fold.scrollIntoView({ block: fold === next ? 'start' : 'center' });
    look();
  }, [look]);
  return { region, unseen, showNext };
}

interface View {
  readonly top: number;
  readonly bottom: number;
}

/** Half a device pixel may be lost where a box is laid out between two of them. */
const TOLERANCE = 1.5;

function wasSeen(
  detail: Element,
  view: View | null,
  edges: WeakMap<Element, { top: boolean; bottom: boolean }>,
): boolean {
  const before = edges.get(detail) ?? { top: false, bottom: false };
  if (before.top && before.bottom) return true;
  const isFolded = detail.querySelector('[data-fold]') !== null;
  if (view !== null && detail.checkVisibility?.() !== false) {
    const { top, bottom } = detail.getBoundingClientRect();
    const isInView = (edge: number) => edge >= view.top - TOLERANCE && edge <= view.bottom + TOLERANCE;
    before.top ||= isInView(top);
    before.bottom ||= isInView(bottom) && !isFolded;
    edges.set(detail, before);
  }
  return before.top && before.bottom;
}

/** The part of the window in which the person can see the content of an element. */
function readView(element: Element): View {
  let top = 0;
  let bottom = window.innerHeight;
  for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement) {
    const { overflowY } = getComputedStyle(box);
    if (overflowY === 'visible' || overflowY === '') continue;
    const rect = box.getBoundingClientRect();
    top = Math.max(top, rect.top);
    bottom = Math.min(bottom, rect.bottom);
  }
  const surface = element.closest('.hr-surface');
  for (const cover of surface?.querySelectorAll('.hr-strip, .hr-footer') ?? []) {
    if (getComputedStyle(cover).position !== 'sticky') continue;
    const rect = cover.getBoundingClientRect();
    if (cover.matches('.hr-strip')) top = Math.max(top, rect.bottom);
    else bottom = Math.min(bottom, rect.top);
  }
  return { top, bottom };
}
