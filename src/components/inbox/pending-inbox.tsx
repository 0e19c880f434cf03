import { useId, useMemo, useRef, useState } from 'react';
import type { InboxCall } from '../../core/inbox/inbox-call.ts';
import type { UsePendingInboxResult } from '../../react/use-pending-inbox.ts';
import type { AnyTool } from '../any-tool.ts';
import { ALL_KINDS, KindsContext } from '../client-tools/question-kinds.ts';
import { useNextCard } from '../client-tools/use-next-card.ts';
import { useSteadyPresses } from '../client-tools/use-steady-presses.ts';
import { ArrivesLaterContext, RetainedQuestionsContext } from '../hooks/surface-context.ts';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { AnnounceContext, useAnnouncements } from '../primitives/announcement.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { readPrompt } from '../primitives/question.tsx';
import { Slot, type Slots, SlotsProvider } from '../primitives/slot.tsx';
import { englishInboxLabels } from '../text/inbox-labels.ts';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { InboxEntry } from './inbox-entry.tsx';
import { InboxFailure } from './inbox-failure.tsx';

export interface PendingInboxProps {
  /** The result of `usePendingInbox`. */
  readonly inbox: UsePendingInboxResult;
  /** Returns the title of the conversation that asks. Default: its id. */
  readonly titleOf?: ((call: InboxCall) => string | undefined) | undefined;
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers for its elements and those of its cards, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}

/**
 * All open questions of a person, over conversations: a card for each, below the conversation that asks and the time since when. Answers
 * go to the server without the page of the conversation.
 *
 * A question that arrives, or that somebody else answers, is announced to screen readers. One that somebody else answered while this
 * person typed stays with a notice until it is closed. When a card is removed, presses do not count for half a second, because the next
 * card takes its place under the pointer.
 */
export function PendingInbox({ labels, slots, ...props }: PendingInboxProps) {
  return (
    <LabelsProvider labels={labels}>
      <SlotsProvider slots={slots}>
        <Inbox {...props} />
      </SlotsProvider>
    </LabelsProvider>
  );
}

function Inbox({ inbox, titleOf, className }: Omit<PendingInboxProps, 'labels' | 'slots'>) {
  const { calls, status, error, hasMore, refresh } = inbox;
  const labels = useLabels(englishInboxLabels);
  const id = useId();
  const { announce, text } = useAnnouncements();
  const open = calls.filter((call) => call.status === 'waiting').length;
  const withdrawn = useWithdrawnCalls(calls).map(({ tool }) => readPrompt(tool, undefined, labels).title);
  return (
    <section
      className={joinWords('hr-piece', 'hr-inbox', className)}
      aria-labelledby={`${id}title`}
      data-status={status}
    >
      <Slot slotName="title" as="h3" className="hr-title" id={`${id}title`}>
        {labels.inbox}
      </Slot>
      <AnnounceContext.Provider value={announce}>
        {calls.length === 0 && status !== 'error' && (
          <Slot slotName="hint" as="p" className="hr-hint">
            {status === 'loading' ? labels.inboxLoading : labels.inboxEmpty}
          </Slot>
        )}
        <KindsContext.Provider value={ALL_KINDS}>
          <List inbox={inbox} titleOf={titleOf} labelledBy={`${id}title`} />
        </KindsContext.Provider>
        {/* Below the cards, which must not move under a pointer whenever the connection is lost for a moment. */}
        {error !== null && <InboxFailure error={error} onRetry={refresh} />}
        {hasMore && (
          <Slot slotName="hint" as="p" className="hr-hint">
            {labels.inboxMore}
          </Slot>
        )}
      </AnnounceContext.Provider>
      <div className="hr-hidden" role="status" aria-live="polite">
        {joinWords(
          withdrawn.map(labels.inboxWithdrawn).join(' '),
          open > 0 && labels.pendingTitle(open),
          text,
        )}
      </div>
    </section>
  );
}

/** Returns the calls that left the inbox in its latest change though this person gave no answer: somebody else did, or their time is over. */
function useWithdrawnCalls(calls: readonly InboxCall[]): readonly InboxCall[] {
  const [before, setBefore] = useState(calls);
  const [withdrawn, setWithdrawn] = useState<readonly InboxCall[]>([]);
  if (before !== calls) {
    setBefore(calls);
    const keys = new Set(calls.map(({ key }) => key));
    setWithdrawn(before.filter(({ key, status }) => status === 'waiting' && !keys.has(key)));
  }
  return withdrawn;
}

function List({
  inbox: { calls, dismiss },
  titleOf,
  labelledBy,
}: Pick<PendingInboxProps, 'inbox' | 'titleOf'> & { labelledBy: string }) {
  const nextCard = useNextCard();
  const swallowEarlyPress = useSteadyPresses(calls.map(({ key }) => key));
  const retained = useMemo(
    () => ({
      // The inbox keeps a call with saved input by itself.
      markDirty: () => {},
      isEnded: (tool: AnyTool) => calls.some((call) => call.tool === tool && call.status === 'ended'),
    }),
    [calls],
  );
  const arriveLater = useHadCalls(calls);
  if (calls.length === 0) return null;
  return (
    <RetainedQuestionsContext.Provider value={retained}>
      <ArrivesLaterContext.Provider value={arriveLater}>
        <ul
          className="hr-inline hr-inbox-list"
          aria-labelledby={labelledBy}
          onFocus={nextCard.remember}
          onClickCapture={swallowEarlyPress}
        >
          {calls.map((call) => (
            <InboxEntry
              key={call.key}
              call={call}
              title={titleOf?.(call)}
              onLeave={nextCard.leave}
              onClose={dismiss}
            />
          ))}
        </ul>
      </ArrivesLaterContext.Provider>
    </RetainedQuestionsContext.Provider>
  );
}

/** Returns false for the first calls of the inbox: the person opens the page to answer them. */
function useHadCalls(calls: readonly InboxCall[]): boolean {
  const had = useRef(false);
  useBeforePaint(() => {
    had.current ||= calls.length > 0;
  }, [calls]);
  return had.current;
}
