import { memo } from 'react';
import { displayText } from '../../components/text/safe-text.ts';
import { createJsonConverter, type RunCodeResult } from '../to-agent-result.ts';
import type { RunCodeLabels } from './run-code-labels.ts';

/** A list shows at most this many values. */
const MAX_VALUES = 200;
/** A value is cut after this many characters. */
const MAX_VALUE_LENGTH = 5_000;

/** Shows values in order, the newest last. Screen readers announce new values. */
export function ValueList({ label, values }: { label: string; values: readonly unknown[] }) {
  if (values.length === 0) return null;
  const first = Math.max(0, values.length - MAX_VALUES);
  return (
    <section className="hr-run-list">
      <p className="hr-run-label">{label}</p>
      <div role="log" aria-label={label}>
        <ol start={first + 1}>
          {values.slice(first).map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that only grows at its end
            <Line key={first + index} value={value} />
          ))}
        </ol>
      </div>
    </section>
  );
}

/** Memoized, so that a new value does not print the earlier ones again. */
const Line = memo(function Line({ value }: { value: unknown }) {
  return (
    <li>
      <code>{print(value)}</code>
    </li>
  );
});

/** Shows the status of a run, its result or error, and its reports and logs. */
export function ResultView({ result, labels }: { result: RunCodeResult; labels: RunCodeLabels }) {
  const { status, error, logs = [], reports = [] } = result;
  const lines = logs.map((log) => (typeof log === 'string' ? log : log.args.map(print).join(' ')));
  return (
    <div className="hr-run" data-status={status}>
      <p className="hr-run-status">
        <strong>{labels.statuses[status]}</strong>{' '}
        <span className="hr-faint">{labels.took(result.durationMs)}</span>
      </p>
      {error !== undefined && (
        <p className="hr-run-error">
          <code>
            {displayText(`${error.name}: ${error.message}`, MAX_VALUE_LENGTH)}
            {error.filename !== undefined && error.line !== undefined && (
              <span className="hr-faint"> {labels.place(error.filename, error.line, error.column)}</span>
            )}
          </code>
        </p>
      )}
      {status === 'success' && (
        <section className="hr-run-list">
          <p className="hr-run-label">{labels.result}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs a tab stop */}
          <pre className="hr-json" tabIndex={0}>
            {print(result.result, 2)}
          </pre>
        </section>
      )}
      <ValueList label={labels.reports} values={reports} />
      <ValueList label={labels.logs} values={lines} />
    </div>
  );
}

/** Prints a value. The reports of a program that still runs have not passed `toAgentResult`, which limits their size. */
function print(value: unknown, indent?: number): string {
  const text =
    typeof value === 'string'
      ? value
      : JSON.stringify(createJsonConverter(MAX_VALUE_LENGTH)(value), null, indent);
  return displayText(text, MAX_VALUE_LENGTH);
}
