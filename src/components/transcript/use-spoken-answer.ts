import { type RefObject, useEffect, useRef, useState } from 'react';
import type { UIMessage } from '../../core/state/message.ts';
import { useLabels } from '../text/labels-context.tsx';
import { englishTranscriptLabels } from '../text/transcript-labels.ts';

/**
 * The text that screen readers read out: first that an answer is being written, then the complete answer. Reading each
 * delta would interrupt the one before, and not all screen readers respect `aria-busy` on a log. Restored messages are not
 * read out.
 */
export function useSpokenAnswer(
  messages: readonly UIMessage[],
  isBusy: boolean,
  content: RefObject<HTMLElement | null>,
): string {
  const labels = useLabels(englishTranscriptLabels);
  const [answer, setAnswer] = useState('');
  const wasBusy = useRef(false);
  const last = messages.at(-1);
  const isAnswer = last?.role === 'assistant';
  // A question in the middle of an answer does not end it.
  const isUnfinished = isBusy || (isAnswer && last.status === 'streaming');
  useEffect(() => {
    // Without this, the former answer would be read out again when the next answer ends.
    if (isUnfinished) setAnswer('');
    else if (wasBusy.current && isAnswer) setAnswer(readLast(content.current));
    wasBusy.current = isUnfinished;
  }, [isUnfinished, isAnswer, content]);
  if (isUnfinished) return isBusy ? labels.answering : '';
  return answer === '' ? '' : `${labels.roles.assistant}: ${answer}`;
}

/** Reads the last message from the page, so that the app's own renderers count too. Text of another thread is not the answer. */
function readLast(content: HTMLElement | null): string {
  const message = [...(content?.querySelectorAll('[data-message]') ?? [])].at(-1);
  const texts = [...(message?.querySelectorAll('[data-part="text"]:not([data-thread])') ?? [])];
  return texts.map((text) => text.textContent).join(' ');
}
