import { useAgentChatState } from '../../react/use-agent-chat-state.ts';
import type { ConnectionState } from '../../shared/connection.ts';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { englishTranscriptLabels } from '../text/transcript-labels.ts';

export interface ConnectionStatusProps {
  /** Default: the state of the chat from the `AgentChatProvider`. */
  readonly state?: ConnectionState | undefined;
  readonly className?: string | undefined;
}

/** The state of the connection as text, read out when it changes. Renders nothing if the transport keeps no connection. */
export function ConnectionStatus(props: ConnectionStatusProps) {
  return props.state === undefined ? <ChatConnection {...props} /> : <Shown {...props} state={props.state} />;
}

function ChatConnection({ className }: ConnectionStatusProps) {
  const state = useAgentChatState((chat) => chat.connectionState);
  return state === undefined ? null : <Shown state={state} className={className} />;
}

function Shown({ state, className }: ConnectionStatusProps & { state: ConnectionState }) {
  const labels = useLabels(englishTranscriptLabels);
  return (
    <Slot
      slotName="connection"
      as="p"
      className={joinWords('hr-piece', 'hr-connection', className)}
      role="status"
      // Radix does not hide an element with `aria-live` while a dialog is open.
      aria-live="polite"
      data-state={state}
    >
      {labels.connection[state]}
    </Slot>
  );
}
