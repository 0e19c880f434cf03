import { useState } from 'react';
import { describeThrown } from '../../shared/errors.ts';
import type { FileReference } from '../../state/message.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { Attachments } from './use-attachments.ts';

/** What a person sends. */
export interface ComposedMessage {
  readonly content: string;
  /** Uploaded already. Absent when there are none. */
  readonly files?: readonly FileReference[];
}

export interface ComposerInput {
  readonly text: string;
  readonly isEmpty: boolean;
  /** Messages that were sent and are not out yet. */
  readonly unsentCount: number;
  /** Why the last message was not sent. */
  readonly refusal: string | undefined;
  setText(text: string): void;
  send(): void;
}

/**
 * What is being written. It leaves the field when it is sent and comes back when that fails: where sending rejects,
 * nothing was sent. What was typed in between stays, below it.
 */
export function useComposerInput(
  attachments: Attachments,
  onSend: (message: ComposedMessage) => unknown,
): ComposerInput {
  const labels = useLabels();
  const [text, setText] = useState('');
  const [underWay, setUnderWay] = useState(0);
  const [refusal, setRefusal] = useState<string>();

  const send = async () => {
    const files = attachments.items.flatMap(({ state }) =>
      state.status === 'uploaded' ? [state.reference] : [],
    );
    const taken = attachments.take();
    setText('');
    setRefusal(undefined);
    setUnderWay((count) => count + 1);
    try {
      await onSend({ content: text.trim(), ...(files.length === 0 ? {} : { files }) });
    } catch (thrown) {
      setText((typed) => [text, typed].filter(Boolean).join('\n'));
      attachments.restore(taken);
      setRefusal(displayText(describeThrown(thrown, labels.unknownError), 300));
    } finally {
      setUnderWay((count) => count - 1);
    }
  };

  return {
    text,
    isEmpty: text.trim() === '' && attachments.items.length === 0,
    unsentCount: underWay,
    refusal,
    setText(next) {
      setRefusal(undefined);
      setText(next);
    },
    send: () => void send(),
  };
}
