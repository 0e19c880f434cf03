/** Interrupts as calls that a person answers, and the answers as the agent wants them (AG-UI, page Interrupts). */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { fromJSONSchema } from 'zod';
import type { ToolAnswer } from '../../core/protocol/commands.ts';
import type { PendingToolCall } from '../../core/protocol/events.ts';
import type { TransportQuestion } from '../../core/transport/agent-transport.ts';
import { compact, isRecord, parseJson } from '../../shared/json.ts';
import { toOpaqueSchema } from '../../shared/to-opaque-schema.ts';
import { readReason } from '../../shared/tool-outcome.ts';
import type { AgUiToolCall, Interrupt, ResumeEntry } from './messages.ts';

type Schema = Readonly<Record<string, unknown>>;

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
}

/** @param call the call that the interrupt is about, if an event announced it */
export function toInterruptCall(
  interrupt: Interrupt,
  call: AgUiToolCall | undefined,
  isClientTool: boolean,
): InterruptCall {
  const { id, reason, toolCallId = id, expiresAt } = interrupt;
  const deadline = Date.parse(expiresAt ?? '');
  const suspended = readSuspended(interrupt);
  const message = messageOf(interrupt);
  const args = (call && parseArgs(call)) ?? suspended?.args ?? {};
  // A call that no event announced is the agent's too: its output follows the answer.
  const isOfServer = interrupt.toolCallId !== undefined && !isClientTool;
  return compact({
    toolCallId,
    toolName: call?.function.name ?? suspended?.toolName ?? reason,
    args: call || message === undefined ? args : { ...args, message },
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

/** Mastra says in the metadata which call it asks about, and what. */
function readSuspended({ metadata }: Interrupt) {
  const { mastra } = metadata ?? {};
  if (!isRecord(mastra)) return undefined;
  const { toolName, args, suspendPayload } = mastra;
  const payload = isRecord(suspendPayload) ? suspendPayload : undefined;
  return {
    toolName: typeof toolName === 'string' ? toolName : undefined,
    args: isRecord(args) ? args : payload,
    message: payload?.message,
  };
}

function messageOf(interrupt: Interrupt): string | undefined {
  const { message = readSuspended(interrupt)?.message } = interrupt;
  return typeof message === 'string' ? message : undefined;
}

export function toQuestion({ interrupt, isClientTool }: InterruptCall): TransportQuestion | undefined {
  if (isClientTool) return undefined;
  const { responseSchema } = interrupt;
  const message = messageOf(interrupt);
  const description = message === undefined ? {} : { description: message };
  if (isYesOrNo(interrupt)) {
    const edited = propertyOf(responseSchema, 'editedArgs');
    const editing = edited && { editable: true, input: toStandardSchema(edited) };
    return { interactive: true, ui: 'confirm', ...description, ...editing };
  }
  return { interactive: true, ui: 'form', ...description, output: toStandardSchema(responseSchema ?? {}) };
}

/** An approval, a yes or no, or a question that says nothing about its answer. */
function isYesOrNo({ responseSchema }: Interrupt): boolean {
  return (
    responseSchema === undefined ||
    responseSchema.type === 'boolean' ||
    hasApproved(responseSchema) ||
    Object.keys(responseSchema).length === 0
  );
}

function hasApproved(schema: Schema | undefined): boolean {
  return propertyOf(schema, 'approved') !== undefined;
}

/** Returns the schema of a property, also of one that only some alternatives have. */
function propertyOf(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema === undefined) return undefined;
  const { properties, oneOf, anyOf } = schema;
  const own = isRecord(properties) ? properties[name] : undefined;
  if (isRecord(own)) return own;
  const alternatives = [oneOf, anyOf].flat().filter(isRecord);
  for (const alternative of alternatives) {
    const found = propertyOf(alternative, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A schema that cannot be checked here still describes its form. The agent checks the answer. */
function toStandardSchema(schema: Schema): StandardSchemaV1 {
  try {
    return fromJSONSchema(schema);
  } catch {
    return toOpaqueSchema(schema);
  }
}

/** Returns the entry that answers an interrupt. What has no word in its schema is a cancellation. */
export function toResumeEntry(answer: ToolAnswer): ResumeEntry {
  const { interrupt, isClientTool } = answer.echo as unknown as InterruptCall;
  const payload = toPayload(interrupt, answer, isClientTool === true);
  const interruptId = interrupt.id;
  // The older form has no cancellation: the agent reads a text in its place.
  if ('legacyValue' in interrupt && payload === undefined)
    return { interruptId, status: 'resolved', payload: answer.error ?? toRefusal(answer) };
  // A payload must not be null.
  if (payload === undefined || payload === null) return { interruptId, status: 'cancelled' };
  return { interruptId, status: 'resolved', payload };
}

function toRefusal(answer: ToolAnswer): string {
  const reason = readReason(answer);
  return `The person declined${reason === undefined ? '' : `: ${reason}`}`;
}

function toPayload(interrupt: Interrupt, answer: ToolAnswer, isClientTool: boolean): unknown {
  const { outcome, result } = answer;
  const { responseSchema, reason } = interrupt;
  if (outcome !== 'submitted' && outcome !== 'declined') return undefined;
  if (isClientTool) return result;
  const given = isRecord(result) ? result : {};
  if (outcome === 'submitted') {
    if (!isYesOrNo(interrupt)) return result;
    return hasApproved(responseSchema) ? compact({ approved: true, editedArgs: given.editedArgs }) : true;
  }
  if (hasApproved(responseSchema)) {
    const mayExplain = propertyOf(responseSchema, 'reason') !== undefined;
    return compact({ approved: false, reason: mayExplain ? readReason(answer) : undefined });
  }
  const takesNo =
    responseSchema?.type === 'boolean' || (responseSchema === undefined && reason === 'confirmation');
  return takesNo ? false : undefined;
}
