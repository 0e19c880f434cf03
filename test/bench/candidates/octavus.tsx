import {
  createHttpTransport,
  createSocketTransport,
  type UIMessage,
  type UIMessagePart,
  useOctavusChat,
} from '@octavus/react';
import type { Candidate } from '../measure/candidate.ts';
import { createView, mount } from '../measure/view.tsx';
import { encodeOctavus } from '../wires/octavus.ts';

export const candidate: Candidate = {
  wire: encodeOctavus,
  async open({ workload, fetch, connect, runTool, history, counts }) {
    const Messages = createView<UIMessagePart>(counts, (part) =>
      part.type === 'text'
        ? part.text
        : part.type === 'tool-call'
          ? `${part.toolName} ${part.status}`
          : part.type === 'object'
            ? `${part.typeName} ${part.status}`
            : '',
    );
    const transport = workload.socket
      ? createSocketTransport({ connect: async () => connect() })
      : createHttpTransport({ request: fetch });
    const initialMessages: UIMessage[] = history.map(({ id, role, text }) => ({
      id,
      role,
      parts: [{ type: 'text', text, status: 'done' }],
      status: 'done',
      createdAt: new Date(0),
    }));
    let chat: ReturnType<typeof useOctavusChat> | undefined;
    let done = () => {};
    const onError = (error: Error) => {
      throw error;
    };
    function App() {
      chat = useOctavusChat({
        transport,
        initialMessages,
        clientTools: { measure: runTool },
        onFinish: () => done(),
        onError,
      });
      return <Messages messages={chat.messages} />;
    }
    const close = mount(<App />);
    return {
      async send() {
        const finished = new Promise<void>((resolve) => {
          done = resolve;
        });
        await chat?.send('user-message', { USER_MESSAGE: 'Go' }, { userMessage: { content: 'Go' } });
        await finished;
        while (chat?.status !== 'idle') await new Promise((resolve) => setImmediate(resolve));
      },
      received() {
        const parts = chat?.messages.at(-1)?.parts ?? [];
        return {
          text: parts.reduce((sum, part) => sum + lengthOf(part), 0),
          tools: parts.filter((part) => part.type === 'tool-call').length,
        };
      },
      close,
    };
  },
};

function lengthOf(part: UIMessagePart): number {
  if (part.type === 'text') return part.text.length;
  return part.type === 'object' && part.status === 'done' ? JSON.stringify(part.object).length : 0;
}
