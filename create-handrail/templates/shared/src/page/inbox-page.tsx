'use client';
import { usePendingInbox } from 'handrail';
import { PendingInbox } from 'handrail/components';

/** The questions of all conversations that the support team answers. */
export function InboxPage() {
  const inbox = usePendingInbox({ url: '/api/inbox?person=grace' });
  return (
    <main className="page">
      <h1>Inbox of Grace</h1>
      <PendingInbox inbox={inbox} titleOf={() => 'Chat with the shop'} />
    </main>
  );
}
