import { type AgentTransport, useAgentChat } from 'handrail';
import type { Candidate, Chat, Lent } from '../measure/candidate.ts';
import { createView, mount } from '../measure/view.tsx';
import { encodeOctavus } from '../wires/octavus.ts';
import { received, textOf, toHistory, toTransport } from './handrail-parts.ts';

export const candidate: Candidate = {
  wire: encodeOctavus,
  open: (lent) => openHandrail(lent, toTransport(lent)),
};

export async function openHandrail(lent: Lent, transport: AgentTransport): Promise<Chat> {
  const { runTool, history, counts } = lent;
  const Messages = createView(counts, textOf);
  const initialMessages = toHistory(history);
  let chat: ReturnType<typeof useAgentChat> | undefined;
  function App() {
    const current = useAgentChat({
      transport,
      initialMessages,
      maxToolRounds: 1_000,
      clientTools: { measure: runTool },
    });
    chat = current as unknown as typeof chat;
    return <Messages messages={current.messages} />;
  }
  const close = mount(<App />);
  return {
    send: async () => chat?.sendMessage('Go'),
    received: () => received(chat?.messages ?? []),
    close,
  };
}
