import { type FormEvent, useId } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import type { SeenDetails } from '../hooks/use-seen.ts';
import { Button } from '../primitives/button.tsx';
import { NoteIcon } from '../primitives/icons.tsx';
import { Slot } from '../primitives/slot.tsx';
import { UnseenPill } from '../primitives/unseen-pill.tsx';
import type { AnswerVerbs } from '../text/answer-words.ts';
import { useLabels } from '../text/labels-context.tsx';
import { NoteField } from './note-field.tsx';
import type { Batch } from './use-batch.ts';
import { useConfirmWord } from './use-confirm-word.ts';
import type { Note } from './use-note.ts';
import { WordField } from './word-field.tsx';

interface ConfirmActionsProps {
  readonly verbs: AnswerVerbs;
  readonly severity: Severity;
  /** A word to type before Confirm works. */
  readonly confirmWord: string | undefined;
  readonly busy: boolean;
  readonly batch: Batch;
  readonly note: Note;
  readonly seen: SeenDetails;
  /** The button to focus when the person comes back from the reason. */
  readonly focusOn: 'no' | undefined;
  readonly onConfirm: () => void;
  readonly onDecline: () => void;
}

/** The word to type, the note, and the foot with the answers. A yes that does not count yet says why, and a press on it leads there. */
export function ConfirmActions(props: ConfirmActionsProps) {
  const { confirmWord, busy, note, seen, onConfirm } = props;
  const wordId = useId();
  const typed = useConfirmWord(confirmWord);

  const confirm = (event: FormEvent) => {
    event.preventDefault();
    if (typed.status === 'typing') typed.demand();
    else if (seen.unseen?.count !== 0) seen.showNext();
    else if (!busy) onConfirm();
  };
  return (
    <Slot slotName="form" as="form" className="hr-answers" onSubmit={confirm} noValidate>
      {(confirmWord !== undefined || note.isOpen) && (
        <div className="hr-body">
          {confirmWord !== undefined && (
            <WordField
              id={wordId}
              inputRef={typed.inputRef}
              confirmWord={confirmWord}
              word={typed.word}
              missing={typed.isMissing}
              onChange={typed.setWord}
            />
          )}
          {note.isOpen && <NoteField note={note} />}
        </div>
      )}
      <Foot {...props} wordStatus={typed.status} />
    </Slot>
  );
}

function Foot({
  verbs,
  severity,
  confirmWord,
  busy,
  batch,
  note,
  seen,
  focusOn,
  wordStatus,
  onDecline,
}: ConfirmActionsProps & { wordStatus: 'typing' | 'typed' }) {
  const labels = useLabels();
  const pillId = useId();
  const isUnseen = seen.unseen?.count !== 0;
  const startsAtYes = severity === 'neutral' && confirmWord === undefined;
  return (
    <Slot slotName="footer" as="div" className="hr-footer">
      <UnseenPill id={pillId} seen={seen} />
      <div className="hr-extras">
        {!note.isOpen && (
          <Button look="quiet" onClick={note.open} aria-disabled={busy}>
            <NoteIcon />
            {labels.addNote}
          </Button>
        )}
      </div>
      <div className="hr-actions">
        <Button
          answers
          onClick={onDecline}
          autoFocus={focusOn === 'no'}
          autofocus={!startsAtYes && confirmWord === undefined}
          aria-disabled={busy}
        >
          {verbs.no}
        </Button>
        {batch.others.length > 0 && (
          <Button
            answers
            onClick={isUnseen ? seen.showNext : batch.confirmAll}
            aria-disabled={busy || isUnseen}
          >
            {verbs.yesToAll(batch.others.length + 1)}
          </Button>
        )}
        <Button
          type="submit"
          look="primary"
          data-severity={severity}
          autofocus={startsAtYes}
          aria-disabled={busy || isUnseen || wordStatus === 'typing'}
          aria-describedby={isUnseen ? pillId : undefined}
        >
          {verbs.yes}
        </Button>
      </div>
    </Slot>
  );
}
