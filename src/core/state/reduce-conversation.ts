import { deepFreeze } from '../../shared/json.ts';
import type { AgentEvent, SnapshotEvent, StartEvent } from '../protocol/events.ts';
import {
  type Conversation,
  type ConversationChange,
  findCall,
  type Notice,
  toNotice,
} from './conversation.ts';
import { showDeliveries } from './delivery.ts';
import { finaliseMessage } from './finalise.ts';
import type { UIMessage } from './message.ts';
import {
  acknowledgeCall,
  advanceCalls,
  askAgain,
  keepInput,
  reportProgress,
  runCall,
  settleCall,
  showKnownCalls,
  updateCall,
  waitForPerson,
} from './reduce-calls.ts';
import { reduceStreamingMessage, toStreamingMessage } from './reduce-streaming-message.ts';
import { createStreamingMessage, type StreamingMessage } from './streaming-message.ts';
import { isUndelivered, type ToolCall, type ToolCallAnswer, toolCallKey } from './tool-call.ts';

/** The number of notices of a conversation; older ones are dropped. */
const NOTICES_KEPT = 100;

/** The one place where state changes. Pure; returns the same objects for whatever did not change. */
export function reduceConversation(state: Conversation, change: ConversationChange): Conversation {
  return showDeliveries(state, reduceChange(state, change));
}

function reduceChange(state: Conversation, change: ConversationChange): Conversation {
  switch (change.type) {
    case 'event':
      return reduceEvent(state, change.event);
    case 'turn-started':
      return {
        // The message of an earlier failed turn stays in the list.
        ...begin({ ...state, interrupted: null }, change),
        messages: addMessage(takeBefore(state.messages, change.command.rewindTo), change.userMessage),
        trigger: change.command,
        request: change.command,
        usage: undefined,
      };
    case 'turn-retried':
      return change.fresh === undefined ? rewind(state) : begin(state, change.fresh);
    case 'turn-resumed':
      return reopen(state, state.interrupted);
    case 'request-sent':
      return { ...state, request: change.command, isHeld: undefined };
    case 'request-held':
      return { ...state, isHeld: true };
    case 'network-changed':
      return { ...state, isOffline: change.isOffline };
    case 'opened':
      return openConversation(state, change.snapshot, change.at);
    case 'turn-ended': {
      const { streamingMessage } = state;
      const message = streamingMessage?.parts.length
        ? finaliseMessage(streamingMessage, change.ending)
        : undefined;
      return {
        ...state,
        messages: addMessage(state.messages, message),
        streamingMessage: null,
        interrupted: change.ending === 'failed' ? streamingMessage : null,
        phase: change.ending === 'failed' ? 'error' : 'idle',
        error: change.error ?? null,
        isHeld: undefined,
      };
    }
    case 'calls-requested': {
      const again = change.calls.filter((call) => findCall(state, call.key));
      const next = again.reduce(askAgain, state);
      return { ...next, calls: [...next.calls, ...change.calls.filter((call) => !again.includes(call))] };
    }
    case 'call-running':
      return runCall(state, change);
    case 'call-waiting':
      return waitForPerson(state, change);
    case 'input-saved':
      return updateCall(state, change.key, (call) => ({ ...call, savedInput: change.input }));
    case 'call-progress':
      return reportProgress(state, change.key, change.progress);
    case 'input-kept':
      return keepInput(state, change.key);
    case 'call-settled':
      return settleCall(state, change.key, change.answer);
    case 'calls-delivered':
      return { ...advanceCalls(state, change.keys, 'delivered'), checkpoint: state.streamingMessage };
    case 'calls-acknowledged':
      return advanceCalls(state, change.keys, 'acknowledged');
    case 'calls-lost':
      return advanceCalls(state, change.keys, 'settled');
    case 'undelivered-kept':
      return {
        ...state,
        undelivered: [...state.undelivered, ...selectUndelivered(state.calls, change.expired)],
      };
    case 'undelivered-delivered':
      return { ...state, undelivered: [] };
    case 'messages-replaced':
      return { ...state, messages: change.messages, streamingMessage: change.streamingMessage };
    case 'memory-changed':
      return { ...state, memory: change.memory };
    case 'notice':
      return addNotice(state, change.notice);
    case 'connection-changed':
      return { ...state, connection: change.status };
    case 'error-cleared':
      return { ...state, phase: 'idle', error: null, interrupted: null };
    case 'restored':
      return { ...change.conversation, connection: state.connection, isOffline: state.isOffline };
    default:
      // This change comes from a tab of a later version.
      change satisfies never;
      return state;
  }
}

function reduceEvent(state: Conversation, event: AgentEvent): Conversation {
  const next = reduceRun(state, event);
  if (next.streamingMessage === null) return next;
  const streamingMessage = reduceStreamingMessage(next.streamingMessage, event);
  const drawn = streamingMessage === next.streamingMessage ? next : { ...next, streamingMessage };
  return showKnownCalls(drawn, event);
}

