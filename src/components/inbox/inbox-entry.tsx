import { useCallback, useId, useMemo, useRef, useState } from 'react';
import type { InboxCall } from '../../core/inbox/inbox-call.ts';
import { reportThrown } from '../../shared/report-thrown.ts';
import { useArgumentsSchema } from '../arguments/call-arguments.tsx';
import { CallMainValue } from '../arguments/call-main-value.tsx';
import { InlineQuestion, Leaving } from '../client-tools/inline-queue.tsx';
import { SendingContext } from '../hooks/use-sending.ts';
import { formatDate } from '../policies/audit-trail.tsx';
import { Slot } from '../primitives/slot.tsx';
import { ToolBoundary } from '../primitives/tool-boundary.tsx';
import { englishInboxLabels } from '../text/inbox-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, humaniseName } from '../text/safe-text.ts';

/** A question with the conversation that asks it. */
export function InboxEntry({
  call,
  title,
  onLeave,
  onClose,
}: {
  call: InboxCall;
  title: string | undefined;
  /** Called while a card that is removed is still on the page. */
  onLeave: () => void;
  /** Called when the person closes a question that has ended. */
  onClose: (key: string) => void;
}) {
  const { key, tool, status, refusals } = call;
  const id = useId();
  const labels = useLabels(englishInboxLabels);
  const [isBroken, setBroken] = useState(false);
  const pressed = useRef<string>(undefined);
  const isSending = status === 'sending';
  const sending = useMemo(() => ({ isSending, pressed }), [isSending]);
  const close = useCallback(() => onClose(key), [onClose, key]);
  const fail = (thrown: unknown) => {
    setBroken(true);
    reportThrown(thrown);
  };
  return (
    <Slot
      slotName="row"
      as="li"
      className="hr-inbox-entry"
      aria-labelledby={`${id}origin`}
      data-status={status}
    >
      <Origin id={`${id}origin`} call={call} title={title} />
      {isBroken && (
        <Slot slotName="notice" as="p" className="hr-notice" data-look="error">
          {labels.inboxNotShown(humaniseName(tool.toolName))}
        </Slot>
      )}
      <Leaving key={refusals} onLeave={onLeave}>
        <ToolBoundary tool={tool} onError={fail}>
          <SendingContext.Provider value={sending}>
            <InlineQuestion tool={tool} className={undefined} onAnswered={close} />
          </SendingContext.Provider>
        </ToolBoundary>
      </Leaving>
    </Slot>
  );
}

/** The conversation, the person whose message the agent works on, the main value of the call, and since when the question waits. */
function Origin({ id, call, title }: { id: string; call: InboxCall; title: string | undefined }) {
  const labels = useLabels(englishInboxLabels);
  const { startedBy, sessionId, tool } = call;
  const schema = useArgumentsSchema(tool.definition);
  return (
    <p className="hr-inbox-origin" id={id}>
      <strong>
        {title === undefined
          ? labels.inboxConversation(displayText(sessionId, 120))
          : displayText(title, 120)}
      </strong>
      {startedBy && <span>{labels.inboxStartedBy(displayText(startedBy.name ?? startedBy.id, 120))}</span>}
      <CallMainValue args={tool.args} schema={schema} originalArgs={tool.originalArgs} />
      <time dateTime={tool.requestedAt.toISOString()}>
        {labels.inboxAskedAt(formatDate(+tool.requestedAt, labels.locale))}
      </time>
    </p>
  );
}
