import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { ChatStatus } from '../../core/store/chat-state.ts';
import { isComposing } from '../../shared/is-composing.ts';
import { AttachmentList } from '../attachments/attachment-list.tsx';
import { type Attachments, type UploadFile, useAttachments } from '../attachments/use-attachments.ts';
import { useMedia } from '../hooks/use-media.ts';
import { useStyleCheck } from '../hooks/use-style-check.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { AttachIcon, StopIcon, UpIcon } from '../primitives/icons.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { type ComposerLabels, englishComposerLabels } from '../text/composer-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { SharedLabels } from '../text/shared-labels.ts';
import { englishUploadLabels, type UploadLabels } from '../text/upload-labels.ts';
import type { ComposerProps } from './composer-props.ts';
import { useComposerInput } from './use-composer-input.ts';
import { useFileDrop } from './use-file-drop.ts';

interface ComposerFormProps extends Omit<ComposerProps, 'labels' | 'slots'> {
  readonly onSend: NonNullable<ComposerProps['onSend']>;
  /** The names of the open questions that this person may answer, where they are known. */
  readonly questions?: readonly string[] | undefined;
  /** Names the people who are waited for, if every open question is for other people. */
  readonly waitsForOthers?: string | undefined;
}

export function ComposerForm(props: ComposerFormProps) {
  const { status = 'idle', attachments: wanted = false } = props;
  const labels = useLabels(englishComposerLabels);
  const hintId = useId();
  useStyleCheck();
  const composer = useComposer(props);
  const { attachments, input, problem, obstacle, isDragOver } = composer;
  return (
    <Slot
      slotName="composer"
      as="form"
      className={joinWords('hr-piece', 'hr-composer', props.className)}
      onSubmit={composer.submit}
      data-status={status}
      data-dropping={isDragOver ? '' : undefined}
      {...composer.dropHandlers}
    >
      <AttachmentList attachments={attachments} onRemoved={composer.focus} />
      <div className="hr-composer-box">
        {wanted !== false && (
          <AttachButton
            accept={typeof wanted === 'object' ? wanted.accept : undefined}
            onFiles={attachments.add}
          />
        )}
        <MessageField composer={composer} placeholder={props.placeholder} hintId={hintId} />
        {props.children}
        <StopButton status={status} onStop={props.onStop} onPressed={composer.focus} />
        <Button
          look="icon"
          type="submit"
          className="hr-composer-send"
          label={labels.send}
          aria-disabled={input.isEmpty || obstacle !== undefined}
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
        {isDragOver ? labels.dropFiles : (problem ?? readHint(props, composer, labels))}
      </Slot>
      <Announcement text={composer.announcement} />
    </Slot>
  );
}

type ComposerState = ReturnType<typeof useComposer>;

function useComposer(props: ComposerFormProps) {
  const { onSend, onUpload = refuseUpload, attachments: wanted = false } = props;
  const labels = useLabels(englishComposerLabels, englishUploadLabels);
  const field = useRef<HTMLTextAreaElement>(null);
  // Its keyboard has no Shift+Enter.
  const isCoarse = useMedia('(pointer: coarse)');
  useImperativeHandle(props.inputRef, () => field.current as HTMLTextAreaElement);
  const attachments = useAttachments(typeof wanted === 'object' ? wanted : {}, onUpload);
  const input = useComposerInput(attachments, onSend);
  const { isDragOver, handlers } = useFileDrop(wanted === false ? undefined : attachments.add);

  const obstacle = findObstacle(props, attachments, labels);
  const [announcedObstacle, setAnnouncedObstacle] = useState<string>();
  const problem =
    input.refusal === undefined ? (attachments.complaint ?? obstacle) : labels.notSent(input.refusal);
  // An obstacle is read out only when the person tries to send.
  const isSilent = problem === undefined || (problem === obstacle && announcedObstacle !== obstacle);
  const focus = () => field.current?.focus();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    focus();
    if (input.isEmpty) return;
    setAnnouncedObstacle(obstacle);
    if (obstacle === undefined) input.send();
  };
  return {
    field,
    isCoarse,
    input,
    attachments,
    obstacle,
    problem,
    announcement: isSilent ? attachments.news : problem,
    isDragOver,
    dropHandlers: handlers,
    focus,
    submit,
  };
}

