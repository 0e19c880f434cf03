/** The page of the AI SDK, moved by the table of docs/migrate-from-use-chat.md. */
import { useAgentChat } from 'handrail';
import { createAiSdkTransport, fromUIMessages } from 'handrail/ai-sdk';
import { readStored, show, View } from './view.tsx';

const initialMessages = fromUIMessages(await readStored());
const transport = createAiSdkTransport({ api: '/api/chat', resume: true });
const clientTools = { locate: () => ({ place: 'here' }) };

show(function Page() {
  const { messages, status, sendMessage, pendingCalls } = useAgentChat({
    id: 'chat-7',
    initialMessages,
    transport,
    clientTools,
  });
  return (
    <View
      isStill={status === 'idle' || status === 'awaiting-input'}
      messages={messages.map(({ id, role, parts, metadata }) => ({
        id,
        role,
        text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
        files: parts.flatMap((part) => (part.type === 'file' ? part.url : [])),
        metadata,
      }))}
      questions={pendingCalls.map(({ toolCallId, toolName, args, submit, decline }) => ({
        id: toolCallId,
        text: `${toolName} ${JSON.stringify(args)}`,
        allow: () => void submit({ confirmed: true }),
        decline,
      }))}
      send={(text, files) => void sendMessage(files ? { content: text, files } : text)}
    />
  );
});
