import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { createApprovalNo, createApprovalYes } from '../../shared/approval-answers.ts';
import { isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import type { AnswerControls } from '../hooks/use-answer.ts';
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
import { RememberChoice } from './remember-choice.tsx';
import { type Batch, createYesResult, useBatch } from './use-batch.ts';
import { type EditedArguments, useEditedArguments } from './use-edited-arguments.ts';
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
  const { edited, remember, batch, confirm, decline } = useConfirmation(props);
  const close = answer.state.status === 'gone' && (
    <Button look="primary" onClick={answer.dismiss}>
      {labels.close}
    </Button>
  );
  return (
    <>
      <QuestionHeader {...props} />
      <Details
        {...props}
        edited={edited}
        others={batch.others}
        remember={close ? undefined : remember}
        isEditing={step === 'edit'}
      />
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
      ) : step === 'reason' ? (
        <DeclineForm tool={tool} close={close} onBack={() => setStep('after-reason')} onDecline={decline} />
      ) : close ? (
        <Footer>{close}</Footer>
      ) : (
        <ConfirmActions
          tool={tool}
          severity={severity}
          confirmWord={confirmWord}
          busy={answer.state.status === 'settled'}
          batch={batch}
          focusOn={step === 'after-reason' ? 'reason' : step === 'after-edit' ? 'edit' : undefined}
          onConfirm={confirm}
          onDecline={() => decline()}
          onReason={() => setStep('reason')}
          onEdit={edited.schema === undefined ? undefined : () => setStep('edit')}
        />
      )}
    </>
  );
}

/** The answers of a confirmation, with edited arguments, a remembered choice and other calls. */
function useConfirmation({ tool, severity, confirmWord, answer }: ConfirmationBodyProps) {
  const labels = useLabels();
  const edited = useEditedArguments(tool);
  const isEdited = edited.changes.length > 0;
  const remember = useRememberChoice(tool, severity, confirmWord);
  // The person did not see edited arguments for the other calls, and a remembered choice covers other calls by itself.
  const isAlone = isEdited || remember.options !== undefined;
  const batch = useBatch(isAlone ? undefined : tool, severity, confirmWord, answer);
  const confirm = () => {
    const yes = isEdited
      ? createApprovalYes({ editedArgs: edited.value, changedArgs: edited.changes.map(({ name }) => name) })
      : createYesResult(tool);
    const { settled } = answer.submit(
      // The yes of an `output` schema may be no object. Such a schema has no field for the choice either.
      isRecord(yes) ? { ...yes, ...remember.details } : yes,
      undefined,
      readVerbs(tool, labels).saidYes,
    );
    if (settled) remember.save('allowed');
  };
  const decline = (reason?: string) => {
    if (answer.decline(reason, createApprovalNo(remember.details))) remember.save('declined');
  };
  return { edited, remember, batch, confirm, decline };
}

/** The arguments of the call and everything else to read before an answer. */
function Details({
  tool,
  prompt,
  answer,
  edited,
  others,
  remember,
  isEditing,
}: ConfirmationBodyProps & {
  edited: EditedArguments;
  others: Batch['others'];
  /** Absent when the call can no longer be answered. */
  remember: RememberControls | undefined;
  /** The edit form shows the arguments. */
  isEditing: boolean;
}) {
  const labels = useLabels();
  const { changes, value } = edited;
  const rest = changes.length > 0 ? readToolPrompt({ ...tool, args: value }).rest : prompt.rest;
  return (
    <Slot slotName="body" as="div" className="hr-body">
      {!isEditing && <ArgumentsView value={rest} />}
      {!isEditing && <ChangesView changes={changes} />}
      <CallDetails tool={tool} />
      <OtherCalls tools={others} />
      {tool.oncePerConversation && (
        <Slot slotName="hint" as="p" className="hr-hint">
          {labels.coversConversation}
        </Slot>
      )}
      {remember && <RememberChoice remember={remember} />}
      <AnswerNotice state={answer.state} />
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
      <Slot slotName="notice" as="p" className="hr-notice" data-look="error">
        {labels.editUnavailable}
        <Announcement text={labels.editUnavailable} />
      </Slot>
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
