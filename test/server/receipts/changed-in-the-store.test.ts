/** Somebody changes the arguments of a call in the database, after a person has read them. Nothing runs then. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createHmacReceipts } from '../../../src/server/receipts/create-hmac-receipts.ts';
import type { Receipts } from '../../../src/server/receipts/receipts.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import type { CallRecord } from '../../../src/server/store/call-record.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { digestArguments } from '../../../src/shared/digest-json.ts';
import { createListAgent, hello, requestIn, run, settle } from '../support.ts';
import { answer, callRefund, done, resultIn } from '../tools/support.ts';
import { createSecret } from './support.ts';

const signed = createHmacReceipts(createSecret('a'));

type Change = (call: CallRecord) => CallRecord | Promise<CallRecord>;
const raise: Change = (call) => ({ ...call, args: { ...call.args, amount: 8_000 } });
const raiseWithDigest: Change = async (call) => {
  const { args } = await raise(call);
  return { ...call, args, digest: await digestArguments(args) };
};

function createShop(receipts: Receipts | undefined) {
  const store = createMemorySessionStore();
  const agent = createListAgent(callRefund, done);
  const paid: number[] = [];
  const refund = defineServerTool({
    input: z.object({ orderId: z.string(), amount: z.number() }),
    approval: 'always',
    editable: true,
    execute: ({ amount }) => paid.push(amount),
  });
  const exchange = defineServerTool({
    input: z.object({ orderId: z.string(), amount: z.number() }),
    async execute({ amount }, { ask }) {
      await ask({ message: 'Why?' });
      return paid.push(amount);
    },
  });
  const process = (own: SessionStore = store, tool = refund) =>
    createAgentSession({
      id: 's',
      agent,
      store: own,
      tools: { refund: tool },
      ...(receipts && { receipts }),
    });
  async function tamper(change: Change): Promise<void> {
    const record = (await store.load('s')) as SessionRecord;
    const calls = { ...record.calls, 'call-1': await change(record.calls['call-1'] as CallRecord) };
    await store.save('s', { ...record, revision: record.revision + 1, calls });
  }
  /** A process takes the answer, and dies before its tool runs. */
  async function takeAndDie(payload: object, tool = refund): Promise<void> {
    let isDead = false;
    const dying: SessionStore = {
      load: (id) => store.load(id),
      async save(id, record) {
        if (isDead) throw new Error('the process is dead');
        isDead = true;
        await store.save(id, record);
        throw new Error('the process is dead');
      },
    };
    await run(process(dying, tool), payload);
    await settle();
  }
  return { agent, paid, process, tamper, takeAndDie, refund, exchange };
}

const yes = { confirmed: true };
const CHANGES: readonly (readonly [string, string, Receipts | undefined, Change])[] = [
  ['arguments', 'without receipts', undefined, raise],
  ['arguments', 'with receipts', signed, raise],
  ['arguments and their digest', 'with receipts', signed, raiseWithDigest],
];

describe.each(CHANGES)('%s that were changed in the store, %s,', (_, __, receipts, change) => {
  it('run nothing when they were changed before the yes', async () => {
    const { process, tamper, paid, agent } = createShop(receipts);
    const asked = await run(process(), hello);
    await tamper(change);
    const events = await run(process(), answer(asked, yes));
    if (receipts) expect(events).toMatchObject([{ code: 'invalid_receipt' }]);
    else expect(resultIn(agent)).toContain('Not run');
    expect(paid).toEqual([]);
  });

  it('run nothing when they were changed between the yes and the run', async () => {
    const { process, tamper, takeAndDie, paid, agent } = createShop(receipts);
    const asked = await run(process(), hello);
    await takeAndDie(answer(asked, yes));
    await tamper(change);
    await run(process(), { type: 'open' });
    expect(resultIn(agent)).toContain('Not run');
    expect(paid).toEqual([]);
  });

  it('run nothing when the tool had asked a question about the right ones', async () => {
    const { process, tamper, takeAndDie, paid, agent, exchange } = createShop(receipts);
    const asked = await run(process(undefined, exchange), hello);
    await takeAndDie(answer(asked, { answer: 'broken' }), exchange);
    await tamper(change);
    await run(process(undefined, exchange), { type: 'open' });
    expect(resultIn(agent)).toContain('Not run');
    expect(paid).toEqual([]);
  });
});

describe('an answer in the store', () => {
  it.each<[string, Change]>([
    [
      'a no that was changed to a yes',
      ({ answer, ...call }) => ({ ...call, answer: { at: 0, ...answer, outcome: 'submitted', result: yes } }),
    ],
    [
      'a yes whose corrected arguments were changed',
      ({ answer, ...call }) => ({
        ...call,
        answer: {
          outcome: 'submitted',
          at: 0,
          ...answer,
          result: { ...yes, editedArgs: { orderId: 'o-1', amount: 8_000 } },
        },
      }),
    ],
  ])('with receipts runs nothing when it is %s', async (_, change) => {
    const { process, tamper, takeAndDie, paid, agent } = createShop(signed);
    const asked = await run(process(), hello);
    const result = { ...yes, editedArgs: { orderId: 'o-1', amount: 40 }, changedArgs: ['amount'] };
    await takeAndDie(answer(asked, _.startsWith('a no') ? { confirmed: false } : result));
    await tamper(change);
    await run(process(), { type: 'open' });
    expect(resultIn(agent)).toContain('Not run');
    expect(paid).toEqual([]);
  });

  it('with receipts runs the tool after a crash when nobody has changed it', async () => {
    const { process, takeAndDie, paid } = createShop(signed);
    const asked = await run(process(), hello);
    expect(requestIn(asked).toolCalls[0]?.receipt).toEqual(expect.any(String));
    await takeAndDie(answer(asked, yes));
    await run(process(), { type: 'open' });
    expect(paid).toEqual([80]);
  });
});
