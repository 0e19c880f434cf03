import { useContext, useEffect, useState } from 'react';
import type { ToolCallPart } from '../../core/state/message.ts';
import { useSurroundingChat } from '../../react/agent-chat-provider.tsx';
import { ClockContext } from '../hooks/use-arming.ts';
import { KeepFocusContext } from '../hooks/use-return-focus.ts';
import { SHOWN_AFTER_MS } from '../hooks/use-sending.ts';
import { Button } from '../primitives/button.tsx';
import { englishDeliveryLabels } from '../text/delivery-labels.ts';
import { useLabels } from '../text/labels-context.tsx';

/** Returns the delivery as people see it: an answer that is on its way only after a moment. */
export function useShownDelivery({ delivery }: ToolCallPart): ToolCallPart['delivery'] {
  const clock = useContext(ClockContext);
  const isUnderWay = delivery === 'sending' || delivery === 'not-sent';
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    return isUnderWay ? clock.after(SHOWN_AFTER_MS, () => setLate(true)) : undefined;
  }, [clock, isUnderWay]);
  return isUnderWay && !isLate ? undefined : delivery;
}

/** At the end of the row of an answer that was not sent: the button that takes it back, which also says what becomes of the answer. */
export function DeliveryNote({ part }: { part: ToolCallPart }) {
  const labels = useLabels(englishDeliveryLabels);
  const chat = useSurroundingChat();
  const keepFocus = useContext(KeepFocusContext);
  const delivery = useShownDelivery(part);
  // After a failure the answer goes out with "Try again" or the next message.
  if (delivery !== 'not-sent' || chat === null || ['idle', 'error'].includes(chat.getState().status))
    return null;
  return (
    <div className="hr-delivery-note">
      <Button
        title={labels.notSentYet}
        aria-description={labels.notSentYet}
        onClick={() => {
          keepFocus();
          chat.takeBack(part.toolCallId);
        }}
      >
        {labels.takeBack}
      </Button>
    </div>
  );
}
