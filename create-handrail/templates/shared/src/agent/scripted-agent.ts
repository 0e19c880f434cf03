/** An agent that plays a script, so that the app runs without a model and without a key. */
import { createScriptedAgent, type ScriptTurn } from 'handrail/server';

/** The delay between two words: slow enough to watch. Milliseconds. */
const WORD_MS = 20;

export const scriptedAgent = createScriptedAgent(
  [
    {
      when: 'refund',
      steps: [
        'I can do that. Please confirm it. ',
        ({ text }) => ({ call: 'refund', args: readRefund(text), title: 'Refund' }),
        (turn) => {
          const { requestId } = readResult(turn, 'refund');
          if (requestId === undefined) return describeRefund(turn, 'refund');
          return [
            'Thank you. For this amount the support team has a look, too. ',
            {
              call: 'approve_refund',
              args: { requestId, ...readRefund(turn.text) },
              title: 'Approve refund',
            },
          ];
        },
        (turn) => (turn.result('approve_refund') ? describeRefund(turn, 'approve_refund') : []),
      ],
    },
    {
      when: 'copy',
      steps: [
        { call: 'copy_to_clipboard', args: { text: 'Order 4711' }, title: 'Copy to the clipboard' },
        (turn) => {
          const error = turn.result('copy_to_clipboard')?.error;
          if (error !== undefined) return `I could not copy it: ${error}`;
          return readResult(turn, 'copy_to_clipboard').copied === true
            ? 'The order number is on your clipboard.'
            : 'All right, your clipboard stays as it is.';
        },
      ],
    },
    { steps: ['I am a script. Say "refund 89 EUR for order 4711", or "copy".'] },
  ],
  { delayMs: WORD_MS },
);

function readRefund(text: string) {
  return {
    orderNumber: /\b\d{4,}\b/.exec(text)?.[0] ?? '4711',
    amount: Number(/\b\d{1,3}(\.\d{1,2})?\b/.exec(text)?.[0] ?? 89),
  };
}

function readResult(turn: ScriptTurn, tool: string): Readonly<Record<string, unknown>> {
  return (turn.result(tool)?.result ?? {}) as Readonly<Record<string, unknown>>;
}

function describeRefund(turn: ScriptTurn, tool: string): string {
  const error = turn.result(tool)?.error;
  if (error !== undefined) return `There is no refund: ${error}`;
  return readResult(turn, tool).paid === undefined
    ? 'All right, there is no refund.'
    : `Done. ${readRefund(turn.text).amount} EUR are on their way back to you.`;
}
