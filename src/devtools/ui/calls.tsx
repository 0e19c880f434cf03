import type { RecordedCall, Recording } from '../recording.ts';

/** The calls of a recording, the latest first: their life, their arguments and results without secrets. */
export function Calls({ recording }: { readonly recording: Recording }) {
  const { calls } = recording;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="list" aria-label="Calls" tabIndex={0}>
      {calls.length === 0 && <p className="empty">The agent has called no tool yet.</p>}
      <ol dir="ltr">
        {[...calls].reverse().map((call, index) => (
          // Some providers count `call_1` anew in each run.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <CallRow key={`${call.toolCallId} ${calls.length - index}`} call={call} recording={recording} />
        ))}
      </ol>
    </section>
  );
}

function CallRow({ call, recording }: { call: RecordedCall; recording: Recording }) {
  const { toolName, toolCallId, status, outcome, args, result, waitsFor, delivery } = call;
  const life = readLife(call, recording);
  return (
    <li data-call={toolCallId} data-look={status === 'error' ? 'bad' : 'plain'}>
      <details>
        <summary className="row">
          <span className="kind">{toolName}</span>
          <span className="detail">
            {[toolCallId, outcome ?? status, delivery, waitsFor && `waits for ${waitsFor}`]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </summary>
        <pre>{JSON.stringify({ args, result }, null, 2)}</pre>
      </details>
      {life !== '' && <p className="life">{life}</p>}
    </li>
  );
}

/** Returns the stages of a call with the milliseconds between them. */
function readLife({ toolCallId }: RecordedCall, { steps }: Recording): string {
  let before: number | undefined;
  const stages = steps.flatMap((step) => {
    if (step.type !== 'call-changed' || step.toolCallId !== toolCallId) return [];
    const since = before === undefined ? '' : ` (+${step.at - before} ms)`;
    before = step.at;
    return [`${step.stage}${since}`];
  });
  return stages.join(' → ');
}
