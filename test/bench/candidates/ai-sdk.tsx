import { useChat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  getToolName,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import type { Candidate } from '../measure/candidate.ts';
import { createView, mount } from '../measure/view.tsx';
import { encodeAiSdk } from '../wires/ai-sdk.ts';
import { isStructured } from '../workloads.ts';
import { openObject } from './ai-sdk-object.tsx';

type Part = UIMessage['parts'][number];

export const candidate: Candidate = {
  wire: encodeAiSdk,
  isBare: isStructured,
  cannot: ({ socket }) => (socket ? 'has no socket' : undefined),
  async open(lent) {
    const { fetch, runTool, history, counts, workload } = lent;
    if (isStructured(workload)) return openObject(lent);
    const Messages = createView<Part>(counts, (part) =>
      part.type === 'text' ? part.text : isToolUIPart(part) ? `${getToolName(part)} ${part.state}` : '',
    );
    const transport = new DefaultChatTransport<UIMessage>({ api: 'http://agent.test/chat', fetch });
    const initial: UIMessage[] = history.map(({ id, role, text }) => ({
      id,
      role,
      parts: [{ type: 'text', text }],
    }));
    let chat: ReturnType<typeof useChat> | undefined;
    let legs = 0;
    let done = () => {};
    function App() {
      chat = useChat({
        transport,
        messages: initial,
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
        onToolCall({ toolCall }) {
          if (toolCall.toolName !== 'measure') return;
          // Not awaited, as its manual asks: the answer is written when the stream allows it.
          void runTool().then((output) =>
            chat?.addToolOutput({ tool: toolCall.toolName, toolCallId: toolCall.toolCallId, output }),
          );
        },
        onError(error) {
          throw error;
        },
        onFinish() {
          legs += 1;
          if (legs === workload.legs.length) done();
        },
      });
      return <Messages messages={chat.messages} />;
    }
    const close = mount(<App />);
    return {
      async send() {
        legs = 0;
        const finished = new Promise<void>((resolve) => {
          done = resolve;
        });
        await chat?.sendMessage({ text: 'Go' });
        await finished;
        while (chat?.status !== 'ready') await new Promise((resolve) => setImmediate(resolve));
      },
      received() {
        const parts = chat?.messages.at(-1)?.parts ?? [];
        return {
          text: parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0),
          tools: parts.filter(isToolUIPart).length,
        };
      },
      close,
    };
  },
};
