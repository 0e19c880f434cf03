/** Commands to payloads of the native wire: the Octavus wire protocol 2.0, section 2, plus `resume`. */
import { compact } from '../shared/json.ts';
import type { AgentCommand, ToolAnswer } from './commands.ts';
import type { ToolResult } from './events.ts';

/** Starts a turn. */
export interface TriggerPayload {
  readonly type: 'trigger';
  readonly triggerName: string;
  readonly input?: Readonly<Record<string, unknown>>;
}
/** Delivers all results of a request and opens the continuation of the run. */
export interface ContinuePayload {
  readonly type: 'continue';
  readonly executionId: string;
  readonly toolResults: readonly ToolResult[];
}
/** Goes on reading a run; only servers that send cursors get it. */
export interface ResumePayload {
  readonly type: 'resume';
  readonly executionId: string;
  readonly cursor: string;
}
/**
 * Ends a run, named to servers that send cursors. Over HTTP only they get it; others are stopped by aborting the request.
 */
export interface StopPayload {
  readonly type: 'stop';
  readonly executionId?: string;
}

/** The payload of a browser: the JSON body of a request, or one text frame. Switch over `type`. */
export type NativePayload = TriggerPayload | ContinuePayload | ResumePayload | StopPayload;

/** Encodes one command. */
export function encodeNativeCommand(command: AgentCommand): NativePayload {
  if (command.type === 'stop') return compact({ type: 'stop', executionId: command.executionId });
  if (command.type !== 'respond') return compact(command);
  return {
    type: 'continue',
    executionId: command.executionId,
    toolResults: [...command.serverToolResults, ...command.answers.map(encodeAnswer)],
  };
}

function encodeAnswer({ toolCallId, toolName, result, error, echo }: ToolAnswer): ToolResult {
  // Without a key the reference server would take the call for unanswered.
  const given = error === undefined ? (result ?? null) : undefined;
  return compact({ ...echo, toolCallId, toolName, result: given, error });
}
