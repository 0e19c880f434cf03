/** Decodes events of AG-UI 1.0 to events of the engine, except those that end a run. */
import type { AgentEvent } from '../../core/protocol/events.ts';
import { parseJson } from '../../shared/json.ts';
import type { AgUiEvent } from './messages.ts';
import { parseArgs } from './questions.ts';
import type { ThreadBuilder } from './thread-builder.ts';

/** @param thread the thread with this event in it. Returns undefined for an event that the engine has no word for. */
export function decodeEvent(event: AgUiEvent, thread: ThreadBuilder): readonly AgentEvent[] | undefined {
  const events = decodeContent(event, thread) ?? decodeCall(event, thread) ?? decodeRest(event, thread);
  return events && byWorker(event, events);
}

/** Returns the events as those of the subagent that sent them. */
export function byWorker(
  { subagentRunId: workerId }: AgUiEvent,
  events: readonly AgentEvent[],
): readonly AgentEvent[] {
  return workerId === undefined ? events : events.map((event) => ({ ...event, workerId }));
}

function decodeContent(
  { type, messageId, delta }: AgUiEvent,
  thread: ThreadBuilder,
): readonly AgentEvent[] | undefined {
  const id = String(messageId);
  // A text in the name of somebody else is history, or words for the model, and not the agent's answer.
  if (type.startsWith('TEXT_MESSAGE_') && (thread.roleOf(id) ?? 'assistant') !== 'assistant') return [];
  switch (type) {
    case 'TEXT_MESSAGE_START':
      return [{ type: 'text-start', id }];
    case 'TEXT_MESSAGE_CONTENT':
      return [{ type: 'text-delta', id, delta: String(delta ?? '') }];
    case 'TEXT_MESSAGE_END':
      return [{ type: 'text-end', id }];
    case 'REASONING_MESSAGE_START':
      return [{ type: 'reasoning-start', id }];
    case 'REASONING_MESSAGE_CONTENT':
      return [{ type: 'reasoning-delta', id, delta: String(delta ?? '') }];
    case 'REASONING_MESSAGE_END':
      return [{ type: 'reasoning-end', id }];
    default:
      return undefined;
  }
}

function decodeCall(event: AgUiEvent, thread: ThreadBuilder): readonly AgentEvent[] | undefined {
  const toolCallId = thread.pageIdOf(String(event.toolCallId));
  switch (event.type) {
    case 'TOOL_CALL_START':
      return [{ type: 'tool-input-start', toolCallId, toolName: String(event.toolCallName) }];
    case 'TOOL_CALL_ARGS':
      return [{ type: 'tool-input-delta', toolCallId, inputTextDelta: String(event.delta ?? '') }];
    case 'TOOL_CALL_END':
      return announceCall(String(event.toolCallId), thread);
    case 'TOOL_CALL_RESULT':
      return [{ type: 'tool-output-available', toolCallId, output: toOutput(event.content) }];
    default:
      return undefined;
  }
}

/** Arguments that are no object are shown as none; the call is answered with an error if it is one of the client. */
function announceCall(id: string, thread: ThreadBuilder): readonly AgentEvent[] {
  const call = thread.findCall(id);
  if (call === undefined) return [];
  const input = parseArgs(call) ?? {};
  const toolCallId = thread.pageIdOf(id);
  return [{ type: 'tool-input-available', toolCallId, toolName: call.function.name, input }];
}

/** Results are text. An object or a list in it is shown as such. */
export function toOutput(content: unknown): unknown {
  const json = typeof content === 'string' && /^\s*[[{]/.test(content) ? parseJson(content) : undefined;
  return json ?? content ?? null;
}

function decodeRest(event: AgUiEvent, thread: ThreadBuilder): readonly AgentEvent[] | undefined {
  switch (event.type) {
    case 'STATE_SNAPSHOT':
    case 'STATE_DELTA':
      return [{ type: 'resource-update', name: 'state', value: thread.state }];
    case 'SUBAGENT_ERROR':
      return [{ type: 'notice', code: 'subagent_error', text: String(event.message) }];
    case 'RUN_STARTED':
    case 'RUN_FINISHED':
    case 'STEP_STARTED':
    case 'STEP_FINISHED':
    case 'REASONING_START':
    case 'REASONING_END':
    case 'REASONING_ENCRYPTED_VALUE':
    case 'SUBAGENT_STARTED':
    case 'SUBAGENT_FINISHED':
    case 'MESSAGES_SNAPSHOT':
      return [];
    case 'RUN_ERROR':
      return [
        {
          type: 'error',
          errorType: 'execution_error',
          message: String(event.message),
          retryable: true,
          source: 'platform',
          ...(typeof event.code === 'string' && { code: event.code }),
        },
      ];
    default:
      return undefined;
  }
}
