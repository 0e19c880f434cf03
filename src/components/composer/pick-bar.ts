import type { Outbox } from '../../core/store/chat-state.ts';
import type { ConnectionState } from '../../shared/connection.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import type { HeldQuestion } from '../hooks/held-questions.ts';

/** The state of the chat from which a bar is picked. A field that is absent asks for no bar. */
export interface BarFacts {
  readonly error?: AgentChatError | null | undefined;
  readonly outbox?: Outbox | undefined;
  /** The network came back a moment ago, and everything was sent. */
  readonly isBack?: boolean | undefined;
  readonly connectionState?: ConnectionState | undefined;
  readonly heldQuestion?: HeldQuestion | undefined;
}

export type Bar = 'restarted' | 'offline' | 'back' | 'connecting' | 'question';

/** Returns the one bar to show, by weight: failed, offline, connecting, a question that waits. Undefined leaves room for a guide. */
export function pickBar({ error, outbox, isBack, connectionState, heldQuestion }: BarFacts): Bar | undefined {
  if (error?.backendCode === 'server_restarted') return 'restarted';
  if (outbox?.isOffline) return 'offline';
  if (isBack) return 'back';
  if (connectionState === 'reconnecting' || connectionState === 'error') return 'connecting';
  return heldQuestion && 'question';
}
