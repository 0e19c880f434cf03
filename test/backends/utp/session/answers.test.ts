import { expect, it } from 'vitest';
import { deliverAnswers } from '../../../../src/backends/utp/session/answers.ts';
import type { UtpAnswer } from '../../../../src/backends/utp/to-ending.ts';
import type { ToolCallAnswer } from '../../../../src/core/state/tool-call.ts';
import { outcomes } from '../../../../src/core/tools/outcomes.ts';
import type { AgentToolMessage } from '../../../../src/server/agent.ts';
import { CLOSING, closeOpenCalls, readHistory } from '../../../../src/server/runs/history.ts';
import { answered, type CallRecord, type StoredAnswer } from '../../../../src/server/store/call-record.ts';

const call: CallRecord = {
  ...{ toolCallId: 'c', toolName: 'ask', args: {}, executionId: 'e', turnId: 'e' },
  ...{ executedBy: 'client', stage: 'asked' },
};
const asked = {
  messages: [{ role: 'assistant' as const, content: '', calls: ['c'] }],
  calls: { c: call },
};

/** The answers that the service gets. */
async function delivered(...messages: AgentToolMessage[]): Promise<UtpAnswer[]> {
  const answers: UtpAnswer[] = [];
  const service = {
    answer: async (_: string, { projectId: _project, ...answer }: UtpAnswer) => {
      answers.push(answer);
      return { status: 'accepted' };
    },
  };
  const settings = { service, project: 'p', principal: undefined } as never;
  for await (const event of deliverAnswers(settings, messages)) throw new Error(`${event.type} came`);
  return answers;
}

const message = (fields: Partial<AgentToolMessage>): AgentToolMessage => ({
  role: 'tool',
  toolCallId: 'c',
  toolName: 'ask',
  ...fields,
});

it.each<[string, ToolCallAnswer, UtpAnswer]>([
  ['a cancelled call', outcomes.cancelled(), { outcome: 'cancelled', reason: 'User cancelled' }],
  [
    'a call that was cancelled with a reason',
    outcomes.cancelled('Not now'),
    { outcome: 'cancelled', reason: 'Not now' },
  ],
  [
    'a call whose time ran out',
    outcomes.timedOut(60_000),
    { outcome: 'timed-out', reason: 'Timed out after 60 s without an answer' },
  ],
  [
    'a handler whose error reads like a limit',
    outcomes.failed('Timed out after 3 attempts'),
    { outcome: 'failed', reason: 'Timed out after 3 attempts' },
  ],
  [
    'a declined call',
    outcomes.declined('Too dear', { confirmed: false }),
    {
      outcome: 'declined',
      result: { confirmed: false, outcome: 'declined', reason: 'Too dear' },
      reason: 'Too dear',
    },
  ],
  [
    'a submitted form that has the field outcome',
    outcomes.submitted({ outcome: 'declined', amount: 3 }),
    { outcome: 'submitted', result: { outcome: 'declined', amount: 3 } },
  ],
])('%s reaches CommonGround with its outcome', async (_, answer, expected) => {
  const history = readHistory({
    ...asked,
    calls: { c: answered(call, { at: 1, ...answer } as StoredAnswer) },
  });
  expect(await delivered(history.at(-1) as AgentToolMessage)).toEqual([expected]);
});

it.each([
  ['interrupted', 'aborted'],
  ['stopped', 'aborted'],
  ['superseded', 'superseded'],
] as const)(
  'a call that was closed because its run was %s reaches CommonGround as %s',
  async (why, outcome) => {
    const history = readHistory({ ...asked, calls: closeOpenCalls(asked, CLOSING[why]) });
    expect(await delivered(history.at(-1) as AgentToolMessage)).toMatchObject([{ outcome }]);
  },
);

it.each<[string, Partial<AgentToolMessage>, UtpAnswer]>([
  ['an error', { error: 'Not now' }, { outcome: 'failed', reason: 'Not now' }],
  [
    'a no',
    { result: { outcome: 'declined', reason: 'Too dear' } },
    { outcome: 'declined', result: { outcome: 'declined', reason: 'Too dear' }, reason: 'Too dear' },
  ],
  ['a value', { result: { confirmed: false } }, { outcome: 'submitted', result: { confirmed: false } }],
])('%s of a client that sends no outcome is read once', async (_, fields, expected) => {
  expect(await delivered(message(fields))).toEqual([expected]);
});
