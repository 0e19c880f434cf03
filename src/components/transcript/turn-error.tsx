import { useContext } from 'react';
import { useProvidedChat } from '../../react/agent-chat-provider.tsx';
import { useAgentChatState } from '../../react/use-agent-chat-state.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import { KeepFocusContext } from '../hooks/use-return-focus.ts';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { describeError } from '../text/describe-error.ts';
import { englishErrorLabels } from '../text/error-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { englishTranscriptLabels } from '../text/transcript-labels.ts';

export interface TurnErrorProps {
  /** The `error` of the chat state. */
  readonly error: AgentChatError;
  /** Called by "Try again". Without it, or for an error that is not retryable, there is no such button. */
  readonly onRetry?: (() => void) | undefined;
  /** Called by "Dismiss". Without it there is no such button. */
  readonly onDismiss?: (() => void) | undefined;
  readonly className?: string | undefined;
}

/** The error of a failed turn with buttons to retry and to dismiss it. Read out at once. */
export function TurnError({ error, onRetry, onDismiss, className }: TurnErrorProps) {
  const labels = useLabels(englishErrorLabels, englishTranscriptLabels);
  const keepFocus = useContext(KeepFocusContext);
  // The pressed button disappears, and without this the browser would move the focus to the top of the page.
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
      <p>{describeError(error, labels)}</p>
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

/** The error of the chat from the `AgentChatProvider`, if it has one. */
export function ChatTurnError() {
  const chat = useProvidedChat();
  const error = useAgentChatState((state) => state.error);
  if (error === null) return null;
  return <TurnError error={error} onRetry={() => void chat.retry()} onDismiss={chat.clearError} />;
}
