/** Interrupts as calls that a person answers (AG-UI, page Interrupts). */
import type { PendingToolCall } from '../../core/protocol/events.ts';
import type { TransportQuestion } from '../../core/transport/agent-transport.ts';
import { compact, isRecord, parseJson } from '../../shared/json.ts';
import { toOpaqueSchema } from '../../shared/to-opaque-schema.ts';
import { type InterruptContent, joinFields, readContent } from './interrupt-content.ts';
import { type AgUiToolCall, type Interrupt, isLegacy } from './messages.ts';
import { ANSWER_IN_WORDS, toReviewArgs, toReviewQuestion } from './review.ts';
import { isYesOrNo, propertyOf, toAnswerSchema } from './schemas.ts';

/** The call of an interrupt carries it, so that it can be asked and answered after a reload. */
export interface InterruptCall extends PendingToolCall {
  readonly interrupt: Interrupt;
  /** True if the page has a tool for it: its result is the answer. */
  readonly isClientTool?: boolean;
}

/** A call of a tool of the page. */
export interface ClientCall extends PendingToolCall {
  /** True if its arguments are no JSON object. Then it is answered with an error. */
  readonly hasBrokenArgs?: boolean;
  /** The id of the call, where the page knows it by another one. */
  readonly callId?: string;
}

/** @param toolCallId the id of the call on the page */
export function toClientCall(call: AgUiToolCall, toolCallId: string): ClientCall {
  const args = parseArgs(call);
  return {
    toolCallId,
    toolName: call.function.name,
    args: args ?? {},
    ...(!args && { hasBrokenArgs: true }),
    ...(toolCallId !== call.id && { callId: call.id }),
  };
}

/** @param call the call that the interrupt is about, if an event announced it */
export function toInterruptCall(
  interrupt: Interrupt,
  call: AgUiToolCall | undefined,
  isClientTool: boolean,
): InterruptCall {
  const { id, reason, toolCallId = id, expiresAt } = interrupt;
  const deadline = Date.parse(expiresAt ?? '');
  const content = readContent(interrupt);
  const onlyReviewed = content.review?.calls.length === 1 ? content.review.calls[0] : undefined;
  // A call that no event announced is the agent's too: its output follows the answer.
  const isOfServer = interrupt.toolCallId !== undefined && !isClientTool;
  return compact({
    toolCallId,
    toolName: call?.function.name ?? content.toolName ?? onlyReviewed?.name ?? reason,
    args: isClientTool ? ((call && parseArgs(call)) ?? {}) : toShownArgs(content, call),
    deadline: Number.isNaN(deadline) ? undefined : deadline,
    executedBy: isOfServer ? ('server' as const) : undefined,
    isClientTool: isClientTool || undefined,
    interrupt,
  });
}

export function parseArgs(call: AgUiToolCall): Readonly<Record<string, unknown>> | undefined {
  const args = parseJson(call.function.arguments || '{}');
  return isRecord(args) ? args : undefined;
}

/** Everything that a person has to read: the arguments of the call, and the fields of the question. */
function toShownArgs(content: InterruptContent, call: AgUiToolCall | undefined) {
  const { review, payload, message } = content;
  if (review) return toReviewArgs(review);
  // The page shows arguments that are no JSON as they came: nobody allows a call without having seen it.
  const args = call ? (parseArgs(call) ?? { arguments: call.function.arguments }) : content.args;
  const shown = joinFields(args ?? {}, payload);
  const isNew = message !== undefined && !Object.values(shown).includes(message);
  // The text of a question about a call is no argument of the call.
  return isNew && !call ? { message, ...shown } : shown;
}

export function toQuestion({ interrupt, isClientTool, args }: InterruptCall): TransportQuestion | undefined {
  if (isClientTool) return undefined;
  const content = readContent(interrupt);
  if (content.review) return toReviewQuestion(content.review);
  const { schema, message } = content;
  const isInArgs = Object.values(args).includes(message);
  const description =
    message !== undefined && (isInArgs ? { description: message } : { description: message, message });
  const asked = { interactive: true as const, ...description };
  if (isConfirmation(interrupt, content)) {
    const edited = propertyOf(schema, 'editedArgs');
    // The agent checks edited arguments. A check here could hide arguments that the schema does not name.
    return { ...asked, ui: 'confirm', ...(edited && { editable: true, input: toOpaqueSchema(edited) }) };
  }
  if (schema) return { ...asked, ui: 'form', output: toAnswerSchema(schema) };
  if (hasOptions(args)) {
    const isList = args.multiple === true || args.multiSelect === true;
    const picked = isList ? { type: 'array', items: { type: 'string' } } : { type: 'string' };
    return { ...asked, ui: 'choice', output: toOpaqueSchema(picked) };
  }
  return { ...asked, ui: 'form', output: toOpaqueSchema(ANSWER_IN_WORDS) };
}

/** An approval, or a yes or no. Any other question without a schema is answered in words, or by one of its options. */
export function isConfirmation(interrupt: Interrupt, content: InterruptContent): boolean {
  const { reason, toolCallId, metadata } = interrupt;
  const { schema, payload, review, isSuspended } = content;
  if (schema) return isYesOrNo(schema);
  if (review || isSuspended || hasOptions(payload) || reason === 'input_required') return false;
  if (reason === 'confirmation' || reason === 'tool_call') return true;
  if (isLegacy(interrupt) || isRecord(metadata?.langgraph)) return toolCallId !== undefined;
  return payload === undefined;
}

function hasOptions(args: Readonly<Record<string, unknown>> = {}): boolean {
  return Array.isArray(args.options) && args.options.length > 0;
}
