import { AgentChatProvider, type AgentTransport, createWebStorage, useAgentChat } from 'handrail';
import { ClientToolDialogs } from 'handrail/components';
import { useRef } from 'react';
import { clientTools } from './client-tools.ts';
import { Composer } from './composer.tsx';
import { SCENARIOS } from './scenarios.ts';
import { Transcript } from './transcript.tsx';
import { TurnError } from './turn-error.tsx';

const storage = createWebStorage(() => sessionStorage);

/** One conversation. It outlives a reload, with the question that was open; a new tab begins a new one. */
export function Chat({ id, transport }: { id: string; transport: AgentTransport }) {
  const chat = useAgentChat({ id, transport, clientTools, persistence: { storage } });
  const { status, error, messages, connectionState } = chat;
  const inputRef = useRef<HTMLTextAreaElement>(null);
  const isEmpty = messages.length === 0;

  // Buttons go away when they have been pressed; the focus must not go with them.
  const thenFocus = (act: () => unknown) => () => {
    void act();
    inputRef.current?.focus();
  };
  const send = (text: string) => void chat.sendMessage(text);

  return (
    <AgentChatProvider chat={chat}>
      <main className="chat" data-status={status} data-empty={isEmpty || undefined}>
        <h1 className="visually-hidden">handrail playground</h1>
        <Transcript messages={messages} isBusy={status === 'streaming'}>
          {error !== null && (
            <TurnError error={error} onRetry={thenFocus(chat.retry)} onDismiss={thenFocus(chat.clearError)} />
          )}
        </Transcript>
        <div className="dock">
          <ul className="suggestions" aria-label="Things to try">
            {SCENARIOS.map(({ label, hint, message }) => (
              <li key={label}>
                <button
                  type="button"
                  disabled={status === 'awaiting-input'}
                  onClick={thenFocus(() => send(message))}
                >
                  {label} <span>{hint}</span>
                </button>
              </li>
            ))}
          </ul>
          <Composer
            inputRef={inputRef}
            status={status}
            connectionState={connectionState}
            onSend={send}
            onStop={thenFocus(chat.stop)}
          />
        </div>
        <ClientToolDialogs />
      </main>
    </AgentChatProvider>
  );
}
