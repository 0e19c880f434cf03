/** Encodes commands as payloads of the native wire: the Octavus wire protocol 2.0, section 2, plus `resume`. */
import { orInvalid } from '../../shared/errors.ts';
import { compact } from '../../shared/json.ts';
import type { AgentCommand, ToolAnswer, ToolDescription } from './commands.ts';
import type { ToolResult } from './events.ts';

/** Starts a turn. */
export interface TriggerPayload {
  readonly type: 'trigger';
  readonly triggerName: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** The same whenever this message is sent again. An addition to the Octavus protocol, whose servers ignore it. */
  readonly idempotencyKey?: string;
  /** The session forgets the message with this key, and all that followed it. An addition to the Octavus protocol too. */
  readonly rewindTo?: string;
  /** The message at `rewindTo` is sent again, with the input that the session has of it. */
  readonly repeats?: true;
  /** Only in a trigger that is sent again: the last message that the session keeps, `null` for none. */
  readonly rollbackAfterMessageId?: string | null;
  /** The tools of the page, for a server that offers them to its model. An addition to the Octavus protocol. */
  readonly clientTools?: readonly ToolDescription[];
}
/** Delivers all results of a request and opens the continuation of the run. */
export interface ContinuePayload {
  readonly type: 'continue';
  readonly executionId: string;
  readonly toolResults: readonly ToolResult[];
  /** True if other people answer the other calls of the request. */
  readonly partial?: true;
}
/** Reads a run on from a cursor. Only servers that send cursors get it. */
export interface ResumePayload {
  readonly type: 'resume';
  readonly executionId: string;
  readonly cursor: string;
}
/** Reads the conversation from the server. An addition to the Octavus protocol. */
export interface OpenPayload {
  readonly type: 'open';
  readonly executionId?: string;
  readonly cursor?: string;
  readonly follow?: true;
}
/**
 * Ends a run, named by its `executionId`, or by the key of its trigger before the `start` arrived. Over HTTP a server that has sent a
 * `start` without a cursor does not get this payload: there an aborted request ends the run.
 */
export interface StopPayload {
  readonly type: 'stop';
  readonly executionId?: string;
  readonly idempotencyKey?: string;
}

/** The JSON body of a request, or one text frame, that a browser sends. Switch over `type`. */
export type NativePayload = TriggerPayload | ContinuePayload | ResumePayload | OpenPayload | StopPayload;

/** Encodes one command. */
export function encodeNativeCommand(command: AgentCommand): NativePayload {
  if (command.type === 'stop') return compact({ ...command, cursor: undefined });
  if (command.type !== 'respond') return compact(command);
  const { executionId, serverToolResults, answers, partial } = command;
  return compact({
    type: 'continue' as const,
    executionId,
    toolResults: [...serverToolResults, ...answers.map(encodeAnswer)],
    partial,
  });
}

/** Encodes an answer with its outcome and its reason, which the servers of other vendors ignore. */
export function encodeAnswer(answer: ToolAnswer): ToolResult {
  const { toolCallId, toolName, outcome, result, error, reason, files, echo } = answer;
  // A tool that returned nothing has the result null: the reference server takes a call without the key `result` for unanswered.
  const given = error === undefined ? (result ?? null) : undefined;
  return compact({ ...echo, toolCallId, toolName, outcome, result: given, error, reason, files });
}

/**
 * Returns the JSON text of a payload.
 *
 * @throws AgentChatError `invalid_options` when JSON cannot carry the payload, such as a cycle in the input.
 */
export function toPayloadText(payload: object): string {
  return orInvalid(() => JSON.stringify(payload), 'The request cannot be written as JSON');
}
