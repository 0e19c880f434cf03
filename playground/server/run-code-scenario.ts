import type { ScriptScenario } from 'handrail/server';

const CODE = `import { readOrders } from 'shop';

interface Order { id: string; item: string; total: number }

/** Sums the orders, in total and by item. */
export default async function main() {
  const orders: Order[] = await readOrders();
  const byItem = new Map<string, number>();
  for (const [index, { item, total }] of orders.entries()) {
    byItem.set(item, (byItem.get(item) ?? 0) + total);
    report(\`\${index + 1} of \${orders.length}\`);
  }
  return { sum: orders.reduce((sum, { total }) => sum + total, 0), byItem };
}
`;

/** The agent writes a program, and the page runs it in the sandbox after the person consents. */
export const RUN_CODE: ScriptScenario = {
  when: /add up|\bcode\b|calculate/i,
  steps: [
    'I write a few lines for that.',
    {
      call: 'run_code',
      title: 'Run code',
      args: { code: CODE, explanation: 'Reads your orders and adds them up.' },
    },
    (turn) => {
      const answer = turn.result('run_code');
      const outcome = answer?.result as {
        status?: string;
        result?: { sum?: number };
        error?: { message: string };
      };
      if (outcome?.status === 'success') return `Together that is ${outcome.result?.sum} EUR.`;
      const reason = answer?.error ?? outcome?.error?.message;
      return reason === undefined ? 'Then I leave it to you.' : `It did not work out: ${reason}`;
    },
  ],
};
