/** What a person said is one word and one value: in the tool, the record and its receipt, and on every page. */
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { InteractiveTool, SettledCall } from '../../src/core.ts';
import type { SessionRecord } from '../../src/server/store/session-store.ts';
import type { QuestionNotAnswered } from '../../src/server/tools/step-errors.ts';
import {
  createHmacReceipts,
  createMemorySessionStore,
  defineServerTool,
  readAnswers,
  verifyReceipt,
} from '../../src/server.ts';
import { createListAgent, stop, text } from '../server/support.ts';
import { callRefund } from '../server/tools/support.ts';
import { shareSession } from '../support/shared-session.ts';

const receipts = createHmacReceipts('one-outcome'.padEnd(32, '.'));
const ADA = { id: 'ada', name: 'Ada' };
const BOB = { id: 'bob', name: 'Bob' };

/** Lets promises, streams and the digests of steps go on, until the condition holds. */
async function eventually(passes: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000 && !passes(); turn += 1) await new Promise((next) => setImmediate(next));
  expect(passes()).toBe(true);
}

/** A conversation whose tool asks. Ada has it on one page, and Bob follows it on another. */
async function openPages() {
  const store = createMemorySessionStore();
  const heard: unknown[] = [];
  const refund = defineServerTool({
    execute: async (_args, { ask }) => {
      const output = z.object({ confirmed: z.boolean(), note: z.string() });
      try {
        const value = await ask({ message: 'Paid already?', output });
        heard.push({ outcome: 'submitted', value });
        return value;
      } catch (thrown) {
        const { outcome, reason } = thrown as QuestionNotAnswered;
        heard.push({ outcome, reason });
        throw thrown;
      }
    },
  });
  const agent = createListAgent(callRefund, [...text('Done'), stop]);
  const { device } = shareSession({ agent, store, receipts, tools: { refund } });
  const settled: Record<string, SettledCall[]> = { ada: [], bob: [] };
  const open = (person: typeof ADA) => {
    const onCallSettled = (call: SettledCall) => settled[person.id]?.push(call);
    const { chat } = device(person, { onCallSettled, openOnStart: person === BOB });
    chat.subscribe(() => {});
    onTestFinished(() => chat.destroy());
    return chat;
  };
  const ada = open(ADA);
  await ada.sendMessage('hello');
  const bob = open(BOB);
  await eventually(() => bob.getState().status === 'awaiting-input');
  const load = async () => (await store.load('s')) as SessionRecord;
  return { ada, bob, settled, heard, load, openAgain: () => open(ADA), agent };
}

it.each<[string, (tool: InteractiveTool) => void, object]>([
  [
    'submits a value with confirmed: false',
    (tool) => tool.submit({ confirmed: false, note: 'not yet' }),
    { outcome: 'submitted', result: { confirmed: false, note: 'not yet' } },
  ],
  ['declines with a reason', (tool) => tool.decline('not mine'), { outcome: 'declined', reason: 'not mine' }],
  ['cancels', (tool) => tool.cancel(), { outcome: 'cancelled' }],
])(
  'the tool, the record, the receipt and the pages of two people agree when a person %s',
  async (_, act, said) => {
    const { ada, bob, settled, heard, load, openAgain } = await openPages();
    const [tool] = ada.getState().pendingCalls as [InteractiveTool];
    act(tool);
    await eventually(() => ada.getState().status === 'idle' && bob.getState().status === 'idle');
    const { outcome, ...rest } = said as { outcome: string; result?: unknown; reason?: string };
    expect(heard).toMatchObject([
      {
        outcome,
        ...('result' in rest && { value: rest.result }),
        ...('reason' in rest && { reason: rest.reason }),
      },
    ]);
    expect(settled).toMatchObject({ ada: [said], bob: [{ ...said, person: ADA }] });
    const record = await load();
    const [answer] = readAnswers('s', record);
    expect(answer).toMatchObject({ ...said, answeredBy: ADA });
    expect(await verifyReceipt(answer as never, receipts)).toMatchObject({
      valid: true,
      answer: { outcome },
    });
    const later = openAgain();
    await later.open?.();
    for (const page of [ada, bob, later]) {
      const parts = page.getState().messages.flatMap((message) => message.parts);
      expect(
        parts.filter((part) => part.type === 'tool-call' && part.toolCallId === tool.toolCallId),
      ).toMatchObject([said]);
    }
  },
);
