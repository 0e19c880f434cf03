/** The page of the AG-UI agent, moved by the table of docs/migrate-from-copilotkit.md. */
import { useAgentChat } from 'handrail';
import { createAgUiTransport } from 'handrail/ag-ui';
import { readStored, show, View } from './view.tsx';

interface StoredMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

const stored = await readStored<StoredMessage>();
const initialMessages = stored.map(({ id, role, content }) => ({
  id,
  role,
  parts: [{ type: 'text', text: content, status: 'done' } as const],
  status: 'done' as const,
  createdAt: new Date(),
}));
const transport = createAgUiTransport({ url: '/agent', context: [{ description: 'page', value: 'orders' }] });
const clientTools = { locate: { description: 'Where the person is', execute: () => ({ place: 'here' }) } };

show(function Page() {
  const { messages, status, sendMessage, pendingCalls } = useAgentChat({
    id: 'chat-7',
    initialMessages,
    transport,
    clientTools,
  });
  // The page of the reference client has a message for each text.
  const shown = messages.flatMap(({ id, role, parts }) =>
    parts.flatMap((part, index) =>
      part.type === 'text' ? [{ id: `${id}-${index}`, role, text: part.text }] : [],
    ),
  );
  return (
    <View
      isStill={status === 'idle' || status === 'awaiting-input'}
      messages={shown}
      questions={pendingCalls.map(({ toolCallId, definition, submit, decline }) => ({
        id: toolCallId,
        text: definition?.description ?? '',
        allow: () => void submit({ confirmed: true }),
        decline,
      }))}
      send={(text) => void sendMessage(text)}
    />
  );
});
