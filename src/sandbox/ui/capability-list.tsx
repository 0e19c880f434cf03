import { displayText } from '../../components/text/safe-text.ts';
import type { Capability } from '../list-capabilities.ts';
import type { RunCodeLabels } from './run-code-labels.ts';

/** What the program may call, what it cannot do, and when it is stopped. */
export function CapabilityList({
  capabilities,
  descriptions,
  timeoutMs,
  labels,
}: {
  capabilities: readonly Capability[];
  descriptions: Readonly<Record<string, string>>;
  timeoutMs: number;
  labels: RunCodeLabels;
}) {
  return (
    <div className="hr-arguments hr-capabilities">
      <dl className="hr-entries" aria-label={labels.limits}>
        <div className="hr-entry">
          <dt>{labels.mayUse}</dt>
          <dd>
            {capabilities.length === 0 ? (
              labels.nothing
            ) : (
              <ul>
                {capabilities.map(({ name, kind }) => (
                  <li key={`${kind} ${name}`} data-kind={kind}>
                    <code>{displayText(name, 120)}</code>
                    {kind !== 'function' && <span> · {labels[kind]}</span>}
                    {Object.hasOwn(descriptions, name) && <span> · {descriptions[name]}</span>}
                  </li>
                ))}
              </ul>
            )}
          </dd>
        </div>
        <div className="hr-entry">
          <dt>{labels.cannot}</dt>
          <dd>{labels.isolation}</dd>
        </div>
        <div className="hr-entry">
          <dt>{labels.stopsAfter}</dt>
          <dd>{labels.limit(timeoutMs)}</dd>
        </div>
      </dl>
    </div>
  );
}
