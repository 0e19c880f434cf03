import type { AuditEntry } from '../../policies/create-audit-trail.ts';
import { CallBody } from '../primitives/call-body.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { formatDate } from './format-date.ts';

/** One answered call: tool, outcome, who and when in one line; arguments and result on demand. */
export function AuditRecord({ entry, name }: { entry: AuditEntry; name: string }) {
  const labels = useLabels();
  const { outcome, answeredBy, allowedBy, tabId, actor, settledAt } = entry;
  const how = [
    labels.answeredBy[answeredBy],
    allowedBy && labels.allowedBy[allowedBy],
    tabId && labels.inOtherTab,
    actor && displayText(actor, 120),
  ];
  return (
    <Slot slotName="details" as="details" className="hr-audit" data-outcome={outcome} data-by={answeredBy}>
      <summary>
        <span className="hr-call-name">{name}</span> <span>{labels.callStatus[outcome]}</span>{' '}
        <time className="hr-faint" dateTime={settledAt}>
          {formatDate(settledAt)}
        </time>{' '}
        <span className="hr-hint">{how.filter(Boolean).join(', ')}</span>
      </summary>
      <CallBody call={entry} />
    </Slot>
  );
}
