import { type FormEvent, useId, useRef, useState } from 'react';
import type { Severity } from '../../tools/client-tool.ts';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { ConfirmWords } from './read-confirm-words.ts';
import type { Batch } from './use-batch.ts';
import { WordField } from './word-field.tsx';

/** Confirm, decline, and the ways to a reason and to other arguments. */
export function ConfirmActions({
  severity,
  confirmWord,
  busy,
  words,
  onDecline,
  focusOn,
  onReason,
  onEdit,
  batch,
  onConfirm,
}: {
  severity: Severity;
  confirmWord: string | undefined;
  busy: boolean;
  words: ConfirmWords;
  onDecline: () => void;
  /** The person came back from giving a reason or editing, and finds these anew: the focus goes on where it left. */
  focusOn: 'reason' | 'edit' | undefined;
  onReason: () => void;
  /** Where the arguments can be corrected. */
  onEdit: (() => void) | undefined;
  onConfirm: () => void;
  batch: Batch;
}) {
  const labels = useLabels();
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
      <Slot slotName="footer" as="footer" className="hr-footer" data-spread="">
        <Button look="quiet" autoFocus={focusOn === 'reason'} onClick={onReason} aria-disabled={busy}>
          {labels.declineWithReason}
        </Button>
        {onEdit !== undefined && (
          <Button look="quiet" autoFocus={focusOn === 'edit'} onClick={onEdit} aria-disabled={busy}>
            {labels.edit}
          </Button>
        )}
        <div className="hr-actions">
          <Button onClick={onDecline} autofocus={severity !== 'neutral'} aria-disabled={busy}>
            {words.no}
          </Button>
          {batch.others.length > 0 && (
            <Button onClick={batch.confirmAll} aria-disabled={busy}>
              {words.yesToAll(batch.others.length + 1)}
            </Button>
          )}
          <Button
            type="submit"
            look="primary"
            data-severity={severity}
            autofocus={severity === 'neutral' && confirmWord === undefined}
            aria-disabled={busy}
          >
            {words.yes}
          </Button>
        </div>
      </Slot>
    </Slot>
  );
}
