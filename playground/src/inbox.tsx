import { usePendingInbox } from 'handrail';
import { PendingInbox } from 'handrail/components';
import { useMemo, useState } from 'react';
import { selectClientTools } from './client-tools.ts';
import type { Person } from './settings.ts';
import { Switch } from './switch.tsx';
import type { BackendInfo } from './use-backends.ts';

const PEOPLE: readonly { id: Person; label: string }[] = [
  { id: 'ada', label: 'Ada' },
  { id: 'grace', label: 'Grace' },
];

/** The open questions of all conversations that this person may answer, without their pages. */
export function Inbox({
  backend,
  person,
  onPerson,
}: {
  backend: BackendInfo;
  person: Person;
  onPerson: (person: Person) => void;
}) {
  const inbox = usePendingInbox({
    url: `/api/inbox?backend=${backend.id}`,
    headers: { 'x-person': person },
    clientTools: useMemo(() => selectClientTools(backend), [backend]),
  });
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="policies" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Inbox ({inbox.calls.length})</summary>
      {isOpen && (
        <div>
          <div className="person">
            You are:
            <Switch name="person" legend="You are" options={PEOPLE} value={person} onChange={onPerson} />
          </div>
          <PendingInbox inbox={inbox} />
        </div>
      )}
    </details>
  );
}
