import { displayText } from '../../components/text/safe-text.ts';
import type { Capability } from '../list-capabilities.ts';
import type { RunCodeLabels } from './run-code-labels.ts';

/** Lists the capabilities of the program, and says that the program has no other access. */
export function CapabilityList({
  capabilities,
  descriptions,
  labels,
}: {
  capabilities: readonly Capability[];
  descriptions: Readonly<Record<string, string>>;
  labels: RunCodeLabels;
}) {
  return (
    <section className="hr-capabilities">
      <p className="hr-run-label">{labels.mayUse}</p>
      {capabilities.length === 0 ? (
        <p>{labels.nothing}</p>
      ) : (
        <ul>
          {capabilities.map(({ name, kind }) => (
            <li key={`${kind} ${name}`} data-kind={kind}>
              <code>{displayText(name, 120)}</code>
              {kind !== 'function' && <span className="hr-faint"> {labels[kind]}</span>}
              {Object.hasOwn(descriptions, name) && <span> {descriptions[name]}</span>}
            </li>
          ))}
        </ul>
      )}
      <p className="hr-faint">{labels.isolation}</p>
    </section>
  );
}
