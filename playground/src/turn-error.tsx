import type { AgentChatError } from 'handrail';

interface TurnErrorProps {
  readonly error: AgentChatError;
  readonly onRetry: () => void;
  readonly onDismiss: () => void;
}

/** What went wrong with the turn, and the way out. */
export function TurnError({ error, onRetry, onDismiss }: TurnErrorProps) {
  return (
    <div className="turn-error" role="alert" data-code={error.code}>
      <p>{error.message}</p>
      <p className="turn-error-code">
        <code>{error.code}</code> <code>{error.errorType}</code>
      </p>
      <div className="turn-error-actions">
        <button type="button" className="button" data-look="primary" onClick={onRetry}>
          Try again
        </button>
        <button type="button" className="button" onClick={onDismiss}>
          Dismiss
        </button>
      </div>
    </div>
  );
}
