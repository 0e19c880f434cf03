/**
 * Two promises about what people are asked, over random agents, people, processes that die, and changes in the database:
 *
 * - the page, the record, the receipt and the tool agree on every outcome: one word, and one value
 * - no tool runs with arguments that nobody was shown, or without an exact yes of somebody who may give it
 *
 * They guard the exact form of a yes, the digest and the receipt of what was asked, and that who may answer is decided before anything else.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent, PendingToolCall, ToolResult } from '../../src/core/protocol/events.ts';
import { createAgentChat, createHttpTransport } from '../../src/core.ts';
import type { CallRecord } from '../../src/server/store/call-record.ts';
import type { SessionRecord } from '../../src/server/store/session-store.ts';
import { createHmacReceipts, readAnswers, verifyReceipt } from '../../src/server.ts';
import { deepEqual } from '../../src/shared/deep-equal.ts';
import { digestArguments } from '../../src/shared/digest-json.ts';
import { TOOL_OUTCOMES } from '../../src/shared/tool-outcome.ts';
import fc, { caseCount } from '../support/fast-check.ts';
import {
  ADA,
  BOB,
  callsIn,
  EDITED_ARGS,
  type Person,
  PLANTED,
  type Version,
  World,
} from './consent-world.ts';

const receipts = createHmacReceipts('consent'.padEnd(32, '.'));
const TRIGGER = {
  type: 'trigger',
  triggerName: 'user-message',
  input: { USER_MESSAGE: 'Go' },
  idempotencyKey: 'm-1',
};
const PEOPLE: readonly Person[] = [ADA, BOB, undefined];

const ODD_VALUES = [
  ...[false, 'no', 0, null, '', [], {}, { confirmed: 'false' }, { approved: false }, { ok: false }],
  ...[{ error: '' }, true, 'yes', { confirmed: true }, { confirmed: false }, { outcome: 'declined' }],
  ...[{ confirmed: true, reason: 'fine' }, { confirmed: true, outcome: 'declined' }, undefined],
  { confirmed: true, editedArgs: EDITED_ARGS, changedArgs: ['amount'] },
  { confirmed: true, editedArgs: { amount: '9000', due: '2026-03-01' } },
  { confirmed: false, note: 'not yet', password: '' },
];

const step = fc.record({
  kind: fc.constantFrom(
    ...(['yes', 'yes', 'yes', 'edit', 'no', 'cancel', 'odd', 'odd', 'odd', 'odd'] as const),
    ...(['repeat', 'resume', 'open', 'trigger', 'wait', 'deploy', 'deploy'] as const),
    ...(['crash', 'crash', 'tamper', 'late-tamper'] as const),
  ),
  who: fc.constantFrom(0, 0, 0, 1, 1, 2),
  pick: fc.nat(20),
  value: fc.constantFrom(...ODD_VALUES),
  word: fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant('submitted' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...TOOL_OUTCOMES) },
  ),
  isPartial: fc.boolean(),
  version: fc.constantFrom<Version>('same', 'missing', 'changed', 'unruled', 'unruled'),
  saves: fc.integer({ min: 1, max: 5 }),
  isSaved: fc.boolean(),
  withDigest: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const options = fc.record({
  rounds: fc.array(
    fc.array(fc.constantFrom('pay', 'pay', 'survey', 'add', 'choose'), { minLength: 1, maxLength: 3 }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  failing: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
  isSigned: fc.boolean(),
  redacts: fc.boolean(),
  isShared: fc.boolean(),
  expires: fc.boolean(),
});

/** Plays people and fate, then lets Ada bring the conversation to its end. */
async function play(world: World, steps: readonly Step[], isSigned: boolean): Promise<void> {
  await world.request(ADA, TRIGGER);
  for (const one of steps) await act(world, one, isSigned);
  world.deploy('same');
  for (let count = 0; count < 40; count += 1) {
    const snapshot = await world.request(ADA, { type: 'open' });
    const execution = (await world.load())?.execution;
    const isStuck = snapshot.some((event) => event.type === 'error');
    if (execution?.state === 'done' || execution?.state === 'stopped') return;
    if (execution?.state !== 'waiting' || isStuck) await world.request(ADA, TRIGGER);
    else {
      const refused = await answerAll(world, ADA, toYes, false);
      if (refused.some((event) => event.type === 'error' && !event.retryable))
        await world.request(ADA, { type: 'stop' });
    }
  }
  throw new Error('the conversation did not come to its end');
}

