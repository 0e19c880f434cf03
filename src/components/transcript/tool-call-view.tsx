import type { ToolCallPart } from '../../state/message.ts';
import { CallBody } from '../primitives/arguments-view.tsx';
import { StatusIcon } from '../primitives/icons.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';
import { describeCall } from '../text/answer-words.ts';
import { useLabels } from '../text/labels-context.tsx';
import { nameCall } from '../text/name-call.ts';

export interface ToolCallViewProps {
  readonly part: ToolCallPart;
  /** The call waits for a person, see `usePendingClientTools`. Default `false`. */
  readonly waiting?: boolean | undefined;
  readonly className?: string | undefined;
}

/**
 * A tool call in the transcript: one line with the tool, the place where it runs and its outcome; arguments and result on
 * demand, unless the backend shows the call by its title alone. `data-status`, `data-outcome` and `data-waiting` are for style sheets.
 */
export function ToolCallView({ part, waiting = false, className }: ToolCallViewProps) {
  const labels = useLabels();
  const { status, outcome, executedBy } = part;
  return (
    <Slot
      slotName="call"
      as="details"
      className={joinWords('hr-piece', 'hr-call', className)}
      data-status={status}
      data-outcome={outcome}
      data-waiting={waiting ? '' : undefined}
    >
      <summary>
        <StatusIcon status={outcome === 'declined' ? 'cancelled' : status} />
        <span className="hr-call-name">{nameCall(part)}</span>
        {executedBy !== undefined && <span className="hr-faint">{labels.callPlaces[executedBy]}</span>}
        <span className="hr-call-word">
          {waiting ? labels.callStatus.waiting : describeCall(part, labels)}
        </span>
      </summary>
      {/* Without anything in its body, the call cannot be opened. */}
      <CallBody call={part.display === 'title' ? { error: part.error } : part} />
    </Slot>
  );
}
