import type { ConnectionState } from '../../shared/connection.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import type { TokenUsage } from '../protocol/events.ts';
import type { Notice } from '../state/conversation.ts';
import type { UIMessage } from '../state/message.ts';
import type { ClientTools, InteractiveTool } from '../tools/client-tool.ts';
import type { PendingClientTools } from '../tools/typed-tools.ts';

/**
 * - `idle`: nothing under way
 * - `streaming`: a request is open or an automatic tool runs
 * - `awaiting-input`: at least one interactive call waits for a person
 * - `error`: the turn failed, see `error`; `retry()` or `clearError()` leaves it
 */
export type ChatStatus = 'idle' | 'streaming' | 'error' | 'awaiting-input';

/** Counts what this page still has to send. */
export interface Outbox {
  /** True while the browser says that it has no network. Nothing is sent meanwhile, and everything goes out by itself afterwards. */
  readonly isOffline: boolean;
  /** Answers of this person that the backend does not have yet. */
  readonly answers: number;
  /** Messages that wait for the network: 1 or 0. */
  readonly messages: number;
}

/** The public state of a chat. Frozen; each change creates a new one, and unchanged parts retain their identity. */
export interface AgentChatState<Tools extends ClientTools = ClientTools> {
  readonly messages: readonly UIMessage[];
  readonly status: ChatStatus;
  readonly error: AgentChatError | null;
  /** Calls that wait for a person, by tool name and in the order they were asked. Has no prototype. */
  readonly pendingClientTools: PendingClientTools<Tools>;
  /** All calls that wait for a person, in the order they were asked, whatever their tool. */
  readonly pendingCalls: readonly InteractiveTool[];
  /**
   * The connection of the transport. Over HTTP, where each request has its own: `reconnecting` while attempts to go on with a cut response
   * fail, then `connected`, and undefined before that.
   */
  readonly connectionState: ConnectionState | undefined;
  readonly connectionError: Error | undefined;
  /** What the backend does not have yet, and whether the browser has a network, over every transport. */
  readonly outbox: Outbox;
  /** Tokens of the current or latest turn, if the backend reports them. */
  readonly usage: TokenUsage | undefined;
  /** Notices, which end no turn, oldest first; at most the last 100. */
  readonly notices: readonly Notice[];
}

/** `pendingClientTools` without knowledge of the tools' types. */
export type AnyPendingClientTools = Readonly<Record<string, readonly InteractiveTool[]>>;
