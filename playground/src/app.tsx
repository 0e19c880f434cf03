import { createFaults } from 'handrail/devtools';
import { useEffect, useMemo, useState } from 'react';
import { Chat } from './chat.tsx';
import { ClusterPanel } from './cluster-panel.tsx';
import { createTransport } from './create-transport.ts';
import { CutButtons } from './cut-buttons.tsx';
import { Header } from './header.tsx';
import { readSettings, type Settings, toSearch } from './settings.ts';
import { recallInTab, rememberInTab } from './tab-memory.ts';
import { pickBackend, useBackends } from './use-backends.ts';

const SESSION_KEY = 'playground-session';

export function App() {
  const [settings, setSettings] = useState(() => readSettings(location.search));
  const [session, setSession] = useState(readSession);
  const [faults] = useState(() => createFaults());
  const { backends, problem } = useBackends();
  const picked = pickBackend(backends, settings.backend);
  const backend = picked?.id;
  const { user } = settings;

  // A reload goes on with the same conversation, and so does another browser with the same address.
  useEffect(() => {
    rememberInTab(SESSION_KEY, session);
    history.replaceState(null, '', toSearch(settings, session));
  }, [settings, session]);
  const startAnew = () => setSession(createSessionId());
  const change = (next: Settings) => {
    setSettings(next);
    // Where questions are asked changes nothing between the page and the agent.
    if (next.carrier !== carrier || next.backend !== backend) startAnew();
  };
  const carrier =
    picked?.carriers.find((known) => known === settings.carrier) ?? picked?.carriers[0] ?? 'sse';
  const missing = picked?.missing;
  const transport = useMemo(
    () =>
      backend === undefined || missing !== undefined
        ? undefined
        : faults.wrap(createTransport(carrier, { backend, session, user })),
    [carrier, backend, missing, session, user, faults],
  );

  return (
    <div className="page">
      <Header
        settings={{ ...settings, carrier, backend }}
        backends={backends}
        onChange={change}
        onNew={startAnew}
      >
        <CutButtons session={session} />
        {picked?.showsNodes && <ClusterPanel backend={picked.id} session={session} />}
      </Header>
      {transport === undefined || picked === undefined ? (
        <main className="chat">
          <p className="page-notice" role="status">
            {problem ?? missing ?? 'Connecting to the agent server…'}
          </p>
        </main>
      ) : (
        <Chat
          key={`${carrier} ${backend} ${session} ${user}`}
          id={`${backend}-${session}`}
          transport={transport}
          faults={faults}
          questions={settings.questions}
          backend={picked}
          user={user}
        />
      )}
    </div>
  );
}

/** A page joins the conversation that its address names, or goes on with that of its tab. */
function readSession(): string {
  const named = new URLSearchParams(location.search).get('session');
  return named || (recallInTab(SESSION_KEY) ?? createSessionId());
}

/** `crypto.randomUUID` is missing where the page came over plain http, such as on a phone in the same network. */
function createSessionId(): string {
  return [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36)).join('');
}