/** Applies the part of an event that concerns the run rather than its message. */
function reduceRun(state: Conversation, event: AgentEvent): Conversation {
  const cursor = event.cursor ?? state.cursor;
  const moved = cursor === state.cursor ? state : { ...state, cursor };
  switch (event.type) {
    case 'start':
      return nameDraft(
        {
          ...moved,
          streamingMessage:
            event.restarted && moved.streamingMessage ? moved.checkpoint : moved.streamingMessage,
          executionId: event.executionId ?? moved.executionId,
          trigger: anchorTrigger(moved.trigger, event),
        },
        event.messageId,
      );
    case 'client-tool-request':
      return { ...moved, executionId: event.executionId };
    case 'usage':
      return { ...moved, usage: Object.freeze({ ...event.usage }) };
    case 'notice':
      return addNotice(moved, toNotice(event));
    case 'tool-result-acknowledged':
      return acknowledgeCall(moved, event);
    default:
      return moved;
  }
}

/** Remembers where the session stood before its first run of a trigger: a retry of the trigger goes back there. */
function anchorTrigger(
  trigger: Conversation['trigger'],
  { lastMessageId, sessionId }: StartEvent,
): Conversation['trigger'] {
  // A server that names its session without a last message has an empty session. Other servers know no rollback.
  const rollbackAfterMessageId = lastMessageId ?? (sessionId && null);
  return trigger && rollbackAfterMessageId !== undefined ? { rollbackAfterMessageId, ...trigger } : trigger;
}

/** The backend names the message once; continuations of the same message may send other ids. */
function nameDraft(state: Conversation, messageId: string | undefined): Conversation {
  const { streamingMessage } = state;
  if (streamingMessage === null || streamingMessage.named || messageId === undefined) return state;
  if (state.messages.some(({ id }) => id === messageId)) return state;
  const named = { ...streamingMessage, id: messageId, named: true };
  return {
    ...state,
    streamingMessage: named,
    checkpoint: state.checkpoint === streamingMessage ? named : state.checkpoint,
  };
}

function addMessage(messages: readonly UIMessage[], message: UIMessage | undefined): readonly UIMessage[] {
  return message ? Object.freeze([...messages, message]) : messages;
}

/** The messages before the one with this id; all of them if there is none. */
function takeBefore(messages: readonly UIMessage[], id: string | undefined): readonly UIMessage[] {
  const index = id ? messages.findIndex((message) => message.id === id) : -1;
  return index < 0 ? messages : messages.slice(0, index);
}

/** A run begins, with a message of its own. */
function begin(state: Conversation, { messageId, at }: { messageId: string; at: Date }): Conversation {
  const streamingMessage = createStreamingMessage(messageId, at);
  return {
    ...reopen(state, streamingMessage),
    checkpoint: streamingMessage,
    calls: [],
    executionId: undefined,
    cursor: undefined,
  };
}

/** Takes over the server's conversation. What this page knows of calls that are still open stays, such as what was typed into them. */
function openConversation(state: Conversation, snapshot: SnapshotEvent, at: Date): Conversation {
  const { messages, openCalls, executionId, cursor, restsAt, goesOn = openCalls.length > 0 } = snapshot;
  const { trigger } = state;
  // A call that this person may answer now, or no longer, begins anew.
  const isKept = ({ key, request }: ToolCall) =>
    openCalls.some(
      ({ toolCallId, mayAnswer }) =>
        key === toolCallKey(executionId ?? '', toolCallId) && mayAnswer === request.mayAnswer,
    );
  // A run that waits goes on in the last message. A run that is under way writes a message that the snapshot does not have.
  const last = goesOn ? messages.at(-1) : undefined;
  const begun = last ? toStreamingMessage(last) : executionId && createStreamingMessage(executionId, at);
  const streamingMessage = begun || null;
  return {
    ...state,
    messages: deepFreeze(messages.filter((message) => message !== last)),
    streamingMessage,
    checkpoint: streamingMessage,
    interrupted: null,
    phase: streamingMessage ? 'streaming' : 'idle',
    error: null,
    calls: state.calls.filter(isKept),
    // The latest message may be one that another page has sent.
    trigger:
      messages.findLast(({ role }) => role === 'user')?.id === trigger?.idempotencyKey ? trigger : undefined,
    executionId: executionId ?? restsAt?.executionId,
    cursor: cursor ?? restsAt?.cursor,
  };
}

/** Back to where the latest request found the message, and the run. */
function rewind(state: Conversation): Conversation {
  const { request, cursor } = state;
  return {
    ...reopen(state, state.checkpoint),
    cursor: request?.type === 'respond' ? request.cursor : cursor,
  };
}

function reopen(state: Conversation, streamingMessage: StreamingMessage | null): Conversation {
  if (streamingMessage === null) return state;
  const begun = state.interrupted;
  return {
    ...state,
    messages: begun
      ? Object.freeze(state.messages.filter((message) => message.id !== begun.id))
      : state.messages,
    streamingMessage,
    interrupted: null,
    phase: 'streaming',
    error: null,
  };
}

function selectUndelivered(
  calls: readonly ToolCall[],
  expired: ToolCallAnswer | undefined,
): readonly ToolCall[] {
  if (!expired || !calls.some(isUndelivered)) return calls.filter(isUndelivered);
  return calls
    .map((call) => (call.answer?.outcome === 'expired' ? { ...call, answer: expired } : call))
    .filter(isUndelivered);
}

function addNotice(state: Conversation, notice: Notice): Conversation {
  return { ...state, notices: Object.freeze([...state.notices, Object.freeze(notice)].slice(-NOTICES_KEPT)) };
}
