import { type RefObject, useCallback, useRef, useState } from 'react';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { focusOnce } from '../hooks/use-return-focus.ts';

/** The position of the first waiting question, relative to the visible part of the transcript. */
export type QuestionPlace = 'none' | 'in-view' | 'above' | 'below';

export interface TranscriptScroll {
  readonly viewport: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The reader is at the end, and the transcript stays there while text arrives. */
  readonly atEnd: boolean;
  readonly question: QuestionPlace;
  goToEnd(): void;
  goToQuestion(): void;
}

/** Zoomed pages have fractional scroll positions. */
const AT_END_TOLERANCE_PX = 1.5;
/** A question with at least this height in view counts as visible. */
const MIN_VISIBLE_PX = 48;

/**
 * Keeps the transcript at its end while the content grows, until the reader scrolls up. Then nothing moves until the reader
 * is back at the end.
 *
 * The scroll position shows a scroll of the reader: while the content keeps its height, `scrollTop` decreases only if the
 * reader scrolls up by any means, and content that grows below the reader moves nothing. Listening for wheel, keys and
 * touch, as other libraries do, misses the scroll bar, the browser's search and screen readers. A reversed flex box needs no
 * code, but moves the text under the reader in browsers without scroll anchoring.
 *
 * @param sent changes when the person sends a message, which always scrolls to the end
 * @param isEmpty there are no messages; the content shown instead starts at its top
 */
export function useTranscriptScroll(sent: string | undefined, isEmpty: boolean): TranscriptScroll {
  const viewport = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [seen, setSeen] = useState<Pick<TranscriptScroll, 'atEnd' | 'question'>>({
    atEnd: true,
    question: 'none',
  });
  const lastSeen = useRef(seen);

  const look = useCallback(() => {
    const view = viewport.current;
    if (view === null) return;
    const question = placeOf(findQuestion(view), view);
    const atEnd = isFollowing.current;
    const before = lastSeen.current;
    // React 18 renders once more for a state that stays the same, and each render looks again.
    if (before.atEnd === atEnd && before.question === question) return;
    lastSeen.current = { atEnd, question };
    setSeen(lastSeen.current);
  }, []);

  const goToEnd = useCallback(() => {
    isFollowing.current = true;
    if (viewport.current !== null) viewport.current.scrollTop = viewport.current.scrollHeight;
    look();
  }, [look]);

  const goToQuestion = useCallback(() => {
    const question = viewport.current && findQuestion(viewport.current);
    if (question === null) return;
    question.scrollIntoView({ block: 'start' });
    focusOnce(question);
  }, []);

  useBeforePaint(() => {
    if (viewport.current === null || content.current === null) return;
    return followEnd(viewport.current, content.current, isFollowing, isEmpty, look);
  }, [look, isEmpty]);

  useBeforePaint(() => {
    if (!isEmpty) goToEnd();
  }, [sent, isEmpty, goToEnd]);
  // Any render may add or remove a question.
  useBeforePaint(look);

  return { viewport, content, ...seen, goToEnd, goToQuestion };
}

/** Watches scrolling and growth. Updates `isFollowing`, and keeps the view at the end while it is true. */
function followEnd(
  view: HTMLElement,
  content: HTMLElement,
  isFollowing: RefObject<boolean>,
  isEmpty: boolean,
  onChange: () => void,
): () => void {
  let top = view.scrollTop;
  let height = view.scrollHeight;
  const remember = () => {
    top = view.scrollTop;
    height = view.scrollHeight;
    onChange();
  };
  const onScroll = () => {
    // When the height has changed as well, the browser may have scrolled.
    const isByReader = view.scrollTop < top && view.scrollHeight === height;
    if (distanceToEnd(view) < AT_END_TOLERANCE_PX) isFollowing.current = true;
    else if (isByReader) isFollowing.current = false;
    remember();
  };
  const onResize = () => {
    if (isFollowing.current && !isEmpty) view.scrollTop = view.scrollHeight;
    remember();
  };
  view.addEventListener('scroll', onScroll, { passive: true });
  // jsdom has neither ResizeObserver nor sizes.
  const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(onResize);
  observer?.observe(view);
  observer?.observe(content);
  return () => {
    view.removeEventListener('scroll', onScroll);
    observer?.disconnect();
  };
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}

/** Cards have these attributes while they wait for an answer. The app's own component may set them too. */
function findQuestion(view: HTMLElement): HTMLElement | null {
  return view.querySelector<HTMLElement>('[data-answer="waiting"], [data-answer="refused"]');
}

function placeOf(question: HTMLElement | null, view: HTMLElement): QuestionPlace {
  if (question === null) return 'none';
  const frame = view.getBoundingClientRect();
  const box = question.getBoundingClientRect();
  const enough = Math.min(MIN_VISIBLE_PX, box.height);
  if (box.bottom < frame.top + enough) return 'above';
  if (box.top > frame.bottom - enough) return 'below';
  return 'in-view';
}
