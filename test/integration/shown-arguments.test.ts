/** The arguments of a call are read by its schema once: what a page shows is what is signed, recorded and run. */
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { SessionRecord } from '../../src/server/store/session-store.ts';
import {
  createHmacReceipts,
  createMemorySessionStore,
  defineServerTool,
  readAnswers,
  verifyReceipt,
} from '../../src/server.ts';
import { digestArguments } from '../../src/shared/digest-json.ts';
import { createListAgent, stop, text } from '../server/support.ts';
import { shareSession } from '../support/shared-session.ts';

const receipts = createHmacReceipts('arguments'.padEnd(32, '.'));
const DUE = '2026-03-01T00:00:00.000Z';

type Arguments = Readonly<Record<string, unknown>>;

it.each<[string, z.ZodType<object>, Arguments, Arguments, object]>([
  [
    'a coerced number and a default',
    z.object({
      to: z.string(),
      amount: z.coerce.number().default(9_000),
      currency: z.string().default('EUR'),
    }),
    { to: 'ada' },
    { to: 'ada', amount: 9_000, currency: 'EUR' },
    { to: 'ada', amount: 9_000, currency: 'EUR' },
  ],
  [
    'a text that is transformed to a number',
    z.object({ count: z.string().transform(Number) }),
    { count: '5' },
    { count: 5 },
    { count: 5 },
  ],
  ['a Date', z.object({ due: z.coerce.date() }), { due: '2026-03-01' }, { due: DUE }, { due: new Date(DUE) }],
  [
    'a Date beside a text that is transformed to a number',
    z.object({ due: z.coerce.date(), count: z.string().transform(Number) }),
    { due: '2026-03-01', count: '5' },
    { due: DUE, count: 5 },
    { due: new Date(DUE), count: 5 },
  ],
])(
  'the page, the receipt, the record and the tool have the same arguments with %s',
  async (_, input, args, shown, run) => {
    const ran: unknown[] = [];
    const pay = defineServerTool({ input, approval: 'always', execute: (given) => ran.push(given) });
    const toolCalls = [{ toolCallId: 'call-1', toolName: 'pay', args }];
    const agent = createListAgent([{ type: 'tool-request', toolCalls }], [...text('Done'), stop]);
    const store = createMemorySessionStore();
    const { device } = shareSession({ agent, store, receipts, tools: { pay } });
    const settled: unknown[] = [];
    const { chat } = device({ id: 'ada' }, { onCallSettled: (call) => settled.push(call.args) });
    chat.subscribe(() => {});
    onTestFinished(() => chat.destroy());
    await chat.sendMessage('hello');
    const argsOfPart = () =>
      chat
        .getState()
        .messages.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === 'tool-call' ? [part.args] : [])),
        );
    const [tool] = chat.getState().pendingCalls;
    expect([tool?.args, argsOfPart()]).toEqual([shown, [shown]]);
    const { calls } = (await store.load('s')) as SessionRecord;
    expect(calls['call-1']).toMatchObject({ args: shown, digest: await digestArguments(shown) });
    tool?.submit({ confirmed: true });
    for (let turn = 0; turn < 20_000 && chat.getState().status !== 'idle'; turn += 1)
      await new Promise((next) => setImmediate(next));
    expect([ran, settled, argsOfPart()]).toEqual([[run], [shown], [shown]]);
    const [answer] = readAnswers('s', (await store.load('s')) as SessionRecord);
    expect(answer?.args).toEqual(shown);
    expect(await verifyReceipt(answer as never, receipts)).toMatchObject({
      valid: true,
      question: { args: await digestArguments(shown) },
    });
  },
);
