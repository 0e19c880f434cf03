import { toolDefinition } from '@tanstack/ai';
import { fetchServerSentEvents, type UIMessage, useChat, webSocket } from '@tanstack/ai-react';
import type { Candidate } from '../measure/candidate.ts';
import { createView, mount } from '../measure/view.tsx';
import { encodeAgUi } from '../wires/ag-ui.ts';

type Part = UIMessage['parts'][number];

export const candidate: Candidate = {
  wire: (leg, index) => encodeAgUi(leg, index, true),
  async open({ fetch, connect, runTool, history, counts, workload }) {
    const Messages = createView<Part>(counts, (part) =>
      part.type === 'text' ? part.content : part.type === 'tool-call' ? `${part.name} ${part.state}` : '',
    );
    const connection = workload.socket
      ? webSocket('ws://agent.test/chat', {
          WebSocketImpl: function Connection() {
            return connect();
          } as unknown as typeof WebSocket,
        })
      : fetchServerSentEvents('http://agent.test/chat', { fetchClient: fetch });
    const tools = [toolDefinition({ name: 'measure', description: 'Measures' }).client(runTool)];
    const initialMessages: UIMessage[] = history.map(({ id, role, text }) => ({
      id,
      role,
      parts: [{ type: 'text', content: text }],
    }));
    let chat:
      | { messages: UIMessage[]; isLoading: boolean; sendMessage(text: string): Promise<void> }
      | undefined;
    let legs = 0;
    let done = () => {};
    let failed = (_: Error) => {};
    function App() {
      const current = useChat({
        connection,
        tools,
        initialMessages,
        onError: (error) => failed(error),
        onFinish() {
          legs += 1;
          if (legs === workload.legs.length) done();
        },
      });
      chat = current as unknown as typeof chat;
      return <Messages messages={current.messages} />;
    }
    const close = mount(<App />);
    return {
      async send() {
        legs = 0;
        const finished = new Promise<void>((resolve, reject) => {
          done = resolve;
          failed = reject;
        });
        await chat?.sendMessage('Go');
        await finished;
        while (chat?.isLoading) await new Promise((resolve) => setImmediate(resolve));
      },
      received() {
        const last = chat?.messages.findLastIndex((message) => message.role === 'user') ?? 0;
        const parts = chat?.messages.slice(last + 1).flatMap((message) => message.parts) ?? [];
        return {
          text: parts.reduce((sum, part) => sum + lengthOf(part), 0),
          tools: parts.filter((part) => part.type === 'tool-call').length,
        };
      },
      close,
    };
  },
};

function lengthOf(part: Part): number {
  if (part.type === 'text') return part.content.length;
  return part.type === 'structured-output' ? JSON.stringify(part.data).length : 0;
}