async function act(world: World, one: Step, isSigned: boolean): Promise<void> {
  const { kind, who, pick, value, word, isPartial } = one;
  const by = PEOPLE[who];
  const request = lastRequest(world, by);
  const position = { executionId: request.executionId, cursor: 0 };
  switch (kind) {
    case 'yes':
      return void (await answerAll(world, by, toYes, isPartial));
    case 'edit':
      return void (await answerAll(world, by, toEdit, isPartial));
    case 'no':
      return void (await answerAll(
        world,
        by,
        () => ({ outcome: 'declined', reason: 'too much' }),
        isPartial,
      ));
    case 'cancel':
      return void (await answerAll(
        world,
        by,
        () => ({ outcome: 'cancelled', error: 'User cancelled' }),
        isPartial,
      ));
    case 'odd': {
      const call = request.calls[pick % Math.max(1, request.calls.length)];
      const answer: Partial<ToolResult> = {
        ...(value !== undefined && { result: value }),
        ...(word && { outcome: word }),
      };
      return void (call && (await send(world, by, request.executionId, [toResult(call, answer)], true)));
    }
    case 'repeat': {
      const earlier = world.sent[pick % Math.max(1, world.sent.length)];
      const isKnown =
        by !== ADA ||
        world.shown.some(({ to, call }) => to === ADA && call.toolCallId === earlier?.answer.toolCallId);
      return void (
        earlier &&
        isKnown &&
        (await send(world, by, request.executionId, [earlier.answer], true))
      );
    }
    case 'resume':
      return void (await world.request(by, { type: 'resume', ...position }));
    case 'open':
      return void (await world.request(by, { type: 'open' }));
    case 'trigger':
      return void (await world.request(ADA, TRIGGER));
    case 'deploy':
      return world.deploy(one.version);
    case 'crash':
      return world.crash(one.saves, one.isSaved);
    case 'tamper':
      return world.tamper(pick, (call) => raise(call, isSigned && one.withDigest));
    case 'late-tamper':
      // Between the yes and the run.
      world.crash(1, true);
      await answerAll(world, ADA, toYes, isPartial);
      return world.tamper(pick, (call) => raise(call, isSigned));
    case 'wait':
      return world.wait(60_000);
    default:
      return kind satisfies never;
  }
}

/** Without a signature nobody can tell a digest that was made of other arguments from the right one. */
async function raise(call: CallRecord, withDigest: boolean): Promise<CallRecord> {
  const amount = 8_000;
  const args = { ...call.args, amount };
  const input = call.input && { ...call.input, amount };
  return {
    ...call,
    args,
    ...(input && { input }),
    ...(withDigest && { digest: await digestArguments(args) }),
  };
}

type ToAnswer = (call: PendingToolCall) => Partial<ToolResult>;

const isApproval = ({ question }: PendingToolCall) => question?.ui === 'confirm';

const toYes: ToAnswer = (call) => {
  if (isApproval(call))
    return call.toolCallId.endsWith('0') ? { outcome: 'submitted' } : { result: { confirmed: true } };
  // What a person has submitted here is no word, whatever it looks like.
  if (call.question)
    return { outcome: 'submitted', result: { confirmed: false, note: 'not yet', password: PLANTED } };
  return { result: 'blue' };
};

const toEdit: ToAnswer = (call) =>
  isApproval(call)
    ? { outcome: 'submitted', result: { confirmed: true, editedArgs: EDITED_ARGS, changedArgs: ['amount'] } }
    : toYes(call);

function toResult(
  { toolCallId, toolName, receipt }: PendingToolCall,
  answer: Partial<ToolResult>,
): ToolResult {
  return { toolCallId, toolName, ...(receipt && { receipt }), ...answer };
}

async function answerAll(
  world: World,
  by: Person,
  toAnswer: ToAnswer,
  partial: boolean,
): Promise<readonly AgentEvent[]> {
  const { executionId, calls } = lastRequest(world, by);
  if (calls.length === 0) return [];
  return send(
    world,
    by,
    executionId,
    calls.map((call) => toResult(call, toAnswer(call))),
    partial,
  );
}

function send(world: World, by: Person, executionId: string, toolResults: ToolResult[], partial: boolean) {
  return world.request(by, { type: 'continue', executionId, toolResults, ...(partial && { partial }) });
}

/** The calls that Ada has seen last, or that the others may have heard of. */
function lastRequest(world: World, by: Person) {
  const events = by === ADA ? (world.seen.get(ADA) ?? []) : world.events;
  const last = events.findLast((event) => callsIn(event).length > 0);
  const executionId = last !== undefined && 'executionId' in last ? (last.executionId ?? '') : '';
  return { executionId, calls: last ? callsIn(last) : [] };
}

