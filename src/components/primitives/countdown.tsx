import { useState } from 'react';
import { useLabels } from '../text/labels-context.tsx';
import { Announcement } from './announcement.tsx';
import { ClockIcon } from './icons.tsx';
import { Slot } from './slot.tsx';

/** The time is read out when this many seconds are left. More often would interrupt the question. */
const ANNOUNCED_AT = [60, 30, 10];

/** From this many seconds on the time is urgent. */
export const URGENT_SECONDS = 60;

/** The seconds left to answer a call with a deadline. Shown each second, read out three times. */
export function Countdown({ left }: { left: number }) {
  const labels = useLabels();
  const [leftAtFirst] = useState(left);
  const announced = ANNOUNCED_AT.filter((seconds) => left <= seconds).at(-1);
  return (
    <>
      <Slot
        slotName="countdown"
        as="span"
        className="hr-countdown"
        role="timer"
        aria-label={labels.answerWithin(left)}
        data-urgency={left <= URGENT_SECONDS ? 'high' : 'low'}
      >
        <ClockIcon />
        {labels.countdown(left)}
      </Slot>
      <Announcement text={announced && left > 0 ? labels.timeLeft(Math.min(announced, leftAtFirst)) : ''} />
    </>
  );
}
