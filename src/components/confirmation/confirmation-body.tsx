import { type ReactNode, type RefObject, useState } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { createApprovalNo, createApprovalYes } from '../../shared/approval-answers.ts';
import { isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { CallArguments, useArgumentsSchema } from '../arguments/call-arguments.tsx';
import { mainValue } from '../arguments/main-value.ts';
import type { AnswerControls } from '../hooks/use-answer.ts';
import { useSeen } from '../hooks/use-seen.ts';
import { AgentWords } from '../primitives/agent-words.tsx';
import { Announcement } from '../primitives/announcement.tsx';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import { Button } from '../primitives/button.tsx';
import { readPrompt } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { readVerbs } from '../text/answer-words.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { ToolPrompt } from '../text/tool-prompt.ts';
import { ChangeableArguments } from './changeable-arguments.tsx';
import { ConfirmActions } from './confirm-actions.tsx';
import { DeclineForm } from './decline-form.tsx';
import { UnsentNote } from './note-field.tsx';
import { RememberChoice } from './remember-choice.tsx';
import { type Batch, createYesResult, useBatch } from './use-batch.ts';
import { type ChangedArguments, useChangedArguments } from './use-changed-arguments.ts';
import { type Note, useNote } from './use-note.ts';
import { type RememberControls, useRememberChoice } from './use-remember-choice.ts';
import { useSavedConfirmation } from './use-saved-confirmation.ts';

/** `after-reason`: the question again, with the focus on the button that the person left by. */
type Step = 'ask' | 'reason' | 'after-reason';

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
  const { changed, remember, batch, note, verbs, isValueOfYesChanged, confirm, decline } = answers;
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
        changed={changed}
        others={batch.others}
        remember={close || step === 'reason' || changed.changes.length > 0 ? undefined : remember}
        note={close ? note : undefined}
        region={seen.region}
      />
      <Announcement text={isValueOfYesChanged ? verbs.yes : ''} />
      {close ? (
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
          focusOn={step === 'after-reason' ? 'no' : undefined}
          onConfirm={confirm}
          onDecline={() => (tool.definition?.reason === 'required' ? setStep('reason') : decline())}
        />
      )}
    </>
  );
}

/** The answers of a confirmation, with edited arguments, a note, a remembered choice and other calls. */
function useConfirmation({ tool, severity, confirmWord, answer }: ConfirmationBodyProps) {
  const labels = useLabels();
  const saved = useSavedConfirmation(tool);
  const changed = useChangedArguments(tool, saved);
  const note = useNote(tool, saved);
  const isEditing = changed.editing !== undefined;
  const isEdited = changed.changes.length > 0;
  const remember = useRememberChoice(tool, severity, confirmWord, isEdited);
  // The person did not see edited arguments for the other calls, and a remembered choice covers other calls by itself.
  const isAlone = isEdited || isEditing || remember.options !== undefined;
  const batch = useBatch(isAlone ? undefined : tool, severity, confirmWord, answer);
  const schema = useArgumentsSchema(tool.definition);
  const main = mainValue(changed.value, schema, tool.args, labels);
  const verbs = readVerbs(tool, labels, main?.isFreeText ? undefined : main?.text);
  const confirm = () => {
    // The person would allow something else than what stands in the open field.
    if (isEditing) return changed.remind();
    const yes = isEdited
      ? createApprovalYes({ editedArgs: changed.value, changedArgs: changed.changes.map(({ name }) => name) })
      : createYesResult(tool);
    const { settled } = answer.submit(
      // The yes of an `output` schema may be no object. Such a schema has no field for the choice either.
      isRecord(yes) ? { ...yes, ...remember.details } : yes,
      note.reason === undefined ? undefined : { reason: note.reason },
      verbs.saidYes,
    );
    if (settled) remember.save();
  };
  const decline = () => {
    answer.decline(note.reason, createApprovalNo());
  };
  const isValueOfYesChanged = main?.before !== undefined && !main.isFreeText;
  return { changed, remember, batch, note, verbs, isValueOfYesChanged, confirm, decline };
}

/** The arguments of the call and everything else to read before an answer. */
function Details({
  tool,
  prompt,
  answer,
  changed,
  others,
  remember,
  note,
  region,
}: ConfirmationBodyProps & {
  changed: ChangedArguments;
  others: Batch['others'];
  /** Absent when the call can no longer be answered, or was changed. */
  remember: RememberControls | undefined;
  /** Present when the call can no longer be answered. */
  note: Note | undefined;
  region: RefObject<HTMLDivElement | null>;
}) {
  const labels = useLabels();
  return (
    <Slot slotName="body" as="div" className="hr-body">
      {note && <AnswerNotice state={answer.state} toolCallId={tool.toolCallId} />}
      <div ref={region} className="hr-what">
        <ChangeableArguments
          tool={tool}
          rest={prompt.rest}
          changed={changed}
          isClosed={answer.state.status === 'gone' || answer.state.status === 'settled'}
        />
      </div>
      {prompt.isAgentsMessage && prompt.message !== undefined && <AgentWords text={prompt.message} />}
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
              <CallArguments tool={tool} rest={rest} />
            </li>
          );
        })}
      </ul>
    </Slot>
  );
}

function Footer({ children }: { children: ReactNode }) {
  return (
    <Slot slotName="footer" as="div" className="hr-footer">
      {children}
    </Slot>
  );
}
