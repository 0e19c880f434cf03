/** A refund: the support team allows it and says why, and the server pays once, whatever dies in between. */
import { defineServerTool, type ScriptScenario } from 'handrail/server';
import { z } from 'zod';
import { payBack } from './pay-back.ts';

/** More than this needs the approval of a person. EUR. */
const APPROVAL_ABOVE = 50;

export const refund = defineServerTool({
  title: 'Refund',
  description: 'Pays money back to the customer.',
  input: z.object({
    orderNumber: z.string().meta({ title: 'Order' }),
    amount: z
      .number()
      .positive()
      .meta({ title: 'Amount', format: 'currency', currency: 'EUR', emphasis: true }),
  }),
  approval: ({ amount }) => amount > APPROVAL_ABOVE,
  mayAnswer: ({ roles }) => roles?.includes('support') === true,
  waitsFor: 'the support team',
  severity: 'caution',
  editable: true,
  confirmLabel: 'Refund',
  declineLabel: "Don't refund",
  async execute({ orderNumber, amount }, { ask, once }) {
    const { reason } = await ask({
      key: 'reason',
      message: `Why does order ${orderNumber} get its money back?`,
      output: z.object({ reason: z.string().min(3).meta({ title: 'Reason' }) }),
    });
    return once('pay', ({ idempotencyKey }) => payBack(idempotencyKey, { orderNumber, amount, reason }));
  },
});

export const REFUND: ScriptScenario = {
  when: /refund|money back/i,
  steps: [
    'I hand this to the support team.',
    ({ text }) => ({
      call: 'refund',
      args: { orderNumber: /\d{3,}/.exec(text)?.[0] ?? '4711', amount: 89 },
      title: 'Refund',
    }),
    (turn) => {
      const answer = turn.result('refund');
      if (answer?.error !== undefined) return `There is no refund: ${answer.error}`;
      return isPaid(answer?.result) ? 'Done. The money is on its way back.' : 'The support team said no.';
    },
  ],
};

function isPaid(result: unknown): boolean {
  return JSON.stringify(result ?? null).includes('"paid"');
}
