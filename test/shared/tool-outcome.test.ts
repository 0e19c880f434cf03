import { describe, expect, it } from 'vitest';
import { createApprovalNo, createApprovalYes } from '../../src/shared/approval-answers.ts';
import {
  type CarriedAnswer,
  isApprovalYes,
  readOutcome,
  readReason,
  TOOL_OUTCOMES,
  type ToolOutcome,
} from '../../src/shared/tool-outcome.ts';
import fc, { caseCount } from '../support/fast-check.ts';

const approval = { from: 'approval' } as const;
const person = { from: 'person' } as const;
const handler = { from: 'handler' } as const;

describe('readOutcome of an approval', () => {
  it.each<[string, CarriedAnswer]>([
    ['false', { result: false }],
    ['"no"', { result: 'no' }],
    ['0', { result: 0 }],
    ['null', { result: null }],
    ['an empty text', { result: '' }],
    ['[]', { result: [] }],
    ['{}', { result: {} }],
    ['{ confirmed: "false" }', { result: { confirmed: 'false' } }],
    ['{ approved: false }', { result: { approved: false } }],
    ['{ ok: false }', { result: { ok: false } }],
    ['{ error: "" }', { result: { error: '' } }],
    ['an empty error', { error: '' }],
    ['nothing', {}],
    ['true', { result: true }],
    ['"yes"', { result: 'yes' }],
    ['[{ confirmed: true }]', { result: [{ confirmed: true }] }],
    ['{ confirmed: 1 }', { result: { confirmed: 1 } }],
    ['a yes with more than a yes', { result: { confirmed: true, sure: false } }],
  ])('readOutcome cannot read %s without a word for the outcome', (_, answer) => {
    expect(readOutcome(answer, approval)).toBeUndefined();
    if (answer.result === null || answer.result === undefined) return;
    expect(readOutcome({ ...answer, outcome: 'submitted' }, approval)).toBeUndefined();
  });

  it.each<[string, CarriedAnswer, ToolOutcome]>([
    ['an exact yes', { result: { confirmed: true } }, 'submitted'],
    [
      'a yes to changed arguments',
      { result: createApprovalYes({ editedArgs: { amount: 1 }, changedArgs: ['amount'], remember: true }) },
      'submitted',
    ],
    ['the word submitted without a result', { outcome: 'submitted' }, 'submitted'],
    ['the word submitted with null', { outcome: 'submitted', result: null }, 'submitted'],
    ['the word submitted with a yes', { outcome: 'submitted', result: { confirmed: true } }, 'submitted'],
    ['the word submitted with a no', { outcome: 'submitted', result: { confirmed: false } }, 'declined'],
    ['a no', { result: createApprovalNo() }, 'declined'],
    ['a no with a reason', { result: { ...createApprovalNo(), reason: 'Too dear' } }, 'declined'],
    ['the earlier form of a no', { result: { outcome: 'declined' } }, 'declined'],
    ['the word declined with a yes', { outcome: 'declined', result: { confirmed: true } }, 'declined'],
    ['an error', { error: 'User cancelled' }, 'cancelled'],
    ['the word cancelled', { outcome: 'cancelled', error: 'Not now' }, 'cancelled'],
    ['a limit that ran out', { outcome: 'timed-out', error: 'Timed out' }, 'timed-out'],
  ])('readOutcome reads %s', (_, answer, outcome) => {
    expect(readOutcome(answer, approval)).toBe(outcome);
  });

  it.each([approval, person, handler])(
    'readOutcome cannot read a word that is no outcome, asked %j',
    (asked) => {
      const answer = { outcome: 'sumbitted' as ToolOutcome, result: { confirmed: true } };
      expect(readOutcome(answer, asked)).toBeUndefined();
    },
  );

  it('readOutcome reads no answer of a page that could not show the question', () => {
    expect(readOutcome({ outcome: 'failed', error: 'No dialog' }, approval)).toBeUndefined();
  });

  it('readOutcome reads an approval as submitted only from an exact yes', () => {
    const near = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          confirmed: fc.oneof(fc.boolean(), fc.jsonValue()),
          outcome: fc.constantFrom(...TOOL_OUTCOMES, 'yes'),
          editedArgs: fc.jsonValue(),
          remember: fc.boolean(),
          approved: fc.boolean(),
          ok: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    );
    const answers = fc.record(
      {
        outcome: fc.constantFrom(...TOOL_OUTCOMES),
        result: near,
        error: fc.string(),
        reason: fc.string(),
      },
      { requiredKeys: [] },
    );
    const keys = ['confirmed', 'editedArgs', 'changedArgs', 'remember'];
    let yeses = 0;
    fc.assert(
      fc.property(answers, (answer) => {
        if (readOutcome(answer, approval) !== 'submitted') return;
        yeses += 1;
        const { outcome, result, error } = answer;
        const isExact =
          typeof result === 'object' &&
          result !== null &&
          (result as { confirmed?: unknown }).confirmed === true &&
          Object.keys(result).every((key) => keys.includes(key));
        const isBare = outcome === 'submitted' && (result === undefined || result === null);
        expect([undefined, 'submitted']).toContain(outcome);
        expect(error ?? '').toBe('');
        expect(isExact || isBare).toBe(true);
      }),
      { numRuns: caseCount(2_000) },
    );
    expect(yeses).toBeGreaterThan(0);
  });
});

