/** A page of Cloudflare's `useAgentChat`. */
import { useAgentChat } from '@cloudflare/ai-chat/react';
import { useAgent } from 'agents/react';
import { isToolUIPart } from 'ai';
import { Suspense } from 'react';
import { show, View } from './view.tsx';

function Chat() {
  const agent = useAgent({ agent: 'chat-agent', name: 'chat-7' });
  const { messages, status, sendMessage, addToolApprovalResponse } = useAgentChat({
    agent,
    onToolCall({ toolCall, addToolOutput }) {
      if (toolCall.toolName !== 'locate') return;
      addToolOutput({ toolCallId: toolCall.toolCallId, output: { place: 'here' } });
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
          decline: () => void addToolApprovalResponse({ id, approved: false }),
        },
      ];
    });
  return (
    <View
      isStill={status === 'ready'}
      messages={messages.map(({ id, role, parts }) => ({
        id,
        role,
        text: parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
      }))}
      questions={questions}
      send={(text) => void sendMessage({ text })}
    />
  );
}

show(function Page() {
  return (
    <Suspense fallback="Loading…">
      <Chat />
    </Suspense>
  );
});
