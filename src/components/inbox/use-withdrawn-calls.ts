import { useState } from 'react';
import type { InboxCall } from '../../core/inbox/inbox-call.ts';

/** Returns the calls that left the inbox in its latest change though this person gave no answer: somebody else did, or their time is over. */
export function useWithdrawnCalls(calls: readonly InboxCall[]): readonly InboxCall[] {
  const [before, setBefore] = useState(calls);
  const [withdrawn, setWithdrawn] = useState<readonly InboxCall[]>([]);
  if (before !== calls) {
    setBefore(calls);
    const keys = new Set(calls.map(({ key }) => key));
    setWithdrawn(before.filter(({ key, status }) => status === 'waiting' && !keys.has(key)));
  }
  return withdrawn;
}
