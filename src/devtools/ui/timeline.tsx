import { memo, useState } from 'react';
import type { ChatTraceStep } from '../../core/chat/trace.ts';
import type { Recording } from '../recording.ts';
import { describeStep, groupOf, lookOf, STEP_GROUPS, type StepGroup } from './describe-step.ts';

/** More rows at once make a page slow. */
const MAX_ROWS = 300;

/** The steps of a recording, the latest first, by what they are about. */
export function Timeline({ recording }: { readonly recording: Recording }) {
  const [group, setGroup] = useState<StepGroup | 'all'>('all');
  const [words, setWords] = useState('');
  const { steps, dropped } = recording;
  const found = steps.filter(
    (step) =>
      (group === 'all' || groupOf(step) === group) &&
      `${step.type} ${describeStep(step)}`.toLowerCase().includes(words.toLowerCase()),
  );
  const shown = found.slice(-MAX_ROWS).reverse();
  const hidden = found.length - shown.length + dropped;
  const first = steps[0]?.at ?? 0;
  return (
    <>
      <div className="filters">
        <select
          aria-label="Show"
          value={group}
          onChange={(event) => setGroup(event.target.value as StepGroup | 'all')}
        >
          <option value="all">all</option>
          {STEP_GROUPS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <input
          type="search"
          aria-label="Filter steps"
          placeholder="Filter steps"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="list" aria-label="Steps" tabIndex={0}>
        {shown.length === 0 && (
          <p className="empty">{steps.length === 0 ? 'Nothing has happened yet.' : 'No step matches.'}</p>
        )}
        <ol dir="ltr">
          {shown.map((step, index) => (
            // Rows are added at the front: counted from the end, a row keeps its key.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <StepRow key={found.length - index + dropped} step={step} since={step.at - first} />
          ))}
        </ol>
        {hidden > 0 && <p className="note">{hidden} older steps are not shown.</p>}
      </section>
    </>
  );
}

const StepRow = memo(function StepRow({ step, since }: { step: ChatTraceStep; since: number }) {
  return (
    <li className="row" data-step={step.type} data-look={lookOf(step)}>
      <span className="time">{(since / 1000).toFixed(3)} s</span>
      <span className="kind">{step.type}</span>
      <span className="detail">{describeStep(step)}</span>
    </li>
  );
});
