import { runCodeTool } from 'handrail/sandbox';

const ORDERS = [
  { id: '1001', item: 'Desk lamp', total: 49 },
  { id: '1002', item: 'Notebook', total: 12 },
  { id: '1003', item: 'Desk lamp', total: 49 },
];

/** Makes reading slow enough to watch the run and to stop it. */
const READING_MS = 400;

/** Code of the agent may only read these orders. */
export const runCode = runCodeTool({
  imports: {
    shop: {
      readOrders: async () => {
        await new Promise((resolve) => setTimeout(resolve, READING_MS));
        return ORDERS;
      },
    },
  },
  capabilityDescriptions: { 'readOrders from shop': 'Read your orders' },
});
