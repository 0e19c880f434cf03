/** A return that needs three people: the customer, the warehouse and the support team. Each answers on a page of their own. */
import { defineServerTool, type ScriptScenario } from 'handrail/server';
import { z } from 'zod';

export const takeBack = defineServerTool({
  title: 'Take the goods back',
  description: 'The warehouse has looked at them.',
  input: z.object({ orderNumber: z.string().meta({ title: 'Order' }) }),
  approval: 'always',
  mayAnswer: ({ roles }) => roles?.includes('warehouse') === true,
  waitsFor: 'the warehouse',
  confirmLabel: 'Take them back',
  execute: ({ orderNumber }) => ({ status: 'taken back', orderNumber }),
});

export const RETURN: ScriptScenario = {
  when: /return/i,
  steps: [
    'That takes a word of yours, of the warehouse and of the support team.',
    {
      call: 'choose_option',
      title: 'Choose what you get',
      args: {
        title: 'Your return',
        question: 'What would you like for it?',
        options: [
          { value: 'money', label: 'Money back' },
          { value: 'exchange', label: 'Another one' },
        ],
      },
    },
    { call: 'take_back', title: 'Take back', args: { orderNumber: '4711' } },
    { call: 'refund', title: 'Refund', args: { orderNumber: '4711', amount: 89 } },
    'All three have answered.',
  ],
};
