import { type FormEvent, type MouseEvent, useId } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import type { SeenDetails } from '../hooks/use-seen.ts';
import { AnswerButton, Button } from '../primitives/button.tsx';
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
  /** The button to focus when the person comes back from the reason or the edit form. */
  readonly focusOn: 'no' | 'edit' | undefined;
  readonly onConfirm: () => void;
  readonly onDecline: () => void;
  /** Absent when the arguments cannot be edited. */
  readonly onEdit: (() => void) | undefined;
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
  onEdit,
}: ConfirmActionsProps & { wordStatus: 'typing' | 'arming' | 'armed' }) {
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
        {onEdit !== undefined && (
          <Button look="quiet" autoFocus={focusOn === 'edit'} onClick={onEdit} aria-disabled={busy}>
            {labels.edit}
          </Button>
        )}
      </div>
      <div className="hr-actions">
        <AnswerButton
          onClick={onDecline}
          autoFocus={focusOn === 'no'}
          autofocus={!startsAtYes && confirmWord === undefined}
          aria-disabled={busy}
        >
          {verbs.no}
        </AnswerButton>
        {batch.others.length > 0 && (
          <AnswerButton
            onClick={isUnseen ? seen.showNext : batch.confirmAll}
            aria-disabled={busy || isUnseen}
          >
            {verbs.yesToAll(batch.others.length + 1)}
          </AnswerButton>
        )}
        <AnswerButton
          type="submit"
          look="primary"
          data-severity={severity}
          data-arming={wordStatus === 'arming' ? '' : undefined}
          onClickCapture={wordStatus === 'arming' ? dropPress : undefined}
          autofocus={startsAtYes}
          aria-disabled={busy || isUnseen || wordStatus !== 'armed'}
          aria-describedby={isUnseen ? pillId : undefined}
        >
          {verbs.yes}
        </AnswerButton>
      </div>
    </Slot>
  );
}

/** Drops a press of a person, or an Enter in the field of the word, right after its last letter. A script makes no slips. */
function dropPress(event: MouseEvent) {
  if (!event.nativeEvent.isTrusted) return;
  event.preventDefault();
  event.stopPropagation();
}
