import { usePendingInbox } from 'handrail';
import { PendingInbox } from 'handrail/components';
import { useMemo, useState } from 'react';
import { selectClientTools } from './client-tools.ts';
import type { User } from './settings.ts';
import type { BackendInfo } from './use-backends.ts';

/** The open questions of all conversations that this person may answer, without their pages. */
export function Inbox({ backend, user }: { backend: BackendInfo; user: User }) {
  const inbox = usePendingInbox({
    url: `/api/inbox?backend=${backend.id}`,
    headers: { 'x-playground-user': user },
    clientTools: useMemo(() => selectClientTools(backend), [backend]),
  });
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="policies" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Inbox ({inbox.calls.length})</summary>
      {isOpen && (
        <div>
          <PendingInbox inbox={inbox} />
        </div>
      )}
    </details>
  );
}
