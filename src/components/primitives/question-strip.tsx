import { type ReactNode, useContext, useSyncExternalStore } from 'react';
import { useAgentName } from '../../react/agent-chat-provider.tsx';
import { LaterContext, QueuePositionContext, SurfaceContext } from '../hooks/surface-context.ts';
import { useSecondsLeft } from '../hooks/use-seconds-left.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { SharedLabels } from '../text/shared-labels.ts';
import { Button } from './button.tsx';
import { Countdown, URGENT_SECONDS } from './countdown.tsx';
import { CloseIcon, RailMark } from './icons.tsx';
import { Slot } from './slot.tsx';

/** Where a call runs, if not at the agent: in this browser, or at an MCP server. */
export type CallPlace = 'browser' | { readonly server: string };

export interface QuestionStripProps {
  /** The agent that asks, as the backend names it, if the agent of the conversation started it. */
  readonly origin?: string | undefined;
  readonly place?: CallPlace | undefined;
  /** When the call stops being answerable. Absent while that does not matter. */
  readonly expiresAt?: Date | undefined;
  readonly onDismiss: () => void;
}

/**
 * The first line of a question: who asks, on which site, where it runs, and until when. The app, the address of the page and the
 * backend fill it. No text of the model is in it, so no text of a model can look like it.
 */
export function QuestionStrip({ origin, place, expiresAt, onDismiss }: QuestionStripProps) {
  const labels = useLabels();
  const surface = useContext(SurfaceContext);
  const position = useContext(QueuePositionContext);
  const isPutOff = useContext(LaterContext) !== undefined;
  const left = useSecondsLeft(expiresAt);
  const isUrgent = left !== undefined && left <= URGENT_SECONDS;
  return (
    <Slot slotName="strip" as="div" className="hr-strip">
      <Slot slotName="mark" as="span" className="hr-mark">
        <RailMark />
      </Slot>
      <p className="hr-asker">
        <Asker isUrgent={isUrgent} />
        {[origin && labels.askedByAgent(displayText(origin, 80)), place && describePlace(place, labels)].map(
          (text) => text && <span key={text}> · {text}</span>,
        )}
      </p>
      {position && position.total > 1 && (
        <span className="hr-queue-position">{labels.queuePosition(position.index, position.total)}</span>
      )}
      {left !== undefined && left >= 0 && <Countdown left={left} />}
      {/* A card stays in the flow of the page, where nothing has to be closed. */}
      {surface?.kind !== 'card' && (
        <Button
          look="icon"
          className="hr-dismiss"
          answers
          onClick={onDismiss}
          label={isPutOff ? labels.answerLater : labels.cancel}
        >
          <CloseIcon />
        </Button>
      )}
    </Slot>
  );
}

function describePlace(place: CallPlace, labels: SharedLabels): string {
  return place === 'browser' ? labels.runsHere : labels.runsThrough(displayText(place.server, 80));
}

/** Names the agent and the site. In little room the words that say that it asks are hidden. */
function Asker({ isUrgent }: { isUrgent: boolean }) {
  const labels = useLabels();
  const agent = displayText(useAgentName() ?? labels.assistant, 120);
  const site = useSyncExternalStore(subscribeToNothing, readSite, () => '');
  if (isUrgent) return emphasise(labels.goesOnSoon(agent), agent);
  const asker = labels.asker(agent, site);
  const whole = labels.asksYou(asker);
  if (!whole.startsWith(asker)) return emphasise(whole, agent);
  return (
    <>
      {emphasise(asker, agent)}
      <span className="hr-asks">{whole.slice(asker.length)}</span>
    </>
  );
}

/** The address of a page never changes while the page is there. */
const subscribeToNothing = () => () => {};
const readSite = () => location.host;

function emphasise(text: string, name: string): ReactNode {
  const start = text.indexOf(name);
  if (start === -1) return text;
  return (
    <>
      {text.slice(0, start)}
      <strong>{name}</strong>
      {text.slice(start + name.length)}
    </>
  );
}
