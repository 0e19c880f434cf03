/** A page of `@octavus/react`. */
import { createHttpTransport, useOctavusChat } from '@octavus/react';
import { show, View } from './view.tsx';

const transport = createHttpTransport({
  request: (payload, options) =>
    fetch('/api/agent', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId: 'chat-7', ...payload }),
      signal: options?.signal ?? null,
    }),
});
const clientTools = { locate: async () => ({ place: 'here' }), pay: 'interactive' as const };

show(function Page() {
  const { messages, status, send, pendingClientTools } = useOctavusChat({ transport, clientTools });
  return (
    <View
      isStill={status === 'idle' || status === 'awaiting-input'}
      messages={messages.map(({ id, role, parts }) => ({
        id,
        role,
        text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
      }))}
      questions={Object.values(pendingClientTools)
        .flat()
        .map(({ toolCallId, toolName, args, submit, cancel }) => ({
          id: toolCallId,
          text: `${toolName} ${JSON.stringify(args)}`,
          allow: () => submit({ confirmed: true }),
          decline: cancel,
        }))}
      send={(text) => void send('user-message', { USER_MESSAGE: text }, { userMessage: { content: text } })}
    />
  );
});
