'use client';
import { AgentChatProvider, createPersistence, useAgentChat } from 'handrail';
import { ClientToolDialogs, Composer, Transcript } from 'handrail/components';
import { clientTools } from './client-tools.ts';
import { Instructions } from './instructions.tsx';
import { transport } from './transport.ts';

const persistence = createPersistence();

/** The chat of the customer. */
export function ChatPage() {
  const chat = useAgentChat({
    id: 'chat',
    transport,
    persistence,
    clientTools,
    describeClientTools: true,
    // Reads the conversation from the server, and follows what happens to it elsewhere, such as in the inbox.
    openOnStart: true,
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
