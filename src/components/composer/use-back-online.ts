import { useContext, useEffect, useState } from 'react';
import type { Outbox } from '../../core/store/chat-state.ts';
import { ClockContext } from '../hooks/use-arming.ts';

/** How long people are told that they are back online. */
const SHOWN_MS = 2_000;

/** Returns true for two seconds after the network came back and everything was sent. */
export function useBackOnline({ isOffline, answers, messages }: Outbox): boolean {
  const clock = useContext(ClockContext);
  const [phase, setPhase] = useState<'online' | 'offline' | 'back'>('online');
  const isEmpty = answers + messages === 0;
  if (isOffline && phase !== 'offline') setPhase('offline');
  if (!isOffline && phase === 'offline' && isEmpty) setPhase('back');
  useEffect(
    () => (phase === 'back' ? clock.after(SHOWN_MS, () => setPhase('online')) : undefined),
    [clock, phase],
  );
  return phase === 'back';
}
