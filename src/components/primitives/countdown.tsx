import { useState } from 'react';
import { useSecondsLeft } from '../hooks/use-seconds-left.ts';
import { useLabels } from '../text/labels-context.tsx';
import { Announcement } from './announcement.tsx';
import { Slot } from './slot.tsx';

/** The time is read out when this many seconds are left. More often would interrupt the question. */
const ANNOUNCED_AT = [60, 30, 10];

/** The time left to answer a call with a deadline. Shown each second, read out three times. */
export function Countdown({ expiresAt }: { expiresAt: Date }) {
  const labels = useLabels();
  const left = useSecondsLeft(expiresAt);
  const [leftAtFirst] = useState(left);
  if (left === undefined || leftAtFirst === undefined) return null;
  const announced = ANNOUNCED_AT.filter((seconds) => left <= seconds).at(-1);
  return (
    <>
      <Slot
        slotName="countdown"
        as="span"
        className="hr-countdown"
        role="timer"
        data-urgency={left <= 10 ? 'high' : 'low'}
      >
        {labels.answerWithin(left)}
      </Slot>
      <Announcement text={announced && left > 0 ? labels.timeLeft(Math.min(announced, leftAtFirst)) : ''} />
    </>
  );
}
