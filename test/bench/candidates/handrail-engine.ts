/** handrail without React: somebody listens, and looks at the messages at each publication. */
import { createAgentChat } from 'handrail/core';
import type { Candidate } from '../measure/candidate.ts';
import { encodeOctavus } from '../wires/octavus.ts';
import { received, toHistory, toTransport } from './handrail-parts.ts';

export const candidate: Candidate = {
  wire: encodeOctavus,
  async open(lent) {
    const { runTool, history, counts } = lent;
    const chat = createAgentChat({
      transport: toTransport(lent),
      initialMessages: toHistory(history),
      maxToolRounds: 1_000,
      clientTools: { measure: runTool },
    });
    chat.subscribe(() => {
      counts.commits += chat.getState().messages.length > 0 ? 1 : 0;
    });
    return {
      send: () => chat.sendMessage('Go'),
      received: () => received(chat.getState().messages),
      close: () => chat.destroy(),
    };
  },
};
