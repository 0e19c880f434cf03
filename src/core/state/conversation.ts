/** Everything the engine knows of a conversation, and every way it changes. */

import type { ConnectionStatus } from '../../shared/connection.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import { compact, type JsonValue } from '../../shared/json.ts';
import type { OpenCommand, RespondCommand, TriggerCommand } from '../protocol/commands.ts';
import type { AgentEvent, NoticeEvent, SnapshotEvent, TokenUsage } from '../protocol/events.ts';
import type { TurnEnding } from './finalise.ts';
import type { ToolProgress, UIMessage } from './message.ts';
import type { StreamingMessage } from './streaming-message.ts';
import type { CallApproval, ToolCall, ToolCallAnswer } from './tool-call.ts';

/** A message for the person that does not end the turn. */
export interface Notice {
  readonly code: string;
  readonly text: string;
  readonly toolCallId?: string;
}

export function toNotice({ code, text, toolCallId }: NoticeEvent): Notice {
  return Object.freeze(compact({ code, text, toolCallId }));
}

/** The saved input of a call of this tool that was answered in words. */
export interface KeptInput {
  readonly toolName: string;
  readonly input: unknown;
}

export interface Conversation {
  /** Finished messages. The streaming message is separate, so that a delta does not copy the history. */
  readonly messages: readonly UIMessage[];
  readonly streamingMessage: StreamingMessage | null;
  /** The streaming message before the latest request, from which a retry of that request starts. */
  readonly checkpoint: StreamingMessage | null;
  /** The streaming message before a failure, from which a resume goes on. */
  readonly interrupted: StreamingMessage | null;
  readonly phase: 'idle' | 'streaming' | 'error';
  readonly error: AgentChatError | null;
  /** Calls of the current turn, in the order they were requested. */
  readonly calls: readonly ToolCall[];
  /** Calls of turns that are over whose answers go out before the next message. */
  readonly undelivered: readonly ToolCall[];
  /** Tools of which a person let a call run, each as the person knew it: see `describeTool`. */
  readonly allowedTools: readonly string[];
  /** What was typed into questions that were answered in words, the oldest first. The next call of the tool begins with it. */
  readonly keptInputs?: readonly KeptInput[];
  /** The trigger of the latest turn, which `regenerate` repeats. */
  readonly trigger?: TriggerCommand | undefined;
  /** The latest request of the turn, which a retry repeats. */
  readonly request: TriggerCommand | RespondCommand | OpenCommand | null;
  readonly executionId?: string | undefined;
  /** Where the run stands, when the backend can resume it. */
  readonly cursor?: string | undefined;
  /** JSON of the transport, opaque to the engine, which it posts again to a backend without a history of its own. */
  readonly memory?: JsonValue | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly notices: readonly Notice[];
  readonly connection?: ConnectionStatus | undefined;
  /** The browser has no network. */
  readonly isOffline?: boolean | undefined;
  /** The trigger waits for the network: nothing of it was sent. */
  readonly isHeld?: true | undefined;
}

/** Every change of state that is not an event of the backend. */
export type ConversationAction =
  | {
      type: 'turn-started';
      messageId: string;
      at: Date;
      command: TriggerCommand;
      userMessage?: UIMessage | undefined;
    }
  /**
   * The latest request goes out again: the message it had begun is taken back to `checkpoint`, or begun anew when
   * the request was the first of its turn.
   */
  | { type: 'turn-retried'; fresh: { messageId: string; at: Date } | undefined }
  /** The interrupted run is resumed: its message is open again. */
  | { type: 'turn-resumed' }
  | { type: 'request-sent'; command: TriggerCommand | RespondCommand | OpenCommand }
  /** The server's conversation takes the place of this one. `at` is the time of a message that is being written. */
  | { type: 'opened'; snapshot: SnapshotEvent; at: Date }
  | { type: 'turn-ended'; ending: TurnEnding; error?: AgentChatError | undefined }
  | { type: 'calls-requested'; calls: readonly ToolCall[] }
  /** `editedArgs`: the arguments as the person corrected them, in place of those of the agent. */
  | {
      type: 'call-running';
      key: string;
      approval?: CallApproval | undefined;
      editedArgs?: ToolCall['request']['args'] | undefined;
      redactedArgs?: ToolCall['redactedArgs'];
    }
  | {
      type: 'call-waiting';
      key: string;
      expiresAt?: number | undefined;
      approvalReason?: ToolCall['approvalReason'] | undefined;
    }
  | { type: 'input-saved'; key: string; input: unknown }
  /** The handler of a call has reported how far it is. */
  | { type: 'call-progress'; key: string; progress: ToolProgress }
  /** Keeps the saved input of the call for the next call of its tool. */
  | { type: 'input-kept'; key: string }
  /** `tabId` names the tab it was answered in, when that is not the one that runs the conversation. */
  | { type: 'call-settled'; key: string; answer: ToolCallAnswer; tabId?: string | undefined }
  | { type: 'calls-delivered'; keys: readonly string[] }
  | { type: 'calls-acknowledged'; keys: readonly string[] }
  /** The backend never got these answers: they are to be delivered again. */
  | { type: 'calls-lost'; keys: readonly string[] }
  /**
   * The turn is over, and the agent may not have its answers. `expired`, for backends that take answers together: the error
   * text for the other calls, which expired.
   */
  | { type: 'undelivered-kept'; expired?: ToolCallAnswer | undefined }
  /** The agent has the answers that earlier turns left undelivered. */
  | { type: 'undelivered-delivered' }
  /** The event of this name, see `replace-messages.ts`. */
  | { type: 'messages-replaced'; messages: readonly UIMessage[]; streamingMessage: StreamingMessage | null }
  | { type: 'memory-changed'; memory: JsonValue | undefined }
  | { type: 'notice'; notice: Notice }
  | { type: 'connection-changed'; status: ConnectionStatus }
  | { type: 'network-changed'; isOffline: boolean }
  /** The trigger of the turn waits for the network. */
  | { type: 'request-held' }
  | { type: 'error-cleared' }
  /** A restored conversation. */
  | { type: 'restored'; conversation: Conversation };

export type ConversationChange = { type: 'event'; event: AgentEvent } | ConversationAction;

export function createConversation(messages: readonly UIMessage[]): Conversation {
  return {
    messages: Object.freeze([...messages]),
    streamingMessage: null,
    checkpoint: null,
    interrupted: null,
    phase: 'idle',
    error: null,
    calls: [],
    undelivered: [],
    allowedTools: [],
    request: null,
    notices: Object.freeze([]),
  };
}

/** Newest first: it is nearly always the latest call that is looked for. */
export function findCall({ calls }: Pick<Conversation, 'calls'>, key: string): ToolCall | undefined {
  return calls.findLast((call) => call.key === key);
}
