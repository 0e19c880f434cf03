import { useContext } from 'react';
import { useProvidedChat } from '../../react/agent-chat-provider.tsx';
import { useAgentChatState } from '../../react/use-agent-chat-state.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { KeepFocusContext } from './use-transcript-scroll.ts';

export interface TurnErrorProps {
  /** As `state.error` has it. */
  readonly error: AgentChatError;
  /** Without it, or for an error that no retry can help, there is no button. */
  readonly onRetry?: (() => void) | undefined;
  /** Without it there is no button to put the error away. */
  readonly onDismiss?: (() => void) | undefined;
  readonly className?: string | undefined;
}

/** Why the turn failed, in words, and the ways out. Read out at once. */
export function TurnError({ error, onRetry, onDismiss, className }: TurnErrorProps) {
  const labels = useLabels();
  const keepFocus = useContext(KeepFocusContext);
  // The button goes away when it has been pressed; the focus must not go with it.
  const leave = (act: () => void) => () => {
    keepFocus();
    act();
  };
  return (
    <Slot
      slotName="notice"
      as="div"
      className={joinWords('hr-piece', 'hr-notice', 'hr-turn-error', className)}
      role="alert"
      data-code={error.code}
      data-type={error.errorType}
    >
      <p>{labels.turnFailed}</p>
      <p>{displayText(error.message, 600)}</p>
      {error.retryAfter !== undefined && <p>{labels.retryAfter(error.retryAfter)}</p>}
      <div className="hr-turn-error-actions">
        {onRetry !== undefined && error.retryable && (
          <Button onClick={leave(onRetry)}>{labels.tryAgain}</Button>
        )}
        {onDismiss !== undefined && (
          <Button look="quiet" onClick={leave(onDismiss)}>
            {labels.dismiss}
          </Button>
        )}
      </div>
    </Slot>
  );
}

/** That of the chat around it, as long as there is one. */
export function ChatTurnError() {
  const chat = useProvidedChat();
  const error = useAgentChatState((state) => state.error);
  if (error === null) return null;
  return <TurnError error={error} onRetry={() => void chat.retry()} onDismiss={chat.clearError} />;
}
