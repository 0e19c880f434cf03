import { type ToolCallPart, usePendingClientTools } from 'handrail';
import { StatusIcon } from './icons.tsx';

/** A call in the transcript: what it is and how it went, its arguments and its answer on demand. */
export function ToolCallView({ part }: { part: ToolCallPart }) {
  const { toolCallId, toolName, displayName, args, status, outcome, executedBy } = part;
  const isWaiting = usePendingClientTools(toolName).some((tool) => tool.toolCallId === toolCallId);
  return (
    <details
      className="call"
      data-status={status}
      data-outcome={outcome}
      data-waiting={isWaiting || undefined}
    >
      <summary>
        <StatusIcon status={status} />
        <span className="call-name">{displayName ?? toolName}</span>
        {executedBy !== undefined && <span className="call-place">{PLACES[executedBy]}</span>}
        <span className="call-word">{isWaiting ? 'waits for you' : describe(part)}</span>
      </summary>
      <dl>
        <dt>Tool</dt>
        <dd>
          <code>{toolName}</code>
        </dd>
        <dt>Arguments</dt>
        <dd>
          <pre>{JSON.stringify(args, null, 2)}</pre>
        </dd>
        {part.result !== undefined && (
          <>
            <dt>Result</dt>
            <dd>
              <pre>{JSON.stringify(part.result, null, 2)}</pre>
            </dd>
          </>
        )}
        {part.error !== undefined && (
          <>
            <dt>Error</dt>
            <dd>{part.error}</dd>
          </>
        )}
      </dl>
    </details>
  );
}

const PLACES: Readonly<Record<NonNullable<ToolCallPart['executedBy']>, string>> = {
  client: 'in your browser',
  server: 'on the server',
  provider: 'at the provider',
};

function describe({ status, outcome }: ToolCallPart): string {
  switch (status) {
    case 'pending':
      return 'preparing';
    case 'running':
      return 'running';
    case 'done':
      return outcome === 'declined' ? 'declined' : 'done';
    case 'error':
      return outcome === 'timed-out' ? 'timed out' : 'failed';
    case 'cancelled':
      return outcome ?? 'cancelled';
    default:
      return status satisfies never;
  }
}
