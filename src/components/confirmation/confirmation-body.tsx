import { lazy, type ReactNode, type RefObject, Suspense, useMemo, useState } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { createApprovalNo, createApprovalYes } from '../../shared/approval-answers.ts';
import { isRecord } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import type { AnyTool } from '../any-tool.ts';
import { mainValue } from '../arguments/main-value.ts';
import type { AnswerControls } from '../hooks/use-answer.ts';
import { useSeen } from '../hooks/use-seen.ts';
import { AgentWords } from '../primitives/agent-words.tsx';
import { Announcement } from '../primitives/announcement.tsx';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import { ArgumentsView } from '../primitives/arguments-view.tsx';
import { Button } from '../primitives/button.tsx';
import { CallDetails } from '../primitives/call-details.tsx';
import { readPrompt } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { readVerbs } from '../text/answer-words.ts';
import { useLabels } from '../text/labels-context.tsx';
import { readToolPrompt, type ToolPrompt } from '../text/tool-prompt.ts';
import { ChangesView } from './changes-view.tsx';
import { ConfirmActions } from './confirm-actions.tsx';
import { DeclineForm } from './decline-form.tsx';
import { UnsentNote } from './note-field.tsx';
import { RememberChoice } from './remember-choice.tsx';
import { type Batch, createYesResult, useBatch } from './use-batch.ts';
import { type EditedArguments, useEditedArguments } from './use-edited-arguments.ts';
import { type Note, useNote } from './use-note.ts';
import { type RememberControls, useRememberChoice } from './use-remember-choice.ts';

/** Loads the form library on demand, because most confirmations never need it. If it fails to load, the question stays. */
const EditForm = /* @__PURE__ */ lazy(() =>
  import('./edit-form.tsx').then(
    ({ EditForm }) => ({ default: EditForm }),
    () => ({ default: EditUnavailable }),
  ),
);

/** `after-reason` and `after-edit`: the question again, with the focus on the button that the person left by. */
type Step = 'ask' | 'reason' | 'after-reason' | 'edit' | 'after-edit';

export interface ConfirmationBodyProps {
  readonly tool: AnyTool;
  readonly prompt: ToolPrompt;
  readonly severity: Severity;
  readonly confirmWord: string | undefined;
  readonly answer: AnswerControls;
}

/**
 * A yes/no question. The agent can tell three answers apart: Confirm submits, Decline answers no, and the other ways out
 * (Escape, the cross) cancel.
 */
export function ConfirmationBody(props: ConfirmationBodyProps) {
  const { tool, severity, confirmWord, answer } = props;
  const labels = useLabels();
  const [step, setStep] = useState<Step>('ask');
  const answers = useConfirmation(props);
  const { edited, remember, batch, note, verbs, confirm, decline } = answers;
  const isOpen = answer.state.status !== 'gone' && answer.state.status !== 'settled';
  const seen = useSeen(isOpen);
  const close = answer.state.status === 'gone' && (
    <Button look="primary" onClick={answer.dismiss}>
      {labels.close}
    </Button>
  );
  return (
    <>
      <QuestionHeader {...props} hasWordsBelow />
      <Details
        {...props}
        edited={edited}
        others={batch.others}
        remember={close || step === 'reason' ? undefined : remember}
        note={close ? note : undefined}
        region={seen.region}
        isEditing={step === 'edit'}
      />
      <Announcement text={edited.changes.length > 0 ? verbs.yes : ''} />
      {step === 'edit' && edited.schema !== undefined ? (
        <Suspense fallback={null}>
          <EditForm
            tool={tool}
            close={close}
            schema={edited.schema}
            value={edited.value}
            onBack={() => setStep('after-edit')}
            onSave={(value) => {
              edited.replace(value);
              setStep('after-edit');
            }}
          />
        </Suspense>
      ) : close ? (
        <Footer>{close}</Footer>
      ) : step === 'reason' ? (
        <DeclineForm note={note} verb={verbs.no} onBack={() => setStep('after-reason')} onDecline={decline} />
      ) : (
        <ConfirmActions
          {...answers}
          severity={severity}
          confirmWord={confirmWord}
          busy={answer.state.status === 'settled'}
          seen={seen}
          focusOn={step === 'after-reason' ? 'no' : step === 'after-edit' ? 'edit' : undefined}
          onConfirm={confirm}
          onDecline={() => (tool.definition?.reason === 'required' ? setStep('reason') : decline())}
          onEdit={edited.schema === undefined ? undefined : () => setStep('edit')}
        />
      )}
    </>
  );
}

