import { useContext, useEffect, useState } from 'react';
import { ClockContext } from '../hooks/use-arming.ts';
import { useLabels } from '../text/labels-context.tsx';
import { Announcement } from './announcement.tsx';
import { Slot } from './slot.tsx';

/** The time is read out when this many seconds are left. More often would interrupt the question. */
const ANNOUNCED_AT = [60, 30, 10];

/** The time left to answer a call with a deadline. Shown each second, read out three times. */
export function Countdown({ expiresAt }: { expiresAt: Date }) {
  const labels = useLabels();
  const clock = useContext(ClockContext);
  const [left, setLeft] = useState(() => secondsUntil(expiresAt, clock.now()));
  const [leftAtFirst] = useState(left);

  useEffect(() => {
    let cancelTimer: (() => void) | undefined;
    const tick = () => {
      const now = clock.now();
      setLeft(secondsUntil(expiresAt, now));
      const remaining = +expiresAt - now;
      if (remaining > 0) cancelTimer = clock.after(remaining % 1_000 || 1_000, tick);
    };
    tick();
    return () => cancelTimer?.();
  }, [clock, expiresAt]);

  const announced = ANNOUNCED_AT.filter((seconds) => left <= seconds).at(-1);
  // A hand-made call may have an invalid date.
  if (!(left >= 0)) return null;
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

function secondsUntil(expiresAt: Date, now: number): number {
  return Math.max(0, Math.ceil((+expiresAt - now) / 1_000));
}
