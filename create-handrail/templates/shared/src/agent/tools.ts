/** The tools that run on the server. Each payment needs the yes of a person, and a high one needs two. */
import { defineServerTool } from 'handrail/server';
import * as z from 'zod';
import { payRefund, requestRefund } from './refunds.ts';

/** A refund above this needs a second person. EUR. */
const APPROVAL_ABOVE = 50;

const REFUND = {
  orderNumber: z.string().meta({ title: 'Order' }),
  amount: z
    .number()
    .positive()
    .meta({ title: 'Amount', format: 'currency', currency: 'EUR', emphasis: true }),
};

export const tools = {
  refund: defineServerTool({
    title: 'Refund',
    description: `Pays money back to the customer. Above ${APPROVAL_ABOVE} EUR the support team has to approve it, too.`,
    input: z.object(REFUND),
    // Without `mayAnswer` the question goes to the person whose conversation it is.
    approval: 'always',
    severity: 'caution',
    confirmLabel: 'Refund',
    declineLabel: "Don't refund",
    // The tool may run again, after a crash for example. What must not happen twice is a step of `once`.
    execute: (refund, { once }) =>
      once('refund', async ({ idempotencyKey }) => {
        const requestId = await requestRefund(idempotencyKey, refund);
        // Nothing is paid yet: the agent calls approve_refund next.
        if (refund.amount > APPROVAL_ABOVE) return { requestId };
        return payRefund(requestId, refund);
      }),
  }),
  approve_refund: defineServerTool({
    title: 'Approve refund',
    description:
      'Pays a refund that the customer has confirmed. It is high, so it needs the yes of a second person.',
    input: z.object({ requestId: z.string().meta({ title: 'Request' }), ...REFUND }),
    approval: 'always',
    mayAnswer: ({ roles }) => roles?.includes('support') === true,
    waitsFor: 'the support team',
    severity: 'caution',
    confirmLabel: 'Approve',
    declineLabel: "Don't approve",
    // No `once`: a request is paid once however often this runs.
    execute: ({ requestId, ...refund }) => payRefund(requestId, refund),
  }),
};
