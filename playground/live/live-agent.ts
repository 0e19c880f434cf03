/** The agent of the home page: it wants to pay money back, and may not without a person. It runs in the tab. */
import { type AgentTransport, createHttpTransport } from 'handrail';
import {
  createAgentSession,
  createMemorySessionStore,
  createScriptedAgent,
  defineServerTool,
  handleAgentRequest,
} from 'handrail/server';
import { z } from 'zod';

const refund = defineServerTool({
  title: 'Refund order 4711',
  description: 'Pays money back to the customer.',
  input: z.object({
    amount: z
      .number()
      .min(1)
      .max(89)
      .meta({ title: 'Amount', format: 'currency', currency: 'EUR', emphasis: true }),
    payTo: z.string().meta({ title: 'Pay to', readOnly: true }),
    order: z.string().meta({ title: 'Order', readOnly: true }),
  }),
  approval: 'always',
  severity: 'caution',
  editable: true,
  confirmLabel: 'Refund',
  declineLabel: "Don't refund",
  execute: ({ amount }) => ({ refunded: amount }),
});

const VISITOR = { id: 'visitor', name: 'You' };

const agent = createScriptedAgent(
  [
    {
      call: 'refund',
      args: { amount: 89, payTo: 'Ada · Visa ending 4242', order: '4711 · Desk lamp, 1 piece' },
    },
    (turn) => {
      const answer = turn.result('refund');
      const refunded = /"refunded":([\d.]+)/.exec(JSON.stringify(answer?.result ?? null))?.[1];
      return refunded === undefined
        ? 'Understood: no refund. I was told so, and nothing was paid.'
        : `Done: ${euros(Number(refunded))} are on their way to Ada. The tool ran once, with your yes.`;
    },
  ],
  { delayMs: 18 },
);

/** A transport to a new session. */
export function createLiveTransport(): AgentTransport {
  const store = createMemorySessionStore();
  const session = createAgentSession({ id: 'live', agent, store, tools: { refund } });
  return createHttpTransport({
    url: '/api/agent',
    body: { sessionId: 'live' },
    fetch: (input, init) =>
      handleAgentRequest(new Request(input, init), () => session, { principal: () => VISITOR }),
  });
}

function euros(amount: number): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(amount);
}