function MessageField({
  composer: { field, input, isCoarse, submit },
  placeholder: given,
  hintId,
}: {
  composer: ComposerState;
  placeholder: string | undefined;
  hintId: string;
}) {
  const labels = useLabels(englishComposerLabels);
  const placeholder = given ?? labels.messagePlaceholder;
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter of an input method picks a word. A touch keyboard has no Shift+Enter, so there Enter starts a new line and the button sends.
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event.nativeEvent) || isCoarse) return;
    submit(event);
  };
  return (
    // The style sheet lays a copy of the text under the field, so that the field grows with it.
    <div className="hr-composer-field" data-text={input.text || placeholder}>
      {/* Never disabled: a closing dialog returns the focus to the field, and the text stays. */}
      <Slot
        slotName="textarea"
        as="textarea"
        ref={field}
        rows={1}
        dir="auto"
        aria-label={labels.message}
        aria-describedby={hintId}
        placeholder={placeholder}
        enterKeyHint={isCoarse ? 'enter' : 'send'}
        value={input.text}
        onChange={(event) => input.setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

function StopButton({
  status,
  onStop,
  onPressed,
}: {
  status: ChatStatus;
  onStop: (() => void) | undefined;
  /** Called before `onStop`, while the button is still there. */
  onPressed: () => void;
}) {
  const labels = useLabels(englishComposerLabels);
  if (onStop === undefined || (status !== 'streaming' && status !== 'awaiting-input')) return null;
  return (
    <Button
      look="icon"
      className="hr-composer-stop"
      label={labels.stop}
      onClick={() => {
        onPressed();
        onStop();
      }}
    >
      <StopIcon />
    </Button>
  );
}

function AttachButton({
  accept,
  onFiles,
}: {
  accept: string | undefined;
  onFiles: (files: FileList) => void;
}) {
  const labels = useLabels(englishComposerLabels, englishUploadLabels);
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
          // Without this, the same file could not be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** Returns the reason why the composer cannot send at the moment. */
function findObstacle(
  props: ComposerFormProps,
  { items }: Attachments,
  labels: ComposerLabels & SharedLabels & UploadLabels,
): string | undefined {
  const { status, whilePending = 'reject', replyWhilePending = false } = props;
  if (items.some(({ state }) => state.status === 'failed')) return labels.uploadsFailed;
  if (items.some(({ state }) => state.status === 'uploading')) return labels.uploadsUnfinished;
  if (status !== 'awaiting-input') return undefined;
  if (replyWhilePending) return items.length > 0 ? labels.replyHasFiles : undefined;
  return whilePending === 'reject'
    ? (props.waitsForOthers ?? labels.composerHints['awaiting-input'])
    : undefined;
}

function readHint(
  props: ComposerFormProps,
  { input: { unsentCount: underWay }, isCoarse }: ComposerState,
  labels: ComposerLabels & SharedLabels,
): ReactNode {
  const { status = 'idle', whilePending, replyWhilePending, questions = [] } = props;
  // This hint is about the Enter key.
  if (status === 'idle' && isCoarse) return '';
  if (status !== 'awaiting-input') return labels.composerHints[status];
  if (replyWhilePending) return emphasise(labels.replying(questions), questions);
  if (whilePending === 'cancel') return labels.sendingWithdraws;
  return underWay > 0 ? labels.messageWaits : labels.sendingWaits;
}

/** Sets the name of the question off from the sentence around it. */
function emphasise(sentence: string, [name, ...others]: readonly string[]): ReactNode {
  if (name === undefined || others.length > 0) return sentence;
  const [before, ...after] = sentence.split(name);
  if (after.length === 0) return sentence;
  return (
    <>
      {before}
      <strong>{name}</strong>
      {after.join(name)}
    </>
  );
}

const refuseUpload: UploadFile = () =>
  Promise.reject(new Error('A Composer with attachments and onSend needs onUpload as well.'));