const EXACT_YES = z.strictObject({
  confirmed: z.literal(true),
  editedArgs: z.unknown().optional(),
  changedArgs: z.unknown().optional(),
  remember: z.unknown().optional(),
});

function isExactYes({ outcome, result, error }: ToolResult): boolean {
  if (error) return false;
  if (outcome === 'submitted' && (result === undefined || result === null)) return true;
  return (outcome ?? 'submitted') === 'submitted' && EXACT_YES.safeParse(result).success;
}

/** How an answer can be read: its word, or for an answer without a word what its form says. */
function outcomesOf(call: CallRecord, { outcome, result, error }: ToolResult): readonly string[] {
  const isNo = z.union([
    z.looseObject({ confirmed: z.literal(false) }),
    z.looseObject({ outcome: z.literal('declined') }),
  ]);
  if (call.question?.ui === 'confirm') {
    if (isExactYes({ toolCallId: '', ...(outcome && { outcome }), result, ...(error && { error }) }))
      return ['submitted'];
    if (isNo.safeParse(result).success && (outcome ?? 'submitted') === 'submitted') return ['declined'];
    return outcome !== undefined && outcome !== 'submitted' ? [outcome] : error ? ['cancelled'] : [];
  }
  if (outcome !== undefined) return [outcome];
  if (error) return [call.question ? 'cancelled' : 'failed'];
  return [call.question && deepEqual(result, { outcome: 'declined' }) ? 'declined' : 'submitted'];
}

/** Who may answer: Ada alone may allow a payment, unless the process that asked had no rule. */
function mayAnswer(
  { toolName, mayAnswer: rules = [] }: CallRecord,
  by: { readonly id: string } | undefined,
): boolean {
  return toolName !== 'pay' || !rules.includes('tool') || by?.id === ADA.id;
}

function checkRuns(world: World, { calls }: SessionRecord): void {
  for (const run of world.runs) {
    const call = calls[run.toolCallId] as CallRecord;
    const yes = world.sent
      .slice(0, run.sent)
      .filter(
        ({ by, answer }) => answer.toolCallId === run.toolCallId && mayAnswer(call, by) && isExactYes(answer),
      );
    const shown = world.shown.filter(
      ({ to, call: { toolCallId } }) => toolCallId === run.toolCallId && mayAnswer(call, to),
    );
    const allowed = [
      ...yes.flatMap(
        ({ answer }) => (answer.result as { editedArgs?: unknown } | undefined)?.editedArgs ?? [],
      ),
      ...shown.map(({ call: { args } }) => args),
    ];
    expect(yes, `${run.toolCallId} ran without a yes`).not.toEqual([]);
    expect(
      allowed.some((args) => deepEqual(args, run.args)),
      `${run.toolCallId} ran with ${JSON.stringify(run.args)}`,
    ).toBe(true);
  }
}

async function checkOutcomes(world: World, record: SessionRecord, isSigned: boolean): Promise<void> {
  const read = readAnswers('s', record);
  for (const call of Object.values(record.calls)) {
    const { toolCallId, answer } = call;
    if (answer === undefined) continue;
    const { outcome, answeredBy } = answer;
    if (outcome !== 'expired') {
      expect(mayAnswer(call, answeredBy), `${toolCallId} was answered by ${answeredBy?.id}`).toBe(true);
      const given = world.sent.filter(
        ({ by, answer }) => answer.toolCallId === toolCallId && by?.id === answeredBy?.id,
      );
      expect(given.flatMap((one) => outcomesOf(call, one.answer))).toContain(outcome);
    }
    const ofCall = read.find((one) => one.toolCallId === toolCallId);
    expect(ofCall).toMatchObject({ outcome });
    const proof = isSigned && ofCall ? await verifyReceipt(ofCall, receipts) : undefined;
    if (proof && !world.tampered.has(toolCallId))
      expect(proof).toMatchObject({ valid: true, answer: { outcome } });
    const acknowledged = world.events.flatMap((event) =>
      event.type === 'tool-result-acknowledged' && event.toolCallId === toolCallId ? [event] : [],
    );
    for (const event of acknowledged) expect(event).toMatchObject({ outcome });
    for (const event of acknowledged) expect(event.result).toEqual(answer.result);
    checkAgent(world, call);
    checkTool(world, record, call);
  }
}

function resultsSent(world: World, { toolCallId }: CallRecord): readonly unknown[] {
  return world.sent.flatMap(({ answer }) => (answer.toolCallId === toolCallId ? [answer.result] : []));
}

