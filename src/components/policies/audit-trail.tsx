import { useId, useState, useSyncExternalStore } from 'react';
import { isRecord } from '../../shared/json.ts';
import type { AuditEntry, AuditTrailStore } from '../../store/audit-trail.ts';
import { ArgumentsView } from '../parts/arguments-view.tsx';
import { Button } from '../parts/button.tsx';
import { classNames } from '../parts/class-names.ts';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { displayText, humaniseName } from '../text/safe-text.ts';
import { formatDate } from './format-date.ts';
import { saveFile } from './save-file.ts';

export interface AuditTrailProps {
  /** The trail whose `record` the chat has as `onCallSettled`. */
  readonly trail: AuditTrailStore;
  /** What a tool is called for people, by its name. Default: its name made readable. */
  readonly titleOf?: ((toolName: string) => string | undefined) | undefined;
  /** Entries shown at first, and with each press for more. Default 50. */
  readonly limit?: number | undefined;
  readonly labels?: Partial<Labels> | undefined;
  readonly className?: string | undefined;
}

/** How calls were answered, the latest first, with arguments and results on demand; and all of it as a file. */
export function AuditTrail({ labels, ...props }: AuditTrailProps) {
  return (
    <LabelsProvider labels={labels}>
      <List {...props} />
    </LabelsProvider>
  );
}

function List({ trail, titleOf, limit = 50, className }: Omit<AuditTrailProps, 'labels'>) {
  const labels = useLabels();
  const id = useId();
  const [shown, setShown] = useState(limit);
  const entries = useSyncExternalStore(trail.subscribe, trail.getEntries, trail.getEntries);
  const latest = entries.slice(-shown).reverse();
  return (
    <section className={classNames('hr-piece', 'hr-policies', className)} aria-labelledby={`${id}title`}>
      <h3 className="hr-title" id={`${id}title`}>
        {labels.auditTrail}
      </h3>
      {entries.length === 0 && <p className="hr-hint">{labels.noAuditEntries}</p>}
      <ol className="hr-rows" aria-labelledby={`${id}title`}>
        {latest.map((entry) => (
          <li key={`${entry.settledAt} ${entry.key}`}>
            <Entry entry={entry} name={titleOf?.(entry.toolName) ?? humaniseName(entry.toolName)} />
          </li>
        ))}
      </ol>
      {entries.length > 0 && (
        <div className="hr-actions">
          {entries.length > shown && (
            <Button onClick={() => setShown(shown + limit)}>
              {labels.auditMore(Math.min(limit, entries.length - shown))}
            </Button>
          )}
          <Button onClick={() => saveFile('audit.csv', 'text/csv', trail.toCsv())}>
            {labels.downloadCsv}
          </Button>
          <Button onClick={() => saveFile('audit.json', 'application/json', trail.toJson())}>
            {labels.downloadJson}
          </Button>
        </div>
      )}
    </section>
  );
}

function Entry({ entry, name }: { entry: AuditEntry; name: string }) {
  const labels = useLabels();
  const { outcome, answeredBy, allowedBy, tabId, actor, settledAt, args, result, error } = entry;
  const how = [
    labels.answeredBy[answeredBy],
    allowedBy && labels.allowedBy[allowedBy],
    tabId && labels.inOtherTab,
    actor && displayText(actor, 120),
  ];
  return (
    <details className="hr-call" data-outcome={outcome} data-by={answeredBy}>
      <summary>
        <span className="hr-call-name">{name}</span>
        <span>{labels.callWords[outcome]}</span>{' '}
        <span className="hr-faint">{how.filter(Boolean).join(', ')}</span>{' '}
        <time className="hr-call-word" dateTime={settledAt}>
          {formatDate(settledAt)}
        </time>
      </summary>
      {isRecord(args) && <ArgumentsView value={args} label={labels.callArguments} />}
      {result !== undefined && (
        <ArgumentsView
          value={isRecord(result) ? result : { [labels.result]: result }}
          label={labels.result}
        />
      )}
      {error !== undefined && <p className="hr-error">{displayText(error)}</p>}
    </details>
  );
}
