import { type RefObject, useEffect, useRef, useState } from 'react';
import type { UIMessage } from '../../state/message.ts';
import { useLabels } from '../text/labels-context.tsx';

/**
 * What screen readers say of the answers: that one is on its way, then its text, once it is whole. Each delta would
 * talk over the last, and `aria-busy` on a log is not heeded by all of them. What a restored conversation begins
 * with is not read out.
 */
export function useSpokenAnswer(
  messages: readonly UIMessage[],
  isBusy: boolean,
  content: RefObject<HTMLElement | null>,
): string {
  const labels = useLabels();
  const [answer, setAnswer] = useState('');
  const wasBusy = useRef(false);
  const last = messages.at(-1);
  const isAnswer = last?.role === 'assistant';
  // A question in the middle of it does not end an answer.
  const isUnfinished = isBusy || (isAnswer && last.status === 'streaming');
  useEffect(() => {
    // What is left of the answer before would be read out once more when this one ends.
    if (isUnfinished) setAnswer('');
    else if (wasBusy.current && isAnswer) setAnswer(readLast(content.current));
    wasBusy.current = isUnfinished;
  }, [isUnfinished, isAnswer, content]);
  if (isUnfinished) return isBusy ? labels.answering : '';
  return answer === '' ? '' : `${labels.roles.assistant}: ${answer}`;
}

/** As it stands on the page, so that it is read as it is shown, whatever shows it. */
function readLast(content: HTMLElement | null): string {
  const message = [...(content?.querySelectorAll('[data-message]') ?? [])].at(-1);
  const texts = [...(message?.querySelectorAll('[data-part="text"]') ?? [])];
  return texts.map((text) => text.textContent).join(' ');
}
