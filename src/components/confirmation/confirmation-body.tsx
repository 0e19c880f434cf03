import { lazy, Suspense, useState } from 'react';
import type { Severity } from '../../tools/client-tool.ts';
import type { AnswerControls } from '../hooks/use-answer.ts';
import { RememberChoice } from '../policies/remember-choice.tsx';
import { useRememberChoice } from '../policies/use-remember-choice.ts';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import type { AnyTool } from '../primitives/any-tool.ts';
import { ArgumentsView } from '../primitives/arguments-view.tsx';
import { Button } from '../primitives/button.tsx';
import { CallDetails } from '../primitives/call-details.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { readToolPrompt, type ToolPrompt } from '../text/tool-prompt.ts';
import { ChangesView } from './changes-view.tsx';
import { ConfirmActions } from './confirm-actions.tsx';
import { DeclineForm } from './decline-form.tsx';
import { EditUnavailable } from './edit-unavailable.tsx';
import { readConfirmWords } from './read-confirm-words.ts';
import { createYesResult } from './read-yes.ts';
import { SiblingCalls } from './sibling-calls.tsx';
import { useBatch } from './use-batch.ts';
import { useEditedArguments } from './use-edited-arguments.ts';

/** Brings the form library, which most confirmations never need. Without it a call can still be decided. */
const EditForm = /* @__PURE__ */ lazy(() =>
  import('./edit-form.tsx').then(
    ({ EditForm }) => ({ default: EditForm }),
    () => ({ default: EditUnavailable }),
  ),
);

/** `after-…`: back at the question, with the focus where the person left. */
type Step = 'ask' | 'reason' | 'after-reason' | 'edit' | 'after-edit';

export interface ConfirmationBodyProps {
  readonly tool: AnyTool;
  readonly prompt: ToolPrompt;
  readonly severity: Severity;
  readonly confirmWord: string | undefined;
  readonly answer: AnswerControls;
}

/**
 * A yes/no question. Three ways out that the agent can tell apart: Confirm submits, Decline answers no, and
 * everything else (Escape, the backdrop, the cross) cancels.
 */
export function ConfirmationBody({ tool, prompt, severity, confirmWord, answer }: ConfirmationBodyProps) {
  const labels = useLabels();
  const [step, setStep] = useState<Step>('ask');
  const { state } = answer;
  const edited = useEditedArguments(tool);
  const isEdited = edited.changes.length > 0;
  const remember = useRememberChoice(tool, severity, confirmWord);
  // Other calls were not edited, so a changed one is confirmed by itself. What is remembered says which others it covers.
  const isAlone = isEdited || remember.options !== undefined;
  const batch = useBatch(isAlone ? undefined : tool, severity, confirmWord, answer);
  const rest = isEdited ? readToolPrompt({ ...tool, args: edited.value }).rest : prompt.rest;
  const confirm = () => {
    const { settled } = answer.submit(
      isEdited
        ? {
            confirmed: true,
            editedArgs: edited.value,
            changedArgs: edited.changes.map(({ name }) => name),
          }
        : createYesResult(tool),
    );
    if (settled) remember.save('allowed');
  };
  const decline = (reason?: string) => {
    if (answer.decline(reason, { confirmed: false })) remember.save('declined');
  };
  const close = state.status === 'gone' && (
    <Button look="primary" onClick={answer.dismiss}>
      {labels.close}
    </Button>
  );
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
      <Slot slotName="body" as="div" className="hr-body">
        {step !== 'edit' && <ArgumentsView value={rest} />}
        {step !== 'edit' && <ChangesView changes={edited.changes} />}
        <CallDetails tool={tool} />
        <SiblingCalls tools={batch.others} />
        {tool.oncePerConversation && (
          <Slot slotName="hint" as="p" className="hr-hint">
            {labels.coversConversation}
          </Slot>
        )}
        {!close && <RememberChoice remember={remember} />}
        <AnswerNotice state={state} />
      </Slot>
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
        <Slot slotName="footer" as="footer" className="hr-footer">
          {close}
        </Slot>
      ) : (
        <ConfirmActions
          severity={severity}
          confirmWord={confirmWord}
          busy={state.status === 'settled'}
          words={readConfirmWords(tool, labels)}
          onDecline={() => decline()}
          focusOn={step === 'after-reason' ? 'reason' : step === 'after-edit' ? 'edit' : undefined}
          onEdit={edited.schema === undefined ? undefined : () => setStep('edit')}
          onConfirm={confirm}
          onReason={() => setStep('reason')}
          batch={batch}
        />
      )}
    </>
  );
}
