import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { AgentContext, ModelEvent } from '../../../src/server/agent.ts';
import { type AgentSession, createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { collect, createTestClock, settle } from '../support.ts';

const ROUNDS = 3;

/** Calls two client tools and one server tool per round, and throws as soon as its history breaks the exactly-once rule. */
function createWatchingAgent() {
  const seen = new Map<string, unknown>();
  const problems: string[] = [];
  let invocations = 0;
  async function* agent({ messages }: AgentContext): AsyncGenerator<ModelEvent> {
    invocations += 1;
    const called = messages.flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    );
    const answers = messages.filter((message) => message.role === 'tool');
    const ids = answers.map((answer) => answer.toolCallId);
    if (new Set(ids).size !== ids.length) problems.push(`answered twice: ${ids.join()}`);
    if (called.map((call) => call.toolCallId).join() !== ids.join())
      problems.push(`not all answered: ${ids.join()}`);
    for (const answer of answers) {
      const value = answer.error ?? answer.result;
      if (seen.has(answer.toolCallId) && seen.get(answer.toolCallId) !== value)
        problems.push('an answer changed');
      seen.set(answer.toolCallId, value);
    }
    const round = called.length / 3 + 1;
    yield { type: 'text-start', id: `t${round}` };
    yield { type: 'text-delta', id: `t${round}`, delta: 'word' };
    yield { type: 'text-end', id: `t${round}` };
    if (round > ROUNDS) return;
    const toolCalls = ['ask', 'add', 'look'].map((toolName) => ({
      toolCallId: `${toolName}-${round}`,
      toolName,
      args: {},
    }));
    yield { type: 'tool-request', toolCalls };
  }
  return { agent, seen, problems, count: () => invocations };
}

/** The next action of a well-behaved, an impatient or a hostile client. `take`: events it reads before it goes away. */
const step = fc.record({
  kind: fc.constantFrom('answer', 'repeat', 'partial', 'forged', 'wrong-execution', 'changed', 'resume'),
  take: fc.option(fc.nat(12), { nil: Number.POSITIVE_INFINITY }),
  leave: fc.constantFrom('return', 'abort'),
  together: fc.boolean(),
  window: fc.constantFrom(0, 1_000),
});
type Step = { kind: string; take: number; leave: string; together: boolean; window: number };

describe('any requests of clients in any order', () => {
  it('the agent sees each accepted answer exactly once, unchanged, and never a forged one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const watch = createWatchingAgent();
        const clock = createTestClock();
        const session = createAgentSession({
          id: 's',
          agent: watch.agent,
          tools: { add: () => 'sum' },
          clock,
        });
        const client = await createClient(session);
        const running: Promise<void>[] = [];
        for (const next of steps) {
          const done = client.act(next);
          if (next.together) running.push(done);
          else await done;
        }
        await Promise.all(running);
        // Runs go on without a reader, until they wait for answers.
        await settle();
        clock.advance(2_000);
        await settle();
        await client.finish();

        expect(watch.problems).toEqual([]);
        expect([...watch.seen.values()].filter((value) => value === 'forged')).toEqual([]);
        expect([...watch.seen].sort()).toEqual(
          Array.from({ length: ROUNDS }, (_, index) => [
            [`add-${index + 1}`, 'sum'],
            [`ask-${index + 1}`, `mine ask-${index + 1}`],
            [`look-${index + 1}`, `mine look-${index + 1}`],
          ])
            .flat()
            .sort(),
        );
      }),
      { numRuns: caseCount(50) },
    );
  });
});

async function createClient(session: AgentSession) {
  const known: AgentEvent[] = [];
  const note = (event: AgentEvent) => void known.push(event);
  for (const event of await collect(session.execute({ type: 'trigger', triggerName: 'go' }))) note(event);
  const executionId = known[0]?.type === 'start' ? (known[0].executionId ?? '') : '';
  const results = (round: number, prefix = 'mine') =>
    ['ask', 'look'].map((name) => ({ toolCallId: `${name}-${round}`, result: `${prefix} ${name}-${round}` }));
  const lastRound = () => known.filter((event) => event.type === 'client-tool-request').length;
  const answer = (round: number, toolResults: object[] = results(round)) => ({
    type: 'continue',
    executionId,
    toolResults,
  });
  const cursor = () => String(Math.max(...known.map((event) => Number(event.cursor ?? 0))));
  const resume = () => ({ type: 'resume', executionId, cursor: cursor() });

  function payloadOf(kind: string): object {
    const round = new Set(
      known.flatMap((event) =>
        event.type === 'client-tool-request' ? [event.toolCalls[0]?.toolCallId] : [],
      ),
    ).size;
    switch (kind) {
      case 'answer':
        return answer(round);
      case 'repeat':
        return answer(Math.max(1, round - 1));
      case 'partial':
        return answer(round, results(round).slice(1));
      case 'forged':
        return answer(round, [...results(round), { toolCallId: `ask-${round + 1}`, result: 'forged' }]);
      case 'wrong-execution':
        return { ...answer(round, [{ toolCallId: `ask-${round}`, result: 'forged' }]), executionId: 'other' };
      case 'changed':
        return answer(
          Math.max(1, round - 1),
          [
            { toolCallId: `ask-${Math.max(1, round - 1)}`, result: 'forged' },
            { toolCallId: `look-${Math.max(1, round - 1)}`, result: 'forged' },
            { toolCallId: `add-${round}`, result: 'forged' },
          ].slice(0, round > 1 ? 3 : 1),
        );
      default:
        return resume();
    }
  }
  return {
    async act({ kind, take, leave, window }: Step): Promise<void> {
      const controller = new AbortController();
      const events = session.execute(payloadOf(kind), { signal: controller.signal, resumeWindowMs: window });
      let count = 0;
      for await (const event of events) {
        // A refusal is not an event of the run, so its client does not learn it.
        if (event.cursor !== undefined) note(event);
        count += 1;
        if (count > take) {
          if (leave === 'abort') controller.abort();
          break;
        }
      }
    },
    /** Acts like a well-behaved client until the turn is over. */
    async finish(): Promise<void> {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const state = await collect(session.execute(resume()));
        for (const event of state) if (event.cursor !== undefined) note(event);
        const last = state.at(-1);
        if (last?.type === 'finish' && last.finishReason === 'stop') return;
        for (let round = ROUNDS; round >= 1; round -= 1) {
          for (const event of await collect(session.execute(answer(round)))) if (event.cursor) note(event);
        }
      }
      throw new Error(`the turn never ended, ${lastRound()} requests seen`);
    },
  };
}
