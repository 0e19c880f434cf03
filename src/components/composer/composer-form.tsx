import { type FormEvent, type KeyboardEvent, useId, useImperativeHandle, useRef, useState } from 'react';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { AttachIcon, StopIcon, UpIcon } from '../primitives/icons.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { AttachmentList } from './attachment-list.tsx';
import type { ComposerProps } from './composer-props.ts';
import { type Attachments, type UploadFile, useAttachments } from './use-attachments.ts';
import { type ComposerInput, useComposerInput } from './use-composer-input.ts';
import { useFileDrop } from './use-file-drop.ts';

interface ComposerFormProps extends Omit<ComposerProps, 'labels' | 'parts'> {
  readonly onSend: NonNullable<ComposerProps['onSend']>;
}

export function ComposerForm(props: ComposerFormProps) {
  const { status = 'idle', onStop, onSend, onUpload = refuseUpload, attachments: wanted = false } = props;
  const labels = useLabels();
  const hintId = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(props.inputRef, () => input.current as HTMLTextAreaElement);
  const attachments = useAttachments(typeof wanted === 'object' ? wanted : {}, onUpload);
  const draft = useComposerInput(attachments, onSend);
  const placeholder = props.placeholder ?? labels.messagePlaceholder;
  const { isOver, handlers } = useFileDrop(wanted === false ? undefined : attachments.add);

  const obstacle = findObstacle(props, attachments, labels);
  const [tried, setTried] = useState<string>();
  const problem =
    draft.refusal === undefined ? (attachments.complaint ?? obstacle) : labels.notSent(draft.refusal);
  // What stands in the way is read out when somebody runs into it.
  const isExpected = problem === obstacle && tried !== obstacle;
  const focus = () => input.current?.focus();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    focus();
    if (draft.isEmpty) return;
    setTried(obstacle);
    if (obstacle === undefined) draft.send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter picks a word. Safari ends composing before the key and leaves 229 as a trace.
    const composes = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key === 'Enter' && !event.shiftKey && !composes) submit(event);
  };

  return (
    <Slot
      slotName="composer"
      as="form"
      className={joinWords('hr-piece', 'hr-composer', props.className)}
      onSubmit={submit}
      data-status={status}
      data-dropping={isOver ? '' : undefined}
      {...handlers}
    >
      <AttachmentList attachments={attachments} onRemoved={focus} />
      <div className="hr-composer-box">
        {wanted !== false && (
          <AttachButton
            accept={typeof wanted === 'object' ? wanted.accept : undefined}
            onFiles={attachments.add}
          />
        )}
        {/* The style sheet lays a copy of the text under the field, which so grows with it. */}
        <div className="hr-composer-field" data-text={draft.text || placeholder}>
          {/* Never disabled: a dialog gives the focus back to where it was, and what is written stays. */}
          <Slot
            slotName="textarea"
            as="textarea"
            ref={input}
            rows={1}
            dir="auto"
            aria-label={labels.message}
            aria-describedby={hintId}
            placeholder={placeholder}
            enterKeyHint="send"
            value={draft.text}
            onChange={(event) => draft.setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        {props.children}
        {(status === 'streaming' || status === 'awaiting-input') && onStop !== undefined && (
          <Button
            look="icon"
            className="hr-composer-stop"
            label={labels.stop}
            onClick={() => {
              focus();
              onStop();
            }}
          >
            <StopIcon />
          </Button>
        )}
        <Button
          look="icon"
          type="submit"
          className="hr-composer-send"
          label={labels.send}
          aria-disabled={draft.isEmpty || obstacle !== undefined}
        >
          <UpIcon />
        </Button>
      </div>
      <Slot
        slotName="hint"
        as="p"
        id={hintId}
        className="hr-composer-hint"
        data-look={problem === undefined ? undefined : problem === obstacle ? 'caution' : 'error'}
      >
        {isOver ? labels.dropFiles : (problem ?? readHint(props, draft, labels))}
      </Slot>
      <Announcement text={problem === undefined || isExpected ? attachments.news : problem} />
    </Slot>
  );
}

function AttachButton({
  accept,
  onFiles,
}: {
  accept: string | undefined;
  onFiles: (files: FileList) => void;
}) {
  const labels = useLabels();
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        look="icon"
        className="hr-composer-attach"
        label={labels.attach}
        onClick={() => chooser.current?.click()}
      >
        <AttachIcon />
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept={accept}
        onChange={({ currentTarget }) => {
          if (currentTarget.files !== null) onFiles(currentTarget.files);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Why nothing can be sent at the moment. */
function findObstacle(props: ComposerFormProps, { items }: Attachments, labels: Labels): string | undefined {
  const { status, whilePending = 'reject' } = props;
  if (items.some(({ state }) => state.status === 'failed')) return labels.uploadsFailed;
  if (items.some(({ state }) => state.status === 'uploading')) return labels.uploadsUnfinished;
  return status === 'awaiting-input' && whilePending === 'reject'
    ? labels.composerHints['awaiting-input']
    : undefined;
}

function readHint(
  props: ComposerFormProps,
  { unsentCount: underWay }: ComposerInput,
  labels: Labels,
): string {
  const { status = 'idle', whilePending } = props;
  if (status !== 'awaiting-input') return labels.composerHints[status];
  if (whilePending === 'cancel') return labels.sendingWithdraws;
  return underWay > 0 ? labels.messageWaits : labels.sendingWaits;
}

const refuseUpload: UploadFile = () =>
  Promise.reject(new Error('A Composer with attachments and onSend needs onUpload as well.'));
