/** Writes answers into the parts of their calls, which is how the AI SDK's server gets them. */
import type { ToolAnswer } from '../../core/protocol/commands.ts';
import { compact } from '../../shared/json.ts';
import { readReason } from '../../shared/tool-outcome.ts';
import { isNamed } from './call-names.ts';
import {
  type AiSdkApproval,
  type AiSdkMessage,
  type AiSdkPart,
  type AiSdkToolPart,
  isToolPart,
} from './ui-message.ts';

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
  const parts = [...last.parts];
  for (const answer of answers) {
    const index = parts.findLastIndex(
      (part) => isToolPart(part) && isNamed(part.toolCallId, answer.toolCallId),
    );
    const part = parts[index];
    if (part !== undefined) parts[index] = toAnsweredPart(part as AiSdkToolPart, answer, form);
  }
  return [...messages.slice(0, -1), { ...last, parts }];
}

function toAnsweredPart(part: AiSdkToolPart, answer: ToolAnswer, form: AnswerForm): AiSdkPart {
  const { approval, ...rest } = part;
  if (approval === undefined) return { ...rest, ...toOutput(answer, form) };
  const { outcome, toolName } = answer;
  // A tool without `execute` on the server wants its output with the yes: the handler ran once the person had allowed it.
  const isRun = form.hasHandler(toolName) && (outcome === 'submitted' || outcome === 'failed');
  if (isRun) return { ...rest, approval: { ...approval, approved: true }, ...toOutput(answer, form) };
  const approved = outcome === 'submitted';
  // The model reads why it may not: the error text where the person said nothing.
  const reason = readReason(answer) ?? answer.error;
  return {
    ...rest,
    state: 'approval-responded',
    approval: compact({ ...approval, approved, reason: approved ? undefined : reason }) as AiSdkApproval,
  };
}

function toOutput(answer: ToolAnswer, { isRedacted }: AnswerForm): Readonly<Record<string, unknown>> {
  const { error, result } = answer;
  if (error !== undefined) return { state: 'output-error', errorText: error };
  const shown = isRedacted && 'redactedResult' in answer ? answer.redactedResult : result;
  return { state: 'output-available', output: shown ?? null };
}
