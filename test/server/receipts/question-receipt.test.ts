import { describe, expect, it } from 'vitest';
import type { ToolResult } from '../../../src/core/protocol/events.ts';
import { createHmacReceipts } from '../../../src/server/receipts/create-hmac-receipts.ts';
import { checkReceipt, issueReceipt } from '../../../src/server/receipts/question-receipt.ts';
import type { CallRecord } from '../../../src/server/store/call-record.ts';
import { digestArguments } from '../../../src/shared/digest-json.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { askAndAnswer, call, claims, createSecret } from './support.ts';

const receipts = createHmacReceipts(createSecret('a'));
const received = await askAndAnswer(receipts);
const { answer } = received;

interface Received {
  readonly sessionId?: string;
  readonly call: CallRecord;
  readonly answer: ToolResult;
}

const check = ({ sessionId = 'session-1', call: asked, answer: given }: Received) =>
  checkReceipt(receipts, sessionId, asked, given);

describe('checkReceipt accepts', () => {
  it('the answer that repeats the receipt of its call', async () => {
    expect(await check(received)).toBeUndefined();
  });

  it('a call whose arguments a store gives back in another order', async () => {
    const args = { lines: [{ sku: 'lamp' }], amount: 80, orderId: 'ord_1' };
    expect(await check({ ...received, call: { ...received.call, args } })).toBeUndefined();
  });

  it('an answer with the digest of the arguments that the server asked about', async () => {
    const shown = await digestArguments(call.args);
    expect(await check({ ...received, answer: { ...answer, shown } })).toBeUndefined();
  });

  it('any call, with any arguments', async () => {
    const anyCall = fc.record(
      {
        toolCallId: fc.string(),
        toolName: fc.string(),
        args: fc.dictionary(fc.string(), fc.jsonValue()),
        deadline: fc.integer({ min: 2_000 }),
      },
      { requiredKeys: ['toolCallId', 'toolName', 'args'] },
    );
    await fc.assert(
      fc.asyncProperty(anyCall, async (given) => {
        const asked = { ...call, ...given, digest: await digestArguments(given.args) };
        const travelled = JSON.parse(JSON.stringify(await askAndAnswer(receipts, asked)));
        expect(await check(travelled)).toBeUndefined();
      }),
      { numRuns: caseCount(100) },
    );
  });
});

describe('checkReceipt refuses', () => {
  it.each([
    ['another session', { ...received, sessionId: 'session-2' }, "another 'sessionId'"],
    [
      'another execution',
      { ...received, call: { ...received.call, executionId: 'execution-2' } },
      "another 'executionId'",
    ],
    [
      'another call',
      { ...received, call: { ...received.call, toolCallId: 'call-2' } },
      "another 'toolCallId'",
    ],
    ['another tool', { ...received, call: { ...received.call, toolName: 'pay' } }, "another 'toolName'"],
    ['a later deadline', { ...received, call: { ...received.call, deadline: 90_000 } }, "another 'deadline'"],
    [
      'an approval',
      { ...received, call: { ...received.call, executedBy: 'server', question: {} } },
      "another 'isApproval'",
    ],
    [
      'an answer without a receipt',
      { ...received, answer: { ...answer, receipt: undefined } },
      'has no receipt',
    ],
    ['a receipt that is no text', { ...received, answer: { ...answer, receipt: 7 } }, 'has no receipt'],
    ['a forged receipt', { ...received, answer: { ...answer, receipt: 'a.b.c' } }, 'was not signed'],
    [
      'other arguments on the page',
      { ...received, answer: { ...answer, shown: 'other' } },
      'showed other arguments',
    ],
    ['a call that was asked without receipts', { ...received, call }, 'before the session had `receipts`'],
  ])('%s', async (_, changed, complaint) => {
    expect(await check(changed as Received)).toContain(complaint);
  });

  it('a call that has lost its deadline in the store', async () => {
    const { deadline: _, ...endless } = received.call;
    expect(await check({ ...received, call: endless })).toContain("another 'deadline'");
  });

  it('any change of the arguments in the store', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (args) => {
        fc.pre((await digestArguments(args)) !== (await digestArguments(call.args)));
        const changed = { ...received.call, args };
        expect(await check({ ...received, call: changed })).toContain('not those that were asked about');
        const digest = await digestArguments(args);
        expect(await check({ ...received, call: { ...changed, digest } })).toContain("another 'args'");
      }),
      { numRuns: caseCount(100) },
    );
  });

  it('the receipt of another server', async () => {
    const receipt = await issueReceipt(createHmacReceipts(createSecret('b')), 'session-1', call);
    expect(await check({ ...received, answer: { ...answer, receipt } })).toContain(
      'was not signed by this server',
    );
  });

  it('the receipt of an answer in place of the receipt of the question', async () => {
    const { args: _, ...fields } = claims;
    const receipt = await receipts.sign({
      ...fields,
      args: await digestArguments(call.args),
      deadline: 60_000,
      type: 'answer',
    } as never);
    expect(await check({ ...received, answer: { ...answer, receipt } })).toContain('was not signed');
  });
});
