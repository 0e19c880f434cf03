/** Writes answers into the parts of their calls, which is how the AI SDK's server gets them. */
import type { ToolAnswer } from '../../core/protocol/commands.ts';
import { withFiles } from '../../core/protocol/with-files.ts';
import { compact } from '../../shared/json.ts';
import { readReason, readYesOrNo } from '../../shared/tool-outcome.ts';
import { findNamed } from './call-names.ts';
import type { AiSdkApproval, AiSdkMessage, AiSdkPart, AiSdkToolPart } from './ui-message.ts';

export interface AnswerForm {
  /** True for the history that is kept: it holds results without their secrets. */
  readonly isRedacted: boolean;
  /** True for a tool that this client runs. Its approval and its output go out together. */
  readonly hasHandler: (toolName: string) => boolean;
}

export function writeAnswers(
  messages: readonly AiSdkMessage[],
  answers: readonly ToolAnswer[],
  form: AnswerForm,
): readonly AiSdkMessage[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return messages;
  const answered = new Map(
    answers.map((answer) => [findNamed(last.parts, answer.toolCallId) as AiSdkPart | undefined, answer]),
  );
  const parts = last.parts.map((part) => {
    const answer = answered.get(part);
    return answer ? toAnsweredPart(part as AiSdkToolPart, answer, form) : part;
  });
  return [...messages.slice(0, -1), { ...last, parts }];
}

function toAnsweredPart(part: AiSdkToolPart, answer: ToolAnswer, form: AnswerForm): AiSdkPart {
  const { approval, ...rest } = part;
  if (approval === undefined) return { ...rest, ...toOutput(answer, form) };
  const { outcome, toolName, result } = answer;
  // A tool without `execute` on the server wants its output with the yes: the handler ran once the person had allowed it.
  const isRun = form.hasHandler(toolName) && (outcome === 'submitted' || outcome === 'failed');
  if (isRun)
    return {
      ...rest,
      approval: compact({ ...approval, approved: true, reason: answer.reason }) as AiSdkApproval,
      ...toOutput(answer, form),
    };
  const approved = outcome === 'submitted' && readYesOrNo(result) !== false;
  // The model reads why it may not: the error text where the person said nothing. A no may come as the value of a dialog of the app.
  const reason = approved ? answer.reason : (readReason(answer, 'declined') ?? answer.error);
  return {
    ...rest,
    state: 'approval-responded',
    approval: compact({ ...approval, approved, reason }) as AiSdkApproval,
  };
}

function toOutput(answer: ToolAnswer, { isRedacted }: AnswerForm): Readonly<Record<string, unknown>> {
  const { error, result, files } = answer;
  if (error !== undefined) return { state: 'output-error', errorText: error };
  const shown = isRedacted && 'redactedResult' in answer ? answer.redactedResult : result;
  return { state: 'output-available', output: withFiles(shown ?? null, files) };
}
