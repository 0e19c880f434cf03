/** Any conversation of any calls: the agent gets exactly one answer to each call, and the right one. */

import { describe, expect, it } from 'vitest';
import fc, { caseCount } from '../../support/fast-check.ts';
import type { AnyCall, BackendKind } from '../backend.ts';
import { openChat, readText } from '../open-chat.ts';

/** The way a call is answered. The tool name contains it, so that the test can predict the answer. */
const WAYS = ['server', 'auto', 'throws', 'missing', 'submit', 'decline', 'cancel'] as const;
type Way = (typeof WAYS)[number];

interface Plan {
  /** Rounds of calls, each a batch. */
  readonly rounds: readonly (readonly Way[])[];
  /** The message after the rounds. */
  readonly ending: 'end' | 'stop' | 'supersede';
}

const plans: fc.Arbitrary<readonly Plan[]> = fc.array(
  fc.record({
    rounds: fc.array(fc.array(fc.constantFrom(...WAYS), { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
    ending: fc.constantFrom('end', 'end', 'stop', 'supersede'),
  }),
  { minLength: 1, maxLength: 3 },
);

export function describeRandomConversations(kind: BackendKind): void {
  describe(`random conversations: ${kind.name}`, () => {
    it('each call of a random conversation has exactly one answer, and the right one', async () => {
      await fc.assert(
        fc.asyncProperty(plans, async (turns) => {
          await converse(kind, turns);
        }),
        { numRuns: caseCount(10) },
      );
    }, 60_000);
  });
}

async function converse(kind: BackendKind, turns: readonly Plan[]): Promise<void> {
  const backend = await kind.open(
    ({ text }) => {
      const { rounds, ending } = turns[Number(text)] ?? { rounds: [], ending: 'end' };
      const responses = rounds.map((ways, round) => [
        `${round} `,
        ...ways.map((call): AnyCall => ({ call, args: { round } })),
      ]);
      return ending === 'end' ? [...responses, ['end']] : [...responses, [{ call: 'wait' }], ['never sent']];
    },
    { server: ({ round }) => ({ server: round }) },
  );
  const { chat, callbacks, until, close } = openChat(backend, {
    auto: async ({ round }) => ({ auto: round }),
    throws: ({ round }) => {
      throw new Error(`threw ${round}`);
    },
    submit: 'interactive',
    decline: 'interactive',
    cancel: 'interactive',
    wait: 'interactive',
  });
  // Every open question is answered at once.
  chat.subscribe(() => {
    const { submit = [], decline = [], cancel = [] } = chat.getState().pendingClientTools;
    for (const tool of submit) tool.submit({ submit: tool.args.round });
    for (const tool of decline) tool.decline(`declined ${tool.args.round}`);
    for (const tool of cancel) tool.cancel(`cancelled ${tool.args.round}`);
  });
  const expected: unknown[] = [];
  for (const [index, { rounds, ending }] of turns.entries()) {
    await chat.sendMessage(String(index), { whilePending: 'cancel' });
    await until(({ status, pendingClientTools }) => status === 'idle' || 'wait' in pendingClientTools);
    if (ending === 'end') expect(readText(chat.getState())).toMatch(/end$/);
    if (ending === 'stop') chat.stop();
    expected.push(...rounds.flatMap((ways, round) => ways.map((way) => foretell(way, round))));
    const isLast = index === turns.length - 1;
    if (ending === 'supersede' && !isLast) expected.push({ error: 'Superseded by a new message' });
  }
  const transcript = await backend.readTranscript();
  const answers = transcript.flatMap((line) => ('answer' in line ? [line] : []));
  const calls = transcript.flatMap((line) => ('call' in line ? [line] : []));
  const received = calls
    .filter(({ toolName }) => toolName !== 'wait')
    .map(({ call }) => answers.filter(({ answer }) => answer === call).map(({ answer: _, ...rest }) => rest));
  const leaked = calls
    .filter(({ toolName }) => toolName === 'wait')
    .flatMap(({ call }) => answers.filter(({ answer, result }) => answer === call && result !== undefined));
  expect(received.flat()).toEqual(expected.filter((answer) => !isSuperseded(answer)));
  expect(received.every((given) => given.length === 1)).toBe(true);
  expect(answers.filter(isSuperseded)).toHaveLength(expected.filter(isSuperseded).length);
  expect(leaked).toEqual([]);
  expect([backend.refusals, callbacks.filter((line) => line.startsWith('error'))]).toEqual([[], []]);
  await close();
}

const isSuperseded = (answer: unknown) =>
  (answer as { error?: string }).error === 'Superseded by a new message';

function foretell(way: Way, round: number): object {
  switch (way) {
    case 'server':
    case 'auto':
    case 'submit':
      return { result: { [way]: round } };
    case 'throws':
      return { error: `threw ${round}` };
    case 'missing':
      return { error: 'No client handler for tool: missing' };
    case 'decline':
      return { result: { outcome: 'declined', reason: `declined ${round}` } };
    case 'cancel':
      return { error: `cancelled ${round}` };
    default:
      return way satisfies never;
  }
}
