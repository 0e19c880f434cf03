/** The page of octavus.tsx with handrail, as docs/migrate-from-octavus.md shows it. */
import { createHttpTransport, useAgentChat } from 'handrail';
import { show, View } from './view.tsx';

const transport = createHttpTransport({ url: '/api/agent', body: { sessionId: 'chat-7' } });
const clientTools = { locate: () => ({ place: 'here' }), pay: 'interactive' } as const;

show(function Page() {
  const { messages, status, sendMessage, pendingCalls } = useAgentChat({
    id: 'chat-7',
    transport,
    clientTools,
  });
  return (
    <View
      isStill={status === 'idle' || status === 'awaiting-input'}
      messages={messages.map(({ id, role, parts }) => ({
        id,
        role,
        text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
      }))}
      questions={pendingCalls.map(({ toolCallId, toolName, args, submit, cancel }) => ({
        id: toolCallId,
        text: `${toolName} ${JSON.stringify(args)}`,
        allow: () => void submit({ confirmed: true }),
        decline: (reason) => void cancel(reason),
      }))}
      send={(text) => void sendMessage(text)}
    />
  );
});
