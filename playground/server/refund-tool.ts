import { defineServerTool, type ScriptScenario } from 'handrail/server';
import { z } from 'zod';

/** A tool that the support team must allow, in the conversation or in the inbox. */
export const refundOrder = defineServerTool({
  title: 'Refund an order',
  description: 'The money leaves at once.',
  input: z.object({ order: z.string(), amount: z.string() }),
  approval: 'always',
  severity: 'caution',
  confirmLabel: 'Pay the refund',
  mayAnswer: ({ roles = [] }) => roles.includes('support'),
  waitsFor: 'the support team',
  execute: ({ order, amount }) => ({ status: 'refunded', order, amount }),
});

export const REFUND: ScriptScenario = {
  when: /refund/i,
  steps: [
    'I ask the support team.',
    { call: 'refund_order', title: 'Refund order', args: { order: 'A-1007', amount: '80 EUR' } },
    (turn) => {
      const result = turn.result('refund_order')?.result as { status?: string } | undefined;
      return result?.status === 'refunded'
        ? 'The support team allowed it: 80 EUR are on their way to you.'
        : 'The support team did not allow the refund.';
    },
  ],
};
