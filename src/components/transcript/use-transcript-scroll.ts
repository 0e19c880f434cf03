import { createContext, type RefObject, useCallback, useRef, useState } from 'react';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { focusOnce } from '../hooks/use-return-focus.ts';

/** Puts the focus on the transcript before the element that has it goes away. Does nothing outside of one. */
export const KeepFocusContext = /* @__PURE__ */ createContext<() => void>(() => {});

/** Where the question that has waited longest is, seen from what the reader looks at. */
export type QuestionPlace = 'none' | 'in-view' | 'above' | 'below';

interface Scroll {
  readonly viewport: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The reader is at the end, and stays there while text comes in. */
  readonly atEnd: boolean;
  readonly question: QuestionPlace;
  goToEnd(): void;
  goToQuestion(): void;
}

/** Fractions of a pixel, as zoomed pages have them. */
const AT_END_TOLERANCE_PX = 1.5;
/** So much of a question has to be in sight. */
const MIN_VISIBLE_PX = 48;

/**
 * Stays at the end while the content grows, until the reader scrolls up; then nothing moves until they are back.
 *
 * The position itself says so: as long as the content is as high as before, `scrollTop` gets smaller only when somebody
 * scrolls up, by whatever means, and content growing below a reader moves nothing. Listening for wheel, keys and touch,
 * as others do, misses the scroll bar, the search of the browser and screen readers. A reversed flex box would do
 * without code, but moves the text under a reader in browsers without scroll anchoring.
 *
 * @param sent changes when the person says something, which always leads to the end
 * @param isEmpty nothing was said yet: what stands there instead is read from its beginning
 */
export function useTranscriptScroll(sent: string | undefined, isEmpty: boolean): Scroll {
  const viewport = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  const [seen, setSeen] = useState<Pick<Scroll, 'atEnd' | 'question'>>({ atEnd: true, question: 'none' });

  const look = useCallback(() => {
    const view = viewport.current;
    if (view === null) return;
    const question = placeOf(findQuestion(view), view);
    const atEnd = sticks.current;
    setSeen((before) =>
      before.atEnd === atEnd && before.question === question ? before : { atEnd, question },
    );
  }, []);

  const goToEnd = useCallback(() => {
    sticks.current = true;
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
    const view = viewport.current;
    if (view === null || content.current === null) return;
    let top = view.scrollTop;
    let height = view.scrollHeight;
    const remember = () => {
      top = view.scrollTop;
      height = view.scrollHeight;
      look();
    };
    const onScroll = () => {
      // Where the content has another height as well, it may be the browser that moved.
      const isReaders = view.scrollTop < top && view.scrollHeight === height;
      if (distanceToEnd(view) < AT_END_TOLERANCE_PX) sticks.current = true;
      else if (isReaders) sticks.current = false;
      remember();
    };
    const onResize = () => {
      if (sticks.current && !isEmpty) view.scrollTop = view.scrollHeight;
      remember();
    };
    view.addEventListener('scroll', onScroll, { passive: true });
    // Absent where nothing has a size either, such as jsdom.
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(onResize);
    observer?.observe(view);
    observer?.observe(content.current);
    return () => {
      view.removeEventListener('scroll', onScroll);
      observer?.disconnect();
    };
  }, [look, isEmpty]);

  // What the person says is at the end.
  useBeforePaint(() => {
    if (!isEmpty) goToEnd();
  }, [sent, isEmpty, goToEnd]);
  // A question may come or go with any render.
  useBeforePaint(look);

  return { viewport, content, ...seen, goToEnd, goToQuestion };
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}

/** Cards mark themselves so, also when an answer was not taken; a question of the app's own may do the same. */
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
