/** The tools that run, or ask, in the browser. */
import { defineClientTool } from 'handrail';
import * as z from 'zod';

export const clientTools = {
  copy_to_clipboard: defineClientTool({
    title: 'Copy to the clipboard',
    description: 'Copies a text to the clipboard of the person.',
    input: z.object({ text: z.string().meta({ title: 'Text' }) }),
    approval: 'always',
    confirmLabel: 'Copy',
    async execute({ text }) {
      await navigator.clipboard.writeText(text);
      return { copied: true };
    },
  }),
  // A yes is what the agent goes on with. Your server must not pay because a page says so: let it look at the account first.
  confirm_refund: defineClientTool({
    title: 'Refund',
    description: 'Asks the person to confirm a refund. Returns { confirmed: true } for a yes.',
    input: z.object({
      orderNumber: z.string().meta({ title: 'Order' }),
      amount: z
        .number()
        .positive()
        .meta({ title: 'Amount', format: 'currency', currency: 'EUR', emphasis: true }),
    }),
    interactive: true,
    severity: 'caution',
    confirmLabel: 'Refund',
    declineLabel: "Don't refund",
  }),
};