/** The agent reads the same word and value, once the call has ended by its answer. */
function checkAgent(world: World, call: CallRecord): void {
  const { toolCallId, answer, end, askedBy } = call;
  const message = world.history.find((one) => one.role === 'tool' && one.toolCallId === toolCallId);
  if (message?.role !== 'tool' || askedBy !== undefined || answer === undefined || end?.outcome) return;
  const { outcome } = answer;
  if (call.question?.ui !== 'confirm') {
    expect(message.outcome ?? (message.error === undefined ? 'submitted' : 'failed')).toBe(outcome);
    if (outcome !== 'submitted') return;
    if (!answer.redacted) expect(message.result ?? null).toEqual(answer.result ?? null);
    // The agent gets the whole of what the record has in part, or the part after a crash.
    else expect([...resultsSent(world, call), answer.result]).toContainEqual(message.result);
    return;
  }
  const ran = world.runs.some((run) => run.toolCallId === toolCallId);
  if (outcome !== 'submitted') expect(ran, `${toolCallId} ran`).toBe(false);
  if (world.tampered.has(toolCallId)) return;
  if (outcome === 'declined') expect(message.result).toMatchObject({ confirmed: false });
  else if (!ran) expect(message.error).toEqual(expect.any(String));
}

/** A tool gets from its question what the record has of the answer. */
function checkTool(world: World, { calls }: SessionRecord, question: CallRecord): void {
  const asking = question.askedBy === undefined ? undefined : calls[question.askedBy];
  const step = asking?.steps?.['ask why'];
  if (step?.type !== 'asked' || step.toolCallId !== question.toolCallId || asking?.end?.outcome) return;
  const heard = world.heard.findLast(({ toolCallId }) => toolCallId === asking?.toolCallId);
  // The tool did not run again, because the conversation was stopped.
  if (heard === undefined) return;
  const { outcome, result } = question.answer ?? {};
  expect(heard.outcome).toBe(outcome);
  if (outcome !== 'submitted') return;
  expect(resultsSent(world, question)).toContainEqual(heard.value);
  expect(heard.value).toMatchObject({ confirmed: (result as { confirmed: boolean }).confirmed });
}

/** What a page shows that opens the conversation at last. */
async function checkPage(world: World, record: SessionRecord): Promise<void> {
  const chat = createAgentChat({
    transport: createHttpTransport({
      request: async (payload) => {
        const events = await world.request(ADA, payload);
        const lines = events.map((event) => `data: ${JSON.stringify(event)}\n\n`);
        return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
      },
    }),
  });
  await chat.open?.();
  const parts = chat.getState().messages.flatMap((message) => message.parts);
  for (const { toolCallId, answer, end } of Object.values(record.calls)) {
    const part = parts.find((one) => one.type === 'tool-call' && one.toolCallId === toolCallId);
    if (answer === undefined || end?.outcome || part?.type !== 'tool-call' || part.status === 'running')
      continue;
    expect(part.outcome).toBe(answer.outcome);
    // What a person reads of a call that ran is what ran, and what the agent sent beside it where that differs.
    const ran = world.runs.findLast((run) => run.toolCallId === toolCallId);
    if (ran === undefined || world.tampered.has(toolCallId)) continue;
    expect(part.args).toEqual(ran.args);
    expect(part.originalArgs ?? ran.args).toEqual(record.calls[toolCallId]?.args);
  }
  chat.destroy();
}

type Check = (world: World, record: SessionRecord, isSigned: boolean) => void | Promise<void>;

async function assertAlways(check: Check): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      options,
      fc.array(step, { minLength: 2, maxLength: 14, size: 'max' }),
      async (made, steps) => {
        const { isSigned } = made;
        const world = new World({ ...made, receipts: isSigned ? receipts : undefined });
        await play(world, steps, isSigned);
        await check(world, (await world.load()) as SessionRecord, isSigned);
      },
    ),
    { numRuns: caseCount(60) },
  );
}

describe('whatever agents, people, processes and databases do', () => {
  it('the page, the record, the receipt and the tool agree on every outcome', () =>
    assertAlways(async (world, record, isSigned) => {
      await checkOutcomes(world, record, isSigned);
      await checkPage(world, record);
    }));

  it('no tool runs with arguments that nobody was shown, or without an exact yes of somebody who may', () =>
    assertAlways(checkRuns));

  it('no secret that a person typed is stored or sent to a page', () =>
    assertAlways((world) => {
      const seen = JSON.stringify([world.saved, world.events]);
      expect(seen.includes(PLANTED), 'a secret was stored or sent').toBe(false);
    }));
});
