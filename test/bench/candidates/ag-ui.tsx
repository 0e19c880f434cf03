/** AG-UI has a client but no hook of its own: its messages are kept in React state at each change, as its guide does. */
import { HttpAgent, type Message } from '@ag-ui/client';
import { useEffect, useState } from 'react';
import type { Candidate } from '../measure/candidate.ts';
import { createView, mount } from '../measure/view.tsx';
import { encodeAgUi } from '../wires/ag-ui.ts';
import { isStructured } from '../workloads.ts';

type Part = { readonly type: 'message'; readonly message: Message };

export const candidate: Candidate = {
  wire: (leg, index) => encodeAgUi(leg, index, false),
  cannot: (workload) =>
    workload.socket ? 'has no socket' : isStructured(workload) ? 'has no structured output' : undefined,
  async open({ fetch, runTool, history, counts, workload }) {
    const Messages = createView<Part>(counts, ({ message }) =>
      typeof message.content === 'string' ? message.content : '',
    );
    const agent = new HttpAgent({
      url: 'http://agent.test/run',
      fetch,
      initialMessages: history.map(({ id, role, text }) => ({ id, role, content: text })),
    });
    function App() {
      const [messages, setMessages] = useState<readonly Message[]>(agent.messages);
      useEffect(
        () =>
          agent.subscribe({ onMessagesChanged: ({ messages }) => setMessages([...messages]) }).unsubscribe,
        [],
      );
      return (
        <Messages
          messages={messages.map((message) => ({ id: message.id, parts: [{ type: 'message', message }] }))}
        />
      );
    }
    const close = mount(<App />);
    const answer = async () => {
      const answered = new Set(agent.messages.flatMap((m) => (m.role === 'tool' ? [m.toolCallId] : [])));
      const calls = agent.messages.flatMap((m) => (m.role === 'assistant' ? (m.toolCalls ?? []) : []));
      const open = calls.filter((call) => !answered.has(call.id));
      await Promise.all(
        open.map(async ({ id }) => {
          const content = JSON.stringify(await runTool());
          agent.addMessage({ id: `answer-${id}`, role: 'tool', toolCallId: id, content });
        }),
      );
    };
    return {
      async send() {
        agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: 'Go' });
        for (let leg = 0; leg < workload.legs.length; leg++) {
          await agent.runAgent();
          await answer();
        }
      },
      received() {
        const last = agent.messages.findLastIndex((message) => message.role === 'user');
        const turn = agent.messages.slice(last + 1).filter((message) => message.role === 'assistant');
        return {
          text: turn.reduce(
            (sum, { content }) => sum + (typeof content === 'string' ? content.length : 0),
            0,
          ),
          tools: turn.reduce((sum, message) => sum + (message.toolCalls?.length ?? 0), 0),
        };
      },
      close,
    };
  },
};
