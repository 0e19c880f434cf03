/** Reads the `tool.call` card of a command. Only the card has the arguments. */
import { compact, hasOwn, isRecord } from '../../shared/json.ts';
import type { CallIdentity, CommandPayload, ToolCommand, UtpToolCall } from './call.ts';
import type { Card, CardStore } from './cards.ts';
import { inStep } from './step-failure.ts';
import { UtpToolError } from './tool-error.ts';
import { readTraceId } from './traceparent.ts';

/** A call, and the reason why it cannot run, if there is one. The agent gets the reason as the result. */
export interface HydratedCall {
  readonly call: UtpToolCall;
  readonly fault?: unknown;
}

const CALL_CLASS = 'ToolCallContent';

/** The content of a `tool.call` card, as far as the executor reads it. */
interface ToolCallContent {
  readonly tool_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Returns the call of a command with the arguments of its card. A command or a card that breaks the protocol becomes a `fault`; the call
 * then has what could be read, because a result card must repeat the lineage of the call's card as far as it is known.
 *
 * @throws StepFailure `hydrate` if the card store failed.
 */
export async function hydrateCall(cards: CardStore, command: ToolCommand): Promise<HydratedCall> {
  const { identity, payload, subject } = command;
  if (payload instanceof UtpToolError) {
    return { call: toCall(identity, {}, undefined, subject.target), fault: payload };
  }
  const { toolCallCardId } = payload;
  const card =
    toolCallCardId === undefined
      ? undefined
      : await inStep('hydrate', () => cards.get(identity.projectId, toolCallCardId));
  // The card of another call has another lineage.
  const ownCard = card && findForeignness(card, identity) === undefined ? card : undefined;
  return {
    call: toCall(identity, payload, ownCard, subject.target),
    fault: findFault(card, toolCallCardId, identity),
  };
}

function findFault(card: Card | undefined, cardId: string | undefined, identity: CallIdentity): unknown {
  if (cardId === undefined) {
    return new UtpToolError('bad_request', 'The payload of the command has no tool_call_card_id.');
  }
  if (card === undefined) {
    const detail = { tool_call_card_id: cardId };
    return new UtpToolError('not_found', `There is no card ${cardId} in this project.`, { detail });
  }
  const fault =
    findForeignness(card, identity) ??
    (readContent(card) === undefined
      ? `has content that is no ToolCallContent: its __type__ is ${describeClass(card)}, and it needs tool_name and an object of arguments`
      : undefined);
  return fault && new UtpToolError('bad_request', `Card ${cardId} ${fault}.`);
}

/** Says why a card is not the card of this call. A card without a call id belongs to the command that names it. */
function findForeignness(
  { type, tool_call_id, project_id }: Card,
  { toolCallId, projectId }: CallIdentity,
): string | undefined {
  if (type !== 'tool.call') return `is a ${type}, not a tool.call`;
  if (project_id !== projectId) return `belongs to the project ${project_id}, not to ${projectId}`;
  if (!tool_call_id || tool_call_id === toolCallId) return undefined;
  return `belongs to the call ${tool_call_id}, but CG-Tool-Call-Id is ${toolCallId}`;
}

/** The card box names the class of each content in `__type__`. A store of another kind may have none. */
function readContent({ content }: Card): ToolCallContent | undefined {
  if (!isRecord(content) || (hasOwn(content, '__type__') && content.__type__ !== CALL_CLASS))
    return undefined;
  const isContent = typeof content.tool_name === 'string' && isRecord(content.arguments);
  return isContent ? (content as unknown as ToolCallContent) : undefined;
}

function describeClass({ content }: Card): string {
  return isRecord(content) && hasOwn(content, '__type__') ? String(content.__type__) : 'absent';
}

function toCall(
  identity: CallIdentity,
  { toolName, afterExecution = 'suspend' }: CommandPayload,
  card: Card | undefined,
  target: string,
): UtpToolCall {
  const content = card && readContent(card);
  return {
    ...identity,
    toolName: toolName ?? content?.tool_name ?? target,
    args: content?.arguments ?? {},
    ...(card && readEnvs(card)),
    afterExecution,
    lineage: card ? readLineage(card) : toLineage(identity),
  };
}

function readEnvs({ metadata }: Card): Pick<UtpToolCall, 'envs'> {
  const envs = metadata.tool_args_envs;
  return isRecord(envs) ? { envs: envs as Record<string, string> } : {};
}

/** Where the call has no card of its own, the lineage is that of the headers: without a `step_id` the turn would fail. */
function toLineage({ stepId, parentStepId, traceparent }: CallIdentity): Readonly<Record<string, unknown>> {
  return compact({
    step_id: stepId,
    trace_id: readTraceId(traceparent),
    parent_step_id: parentStepId,
  });
}

/** The lineage of a card is copied verbatim: nothing fills in what the card lacks. */
function readLineage({ metadata }: Card): Readonly<Record<string, unknown>> {
  const { step_id, trace_id, parent_step_id } = metadata;
  return compact({ step_id, trace_id, parent_step_id });
}
