import type { AgentChatError } from '../../shared/errors.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { describeServerError } from './describe-server-error.ts';

/** Tells the person that the list could not be read. The questions of the last list stay below it. */
export function InboxFailure({ error, onRetry }: { error: AgentChatError; onRetry: () => void }) {
  const labels = useLabels();
  const text = describeServerError(error, labels);
  return (
    <Slot slotName="notice" as="div" className="hr-notice" data-look="error" data-code={error.code}>
      <p>{labels.inboxFailed}</p>
      <p>{text}</p>
      <div className="hr-inbox-actions">
        <Button onClick={onRetry}>{labels.tryAgain}</Button>
      </div>
      <Announcement text={`${labels.inboxFailed} ${text}`} />
    </Slot>
  );
}
