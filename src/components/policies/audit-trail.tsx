import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { AuditEntry, AuditTrailStore } from '../../core/policies/create-audit-trail.ts';
import { CallBody } from '../arguments/call-body.tsx';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot, type Slots, SlotsProvider } from '../primitives/slot.tsx';
import { describeCall } from '../text/answer-words.ts';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { englishPolicyLabels } from '../text/policy-labels.ts';
import { displayText, humaniseName } from '../text/safe-text.ts';

export interface AuditTrailProps {
  /** The trail whose `record` is the `onCallSettled` of the chat. */
  readonly trail: AuditTrailStore;
  /** Returns the title of a tool. Default: its name in readable form. */
  readonly titleOf?: ((toolName: string) => string | undefined) | undefined;
  /** The number of entries shown at first, and added by each press on the button for more. Default 50. */
  readonly limit?: number | undefined;
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers for its elements, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}

/**
 * The answered calls, the latest first, with arguments and results on demand. Two buttons download all of them as CSV and
 * JSON.
 */
export function AuditTrail({ labels, slots, ...props }: AuditTrailProps) {
  return (
    <LabelsProvider labels={labels}>
      <SlotsProvider slots={slots}>
        <List {...props} />
      </SlotsProvider>
    </LabelsProvider>
  );
}

function List({ trail, titleOf, limit = 50, className }: Omit<AuditTrailProps, 'labels' | 'slots'>) {
  const labels = useLabels(englishPolicyLabels);
  const id = useId();
  const [shown, setShown] = useState(limit);
  const entries = useSyncExternalStore(trail.subscribe, trail.getEntries, trail.getEntries);
  const latest = entries.slice(-shown).reverse();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // The pressed button may be gone, so the focus moves to the first added entry.
    if (shown > limit) list.current?.children[shown - limit]?.querySelector('summary')?.focus();
  }, [shown, limit]);
  return (
    <section className={joinWords('hr-piece', 'hr-policies', className)} aria-labelledby={`${id}title`}>
      <Slot slotName="title" as="h3" className="hr-title" id={`${id}title`}>
        {labels.auditTrail}
      </Slot>
      {entries.length === 0 && (
        <Slot slotName="hint" as="p" className="hr-hint">
          {labels.noAuditEntries}
        </Slot>
      )}
      <ol className="hr-rows" ref={list} aria-labelledby={`${id}title`}>
        {latest.map((entry) => (
          <li key={`${entry.settledAt} ${entry.key}`}>
            <AuditRecord entry={entry} name={titleOf?.(entry.toolName) ?? humaniseName(entry.toolName)} />
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

/** Shows one answered call: its tool, outcome and date, who answered it, and on demand its arguments, result and receipt. */
function AuditRecord({ entry, name }: { entry: AuditEntry; name: string }) {
  const labels = useLabels(englishPolicyLabels);
  const { outcome, answeredBy, allowedBy, tabId, actor, settledAt, person, receipt } = entry;
  const how = [
    person ? labels.byPerson(displayText(person.name ?? person.id, 120)) : labels.answeredBy[answeredBy],
    allowedBy && labels.allowedBy[allowedBy],
    tabId && labels.inOtherTab,
    // The person in front of this browser did not give an answer that came from elsewhere.
    !person && actor && displayText(actor, 120),
  ];
  return (
    <Slot slotName="details" as="details" className="hr-audit" data-outcome={outcome} data-by={answeredBy}>
      <summary>
        <span className="hr-call-name">{name}</span>{' '}
        <span>{describeCall({ ...entry, answeredBy: undefined }, labels)}</span>{' '}
        <time className="hr-faint" dateTime={settledAt}>
          {formatDate(settledAt, labels.locale)}
        </time>{' '}
        <span className="hr-hint">{how.filter(Boolean).join(', ')}</span>
      </summary>
      <CallBody call={entry} />
      {receipt && (
        <p className="hr-faint">
          {labels.receipt}: <code>{receipt}</code>
        </p>
      )}
    </Slot>
  );
}

/** Date and time in the language of the labels. Default: that of the browser. */
export function formatDate(date: string | number, locale: string | undefined): string {
  return new Date(date).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** Downloads a text as a file. */
function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Safari reads the URL only after a while.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
