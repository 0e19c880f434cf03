import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { signAnswer, verifyReceipt } from '../../../src/server/receipts/answer-receipt.ts';
import type { AnswerRecord } from '../../../src/server/receipts/answer-record.ts';
import { createHmacReceipts } from '../../../src/server/receipts/create-hmac-receipts.ts';
import { createJwtReceipts } from '../../../src/server/receipts/create-jwt-receipts.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { createSecret, recordAnswer } from './support.ts';

const receipts = createHmacReceipts(createSecret('a'));
const record = await recordAnswer(receipts);
const throughStore = (stored: AnswerRecord): AnswerRecord => JSON.parse(JSON.stringify(stored));

describe('verifyReceipt proves', () => {
  it('a record after it was stored, and says what was asked and answered', async () => {
    expect(await verifyReceipt(throughStore(record), receipts)).toMatchObject({
      valid: true,
      question: { sessionId: 'session-1', toolCallId: 'call-1', toolName: 'refund', deadline: 60_000 },
      answer: { outcome: 'submitted', answeredBy: { id: 'kim', name: 'Kim' }, answeredAt: 2_000 },
    });
  });

  it.each<Partial<AnswerRecord>>([
    {
      outcome: 'expired',
      result: undefined as never,
      answeredBy: undefined as never,
      shown: undefined as never,
    },
    { outcome: 'cancelled', result: undefined as never, error: 'User cancelled' },
    { outcome: 'declined', result: { outcome: 'declined', confirmed: false } },
    { result: undefined as never },
    { result: null },
    { result: 0 },
    { answeredBy: { id: 'kim' } },
  ])('a record with %j', async (change) => {
    expect(await verifyReceipt(throughStore(await recordAnswer(receipts, change)), receipts)).toMatchObject({
      valid: true,
    });
  });

  it('a record that its auditor verifies with the public key alone', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const name = { alg: 'ES256', kid: 'one' };
    const publicKeys = [{ ...(await exportJWK(publicKey)), ...name }];
    const server = createJwtReceipts({
      privateKey: { ...(await exportJWK(privateKey)), ...name },
      publicKeys,
    });
    const proof = await verifyReceipt(await recordAnswer(server), createJwtReceipts({ publicKeys }));
    expect(proof).toMatchObject({ valid: true });
  });
});

describe('verifyReceipt refuses', () => {
  it('a record in which any field was changed', async () => {
    const changed = fc
      .constantFrom(...(Object.keys(record) as (keyof AnswerRecord)[]), 'error')
      .chain((name) =>
        fc.tuple(
          fc.constant(name),
          name === 'args' ? fc.dictionary(fc.string(), fc.jsonValue()) : fc.jsonValue(),
        ),
      );
    await fc.assert(
      fc.asyncProperty(changed, async ([name, value]) => {
        fc.pre(JSON.stringify(value) !== JSON.stringify(record[name as keyof AnswerRecord]));
        const other = { ...record, [name]: value } as AnswerRecord;
        expect(await verifyReceipt(other, receipts)).toMatchObject({ valid: false });
      }),
      { numRuns: caseCount(300) },
    );
  });

  it.each(Object.keys(record) as (keyof AnswerRecord)[])('a record that has lost its %s', async (name) => {
    const { [name]: _, ...rest } = record;
    const verified = verifyReceipt({ args: {}, ...rest } as AnswerRecord, receipts);
    expect(await verified).toMatchObject({ valid: false, reason: expect.stringMatching(/^The r.*\.$/) });
  });

  it.each<[string, Partial<AnswerRecord>, string]>([
    ['other arguments', { args: { orderId: 'ord_1', amount: 8_000 } }, "another 'args'"],
    ['another kind of question', { isApproval: true }, "another 'isApproval'"],
    ['another person', { answeredBy: { id: 'eve', name: 'Kim' } }, "another 'answeredBy'"],
    ['another outcome', { outcome: 'declined' }, "another 'outcome'"],
    ['another result', { result: { confirmed: true, reason: 'bored' } }, "another 'value'"],
    ['another time', { answeredAt: 3_000 }, "another 'answeredAt'"],
  ])('a record with %s, and says so', async (_, change, complaint) => {
    expect(await verifyReceipt({ ...record, ...change }, receipts)).toEqual({
      valid: false,
      reason: expect.stringContaining(complaint),
    });
  });

  it('the receipt of an answer to another question', async () => {
    const other = await recordAnswer(receipts, { receipt: await receipts.sign({} as never) });
    expect(
      await verifyReceipt({ ...record, answerReceipt: other.answerReceipt as string }, receipts),
    ).toEqual({
      valid: false,
      reason: "The receipt of the answer is for another answer: it has another 'receipt'.",
    });
  });

  it('the receipt of the question in place of the receipt of the answer', async () => {
    const { receipt = '' } = record;
    expect(await verifyReceipt({ ...record, answerReceipt: receipt }, receipts)).toEqual({
      valid: false,
      reason: 'The receipt of the answer has no valid signature.',
    });
  });

  it('two receipts in each other’s place', async () => {
    const { receipt = '', answerReceipt = '' } = record;
    const swapped = { ...record, receipt: answerReceipt, answerReceipt: receipt };
    expect(await verifyReceipt(swapped, receipts)).toMatchObject({ valid: false });
  });

  it('a record that another server signed', async () => {
    const forged = await recordAnswer(createHmacReceipts(createSecret('b')));
    expect(await verifyReceipt(forged, receipts)).toMatchObject({ valid: false });
  });

  it('an answer to a question that was asked without receipts', async () => {
    const { receipt: _, ...bare } = record;
    expect(
      await verifyReceipt({ ...bare, answerReceipt: await signAnswer(receipts, bare) }, receipts),
    ).toEqual({
      valid: false,
      reason: 'The record has no receipt, so nothing proves it.',
    });
  });
});
