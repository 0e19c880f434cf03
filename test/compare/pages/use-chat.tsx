/** `useChat` as its documentation writes it: messages stored by the route, streams that can be resumed, a button that tries again. */
import { useChat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from 'ai';
import { readStored, show, View } from './view.tsx';

const stored = await readStored<UIMessage>();

show(function Page() {
  const { messages, status, error, sendMessage, addToolApprovalResponse, stop, regenerate } = useChat({
    id: 'chat-7',
    messages: stored,
    resume: true,
    transport: new DefaultChatTransport({ api: '/api/chat' }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const questions = messages
    .flatMap(({ parts }) => parts.filter(isToolUIPart))
    .flatMap((part) => {
      if (part.state !== 'approval-requested') return [];
      const { id } = part.approval;
      return [
        {
          id,
          args: part.input,
          allow: () => void addToolApprovalResponse({ id, approved: true }),
          decline: () => void addToolApprovalResponse({ id, approved: false, reason: 'no' }),
        },
      ];
    });
  return (
    <View
      isStill={status === 'ready'}
      messages={messages.map(({ id, parts }) => ({
        id,
        text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
      }))}
      questions={questions}
      error={error?.message}
      send={(text) => void sendMessage({ text })}
      stop={() => void stop()}
      retry={() => void regenerate()}
    />
  );
});
