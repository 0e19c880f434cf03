import { useContext, useEffect, useState } from 'react';
import { ClockContext } from './use-arming.ts';

/** The seconds until a deadline, which change each second. Undefined without one; 0 when it has passed. */
export function useSecondsLeft(expiresAt: Date | undefined): number | undefined {
  const clock = useContext(ClockContext);
  const [left, setLeft] = useState(() => expiresAt && secondsUntil(expiresAt, clock.now()));

  useEffect(() => {
    if (expiresAt === undefined) return setLeft(undefined);
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
  // A hand-made call may have an invalid date.
  return left === undefined || Number.isNaN(left) ? undefined : left;
}

function secondsUntil(expiresAt: Date, now: number): number {
  return Math.max(0, Math.ceil((+expiresAt - now) / 1_000));
}