describe('readOutcome of a question to a person', () => {
  it.each(TOOL_OUTCOMES)('readOutcome takes the word %s as it is carried', (outcome) => {
    const result = { confirmed: false, outcome: 'declined' };
    expect(readOutcome({ outcome, result }, person)).toBe(outcome);
    expect(readOutcome({ outcome, error: 'User cancelled' }, handler)).toBe(outcome);
  });

  it.each<[string, CarriedAnswer]>([
    ['a value with confirmed: false', { result: { confirmed: false, note: 'not yet' } }],
    ['a value with the outcome declined and more', { result: { outcome: 'declined', amount: 3 } }],
    ['false', { result: false }],
    ['null', { result: null }],
  ])('readOutcome reads %s as submitted where no word is carried', (_, answer) => {
    expect(readOutcome(answer, person)).toBe('submitted');
  });

  it.each([
    { outcome: 'declined', reason: 'Too dear' },
    { outcome: 'declined', confirmed: false, remember: true },
  ])(
    'readOutcome reads the earlier no %j as declined only where it is no value that was asked for',
    (result) => {
      const answer = { result };
      expect(readOutcome(answer, { ...person, allows: () => false })).toBe('declined');
      expect(readOutcome(answer, { ...person, allows: () => true })).toBe('submitted');
    },
  );

  it('readOutcome reads no value with other fields as the earlier no', () => {
    const refuses = { ...person, allows: () => false };
    expect(readOutcome({ result: { outcome: 'declined', amount: 3 } }, refuses)).toBe('submitted');
  });

  it('readOutcome reads an error as cancelled by a person, and as failed in a handler', () => {
    expect(readOutcome({ error: 'Not now' }, person)).toBe('cancelled');
    expect(readOutcome({ error: 'Not now' }, handler)).toBe('failed');
  });
});

describe('readReason', () => {
  it.each<[string, CarriedAnswer, ToolOutcome | undefined, string | undefined]>([
    [
      'the reason that is carried',
      { outcome: 'declined', reason: 'a', result: { reason: 'b' } },
      'declined',
      'a',
    ],
    [
      'the reason in the earlier form of a no',
      { result: { outcome: 'declined', reason: 'b' } },
      'declined',
      'b',
    ],
    ['the error of an earlier client that cancelled', { error: 'Not now' }, 'cancelled', 'Not now'],
    ['nothing in a value with such a field', { result: { reason: 'b' } }, 'submitted', undefined],
    ['nothing in the error of a handler', { error: 'no network' }, 'failed', undefined],
    [
      'nothing in the error text for the model',
      { outcome: 'cancelled', error: 'User cancelled' },
      'cancelled',
      undefined,
    ],
  ])('readReason finds %s', (_, answer, outcome, reason) => {
    expect(readReason(answer, outcome)).toBe(reason);
  });
});

describe('the answers to an approval', () => {
  it('a yes is exact, whatever the person has changed', () => {
    expect(createApprovalYes()).toEqual({ confirmed: true });
    expect(isApprovalYes(createApprovalYes({ editedArgs: {}, changedArgs: [] }))).toBe(true);
    expect(createApprovalYes({ remember: undefined })).toStrictEqual({ confirmed: true });
  });
});
