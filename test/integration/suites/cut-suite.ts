/** Any conversation whose connection is cut at any places: no handler runs twice, no call gets two answers. */

import { describe, expect, it } from 'vitest';
import fc, { caseCount } from '../../support/fast-check.ts';
import type { AgentStep, BackendKind } from '../backend.ts';
import { openChat, readText } from '../open-chat.ts';

/** The places in a round where the connection is cut, each once. */
const PLACES = ['before-text', 'after-text', 'in-handler', 'at-answer', 'after-answer'] as const;
type Place = (typeof PLACES)[number];

interface Round {
  readonly calls: readonly ('auto' | 'ask' | 'server')[];
  readonly cuts: readonly Place[];
}

const rounds: fc.Arbitrary<readonly Round[]> = fc.array(
  fc.record({
    calls: fc.array(fc.constantFrom('auto', 'ask', 'server'), { minLength: 1, maxLength: 3 }),
    cuts: fc.uniqueArray(fc.constantFrom(...PLACES), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 3 },
);

export function describeCuts(kind: BackendKind): void {
  describe(`connections cut anywhere: ${kind.name}`, () => {
    it('each handler runs once per call, each call has at most one answer, and the chat continues, wherever connections are cut', async () => {
      await fc.assert(
        fc.asyncProperty(rounds, (plan) => converse(kind, plan)),
        { numRuns: caseCount(10) },
      );
    }, 60_000);
  });
}

async function converse(kind: BackendKind, plan: readonly Round[]): Promise<void> {
  const due = new Set(plan.flatMap(({ cuts }, round) => cuts.map((place) => `${round} ${place}`)));
  const cutAt = (round: unknown, place: Place) => {
    if (due.delete(`${round} ${place}`)) backend.cut();
  };
  const toResponse = ({ calls }: Round, round: number): readonly AgentStep[] => [
    { hold: async () => cutAt(round, 'before-text') },
    `${round} `,
    { hold: async () => cutAt(round, 'after-text') },
    ...calls.map((call) => ({ call, args: { round } })),
  ];
  const backend = await kind.open(
    ({ text }) => (text === 'go' ? [...plan.map(toResponse), ['end']] : [['Hello.']]),
    { server: ({ round }) => ({ server: round }) },
  );
  const ran: string[] = [];
  const { chat, until, callbacks, close } = openChat(backend, {
    auto: async ({ round }, { toolCallId }) => {
      ran.push(toolCallId);
      cutAt(round, 'in-handler');
      return { auto: round };
    },
    ask: 'interactive',
  });
  chat.subscribe(() => {
    for (const tool of chat.getState().pendingClientTools.ask ?? []) {
      cutAt(tool.args.round, 'at-answer');
      if (tool.submit({ ask: tool.args.round }).settled) cutAt(tool.args.round, 'after-answer');
    }
  });
  await chat.sendMessage('go');
  for (let attempts = 0; ; attempts += 1) {
    const { error } = await until(({ status }) => status === 'idle' || status === 'error');
    if (!error?.retryable || attempts === 20) break;
    await chat.retry();
  }
  const state = chat.getState();
  const transcript = await backend.readTranscript();
  const answers = transcript.flatMap((line) => ('answer' in line ? [line.answer] : []));
  expect(new Set(ran).size).toBe(ran.length);
  expect(new Set(answers).size).toBe(answers.length);
  if (kind.keepsRuns) {
    expect({ status: state.status, error: state.error?.message, callbacks }).toMatchObject({
      status: 'idle',
    });
    expect(readText(state)).toMatch(/end$/);
    if (kind.resumes) expect(readText(state)).toBe(`${plan.map((_, round) => `${round} `).join('')}end`);
    expect(backend.refusals).toEqual([]);
  }
  await chat.sendMessage('hello');
  expect(readText(chat.getState())).toBe('Hello.');
  await close();
}
