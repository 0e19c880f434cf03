import { type FormEvent, useId, useRef, useState } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import type { AnyTool } from '../any-tool.ts';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { readVerbs } from '../text/answer-words.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { Batch } from './use-batch.ts';
import { WordField } from './word-field.tsx';

interface ConfirmActionsProps {
  readonly tool: AnyTool;
  readonly severity: Severity;
  /** A word to type before Confirm works. */
  readonly confirmWord: string | undefined;
  readonly busy: boolean;
  readonly batch: Batch;
  /** The button to focus when the person comes back from the reason. */
  readonly focusOn: 'reason' | undefined;
  readonly onConfirm: () => void;
  readonly onDecline: () => void;
  readonly onReason: () => void;
}

/** Confirm, Decline, and the button that opens the reason. */
export function ConfirmActions(props: ConfirmActionsProps) {
  const { confirmWord, busy, onConfirm } = props;
  const wordId = useId();
  const wordRef = useRef<HTMLInputElement>(null);
  const [word, setWord] = useState('');
  const [wordMissing, setWordMissing] = useState(false);

  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (confirmWord !== undefined && word.trim() !== confirmWord.trim()) {
      setWordMissing(true);
      wordRef.current?.focus();
    } else if (!busy) {
      onConfirm();
    }
  };
  return (
    <Slot slotName="form" as="form" className="hr-form" onSubmit={confirm} noValidate>
      {confirmWord !== undefined && (
        <WordField
          id={wordId}
          inputRef={wordRef}
          confirmWord={confirmWord}
          word={word}
          missing={wordMissing}
          onChange={(next) => {
            setWord(next);
            setWordMissing(false);
          }}
        />
      )}
      <ActionButtons {...props} />
    </Slot>
  );
}

function ActionButtons({
  tool,
  severity,
  confirmWord,
  busy,
  batch,
  focusOn,
  onDecline,
  onReason,
}: ConfirmActionsProps) {
  const labels = useLabels();
  const verbs = readVerbs(tool, labels);
  return (
    <Slot slotName="footer" as="div" className="hr-footer" data-spread="">
      <Button look="quiet" autoFocus={focusOn === 'reason'} onClick={onReason} aria-disabled={busy}>
        {labels.declineWithReason}
      </Button>
      <div className="hr-actions">
        <Button onClick={onDecline} autofocus={severity !== 'neutral'} aria-disabled={busy}>
          {verbs.no}
        </Button>
        {batch.others.length > 0 && (
          <Button onClick={batch.confirmAll} aria-disabled={busy}>
            {verbs.yesToAll(batch.others.length + 1)}
          </Button>
        )}
        <Button
          type="submit"
          look="primary"
          data-severity={severity}
          autofocus={severity === 'neutral' && confirmWord === undefined}
          aria-disabled={busy}
        >
          {verbs.yes}
        </Button>
      </div>
    </Slot>
  );
}
