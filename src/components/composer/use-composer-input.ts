import { useState } from 'react';
import type { FileReference } from '../../core/state/message.ts';
import type { Attachments } from '../attachments/use-attachments.ts';
import { describeError } from '../text/describe-error.ts';
import { englishErrorLabels } from '../text/error-labels.ts';
import { useLabels } from '../text/labels-context.tsx';

/** A message from the composer. */
export interface ComposedMessage {
  readonly content: string;
  /** Uploaded files. Absent when there are none. */
  readonly files?: readonly FileReference[];
}

export interface ComposerInput {
  readonly text: string;
  readonly isEmpty: boolean;
  /** The number of messages whose sending has not ended. */
  readonly unsentCount: number;
  /** The reason why the last message was not sent. */
  readonly refusal: string | undefined;
  setText(text: string): void;
  send(): void;
}

/**
 * The text and files in the composer. Sending clears the field. If sending rejects, the text comes back, above any text
 * that the person has typed in the meantime.
 */
export function useComposerInput(
  attachments: Attachments,
  onSend: (message: ComposedMessage) => unknown,
): ComposerInput {
  const labels = useLabels(englishErrorLabels);
  const [text, setText] = useState('');
  const [unsentCount, setUnsentCount] = useState(0);
  const [refusal, setRefusal] = useState<string>();

  const send = async () => {
    const files = attachments.items.flatMap(({ state }) =>
      state.status === 'uploaded' ? [state.reference] : [],
    );
    const taken = attachments.take();
    setText('');
    setRefusal(undefined);
    setUnsentCount((count) => count + 1);
    try {
      await onSend({ content: text.trim(), ...(files.length === 0 ? {} : { files }) });
    } catch (thrown) {
      setText((typed) => [text, typed].filter(Boolean).join('\n'));
      attachments.restore(taken);
      setRefusal(describeError(thrown, labels));
    } finally {
      setUnsentCount((count) => count - 1);
    }
  };

  return {
    text,
    isEmpty: text.trim() === '' && attachments.items.length === 0,
    unsentCount,
    refusal,
    setText(next) {
      setRefusal(undefined);
      setText(next);
    },
    send: () => void send(),
  };
}