/** The answers of a confirmation, with edited arguments, a note, a remembered choice and other calls. */
function useConfirmation({ tool, severity, confirmWord, answer }: ConfirmationBodyProps) {
  const labels = useLabels();
  const edited = useEditedArguments(tool);
  const note = useNote(tool);
  const isEdited = edited.changes.length > 0;
  const remember = useRememberChoice(tool, severity, confirmWord, isEdited);
  // The person did not see edited arguments for the other calls, and a remembered choice covers other calls by itself.
  const isAlone = isEdited || remember.options !== undefined;
  const batch = useBatch(isAlone ? undefined : tool, severity, confirmWord, answer);
  const inputSchema = useMemo(() => {
    const input = tool.definition?.input;
    return input && readStandardJsonSchema(input);
  }, [tool]);
  const verbs = readVerbs(tool, labels, mainValue(edited.value, inputSchema, tool.args));
  const confirm = () => {
    const yes = isEdited
      ? createApprovalYes({ editedArgs: edited.value, changedArgs: edited.changes.map(({ name }) => name) })
      : createYesResult(tool);
    const { settled } = answer.submit(
      // The yes of an `output` schema may be no object. Such a schema has no field for the choice either.
      isRecord(yes) ? { ...yes, ...remember.details } : yes,
      note.reason === undefined ? undefined : { reason: note.reason },
      verbs.saidYes,
    );
    if (settled) remember.save('allowed');
  };
  const decline = () => {
    if (answer.decline(note.reason, createApprovalNo(remember.details))) remember.save('declined');
  };
  return { edited, remember, batch, note, verbs, confirm, decline };
}

/** The arguments of the call and everything else to read before an answer. */
function Details({
  tool,
  prompt,
  answer,
  edited,
  others,
  remember,
  note,
  region,
  isEditing,
}: ConfirmationBodyProps & {
  edited: EditedArguments;
  others: Batch['others'];
  /** Absent when the call can no longer be answered. */
  remember: RememberControls | undefined;
  /** Present when the call can no longer be answered. */
  note: Note | undefined;
  region: RefObject<HTMLDivElement | null>;
  /** The edit form shows the arguments. */
  isEditing: boolean;
}) {
  const labels = useLabels();
  const { changes, value } = edited;
  const rest = changes.length > 0 ? readToolPrompt({ ...tool, args: value }).rest : prompt.rest;
  return (
    <Slot slotName="body" as="div" className="hr-body">
      {note && <AnswerNotice state={answer.state} toolCallId={tool.toolCallId} />}
      <div ref={region} className="hr-what">
        {!isEditing && <ArgumentsView value={rest} />}
        {!isEditing && <ChangesView changes={changes} />}
      </div>
      {prompt.isAgentsMessage && prompt.message !== undefined && <AgentWords text={prompt.message} />}
      <CallDetails tool={tool} />
      <OtherCalls tools={others} />
      {note && <UnsentNote note={note} />}
      {tool.oncePerConversation && (
        <Slot slotName="hint" as="p" className="hr-hint">
          {labels.coversConversation}
        </Slot>
      )}
      {remember && <RememberChoice remember={remember} tool={tool} />}
      {!note && <AnswerNotice state={answer.state} />}
    </Slot>
  );
}

/** The other calls that "Confirm all" confirms, so that the person can read them before. */
function OtherCalls({ tools }: { tools: readonly AnyTool[] }) {
  const labels = useLabels();
  if (tools.length === 0) return null;
  return (
    <Slot slotName="details" as="details" className="hr-details">
      <summary>{labels.otherCalls(tools.length)}</summary>
      <ul className="hr-items">
        {tools.map((tool) => {
          const { title, message, rest } = readPrompt(tool, undefined, labels);
          return (
            <li key={tool.toolCallId}>
              <p>{message === undefined ? title : `${title}: ${message}`}</p>
              <ArgumentsView value={rest} />
              <CallDetails tool={tool} />
            </li>
          );
        })}
      </ul>
    </Slot>
  );
}

/** Replaces an edit form that failed to load. The person can still decide the call as it is. */
function EditUnavailable({ onBack }: { onBack: () => void }) {
  const labels = useLabels();
  return (
    <>
      <div className="hr-body">
        <Slot slotName="notice" as="p" className="hr-notice" data-look="error">
          {labels.editUnavailable}
          <Announcement text={labels.editUnavailable} />
        </Slot>
      </div>
      <Footer>
        {/* The pressed button is gone. Without autofocus in the same commit, the dialog would take the focus. */}
        <Button autoFocus look="primary" onClick={onBack}>
          {labels.back}
        </Button>
      </Footer>
    </>
  );
}

function Footer({ children }: { children: ReactNode }) {
  return (
    <Slot slotName="footer" as="div" className="hr-footer">
      {children}
    </Slot>
  );
}
