import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { AuditTrailStore } from '../../policies/create-audit-trail.ts';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot, type Slots, SlotsProvider } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { humaniseName } from '../text/safe-text.ts';
import { AuditRecord } from './audit-record.tsx';
import { saveFile } from './save-file.ts';

export interface AuditTrailProps {
  /** The trail whose `record` the chat has as `onCallSettled`. */
  readonly trail: AuditTrailStore;
  /** What a tool is called for people, by its name. Default: its name made readable. */
  readonly titleOf?: ((toolName: string) => string | undefined) | undefined;
  /** Entries shown at first, and with each press for more. Default 50. */
  readonly limit?: number | undefined;
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers of its parts, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}

/** How calls were answered, the latest first, with arguments and results on demand; and all of it as a file. */
export function AuditTrail({ labels, slots, ...props }: AuditTrailProps) {
  return (
    <LabelsProvider labels={labels}>
      <SlotsProvider slots={slots}>
        <List {...props} />
      </SlotsProvider>
    </LabelsProvider>
  );
}

function List({ trail, titleOf, limit = 50, className }: Omit<AuditTrailProps, 'labels' | 'parts'>) {
  const labels = useLabels();
  const id = useId();
  const [shown, setShown] = useState(limit);
  const entries = useSyncExternalStore(trail.subscribe, trail.getEntries, trail.getEntries);
  const latest = entries.slice(-shown).reverse();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // The button that was pressed may be gone: one goes on reading where the list ended before.
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
