import type { AgentChatError } from '../../shared/errors.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { describeError } from '../text/describe-error.ts';
import { type ErrorLabels, englishErrorLabels } from '../text/error-labels.ts';
import { englishInboxLabels } from '../text/inbox-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { SharedLabels } from '../text/shared-labels.ts';

/** Tells the person that the list could not be read. The questions of the last list stay below it. */
export function InboxFailure({ error, onRetry }: { error: AgentChatError; onRetry: () => void }) {
  const labels = useLabels(englishErrorLabels, englishInboxLabels);
  const text = describeFailure(error, labels);
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

/** Says why in the words of the server, if it has a code for the reason. */
function describeFailure(error: AgentChatError, labels: ErrorLabels & SharedLabels): string {
  return error.backendCode === undefined ? describeError(error, labels) : displayText(error.message, 600);
}
