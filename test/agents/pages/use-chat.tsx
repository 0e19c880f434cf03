/** A page of the AI SDK. */
import { useChat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import { readStored, show, View } from './view.tsx';

const stored = await readStored<UIMessage>();

show(function Page() {
  const { messages, status, sendMessage, addToolApprovalResponse, addToolOutput } = useChat({
    id: 'chat-7',
    messages: stored,
    resume: true,
    transport: new DefaultChatTransport({ api: '/api/chat' }),
    sendAutomaticallyWhen: (options) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(options) ||
      lastAssistantMessageIsCompleteWithToolCalls(options),
    onToolCall({ toolCall }) {
      if (toolCall.toolName !== 'locate') return;
      addToolOutput({ tool: 'locate', toolCallId: toolCall.toolCallId, output: { place: 'here' } });
    },
  });
  const questions = messages
    .flatMap(({ parts }) => parts.filter(isToolUIPart))
    .flatMap((part) => {
      if (part.state !== 'approval-requested') return [];
      const { id } = part.approval;
      return [
        {
          id,
          text: `${part.type.slice('tool-'.length)} ${JSON.stringify(part.input)}`,
          allow: () => void addToolApprovalResponse({ id, approved: true }),
          decline: (reason: string) => void addToolApprovalResponse({ id, approved: false, reason }),
        },
      ];
    });
  return (
    <View
      isStill={status === 'ready'}
      messages={messages.map(({ id, role, parts, metadata }) => ({
        id,
        role,
        text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
        files: parts.flatMap((part) => (part.type === 'file' ? part.url : [])),
        metadata,
      }))}
      questions={questions}
      send={(text, files) => void sendMessage({ text, ...(files && { files }) })}
    />
  );
});
