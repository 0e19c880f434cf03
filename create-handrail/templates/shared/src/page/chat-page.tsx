'use client';
import { AgentChatProvider, createPersistence, useAgentChat } from 'handrail';
import { ClientToolDialogs, Composer, Transcript } from 'handrail/components';
import { clientTools } from './client-tools.ts';
import { Instructions } from './instructions.tsx';
import { abilities, transport } from './transport.ts';

const persistence = createPersistence();

/** The chat of the customer. */
export function ChatPage() {
  const chat = useAgentChat({
    id: 'chat',
    transport,
    persistence,
    clientTools,
    ...abilities,
  });
  return (
    <AgentChatProvider chat={chat}>
      <main className="page">
        <h1>Shop</h1>
        <Transcript empty={<Instructions />} />
        <Composer />
        <ClientToolDialogs />
      </main>
    </AgentChatProvider>
  );
}
