/** Turns and sessions (specification 0.15, `SideConfig`): who goes on, when a turn ends, and when a session does. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type {
  AgentDefinition,
  DualAgentDefinition,
  SideConfig,
} from '../../../../src/backends/standard-agents/server/agent-definition.ts';
import { defineTool } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import type { ThreadState } from '../../../../src/backends/standard-agents/server/thread-state.ts';
import { createMemoryThreadStore } from '../../../../src/backends/standard-agents/server/thread-store.ts';
import { validateToolName } from '../../../../src/backends/standard-agents/server/validate-tool-name.ts';
import { settle } from '../../../server/support.ts';
import { call, createScriptedModel, type ModelStep, openRuntime, outline, say } from './open-runtime.ts';

const look = defineTool({ description: 'd', execute: () => ({ status: 'success', result: 'seen' }) });
const finish = defineTool({
  description: 'd',
  args: z.object({ text: z.string(), isOk: z.boolean().default(true) }),
  execute: (_, { text, isOk }) =>
    isOk
      ? { status: 'success', result: JSON.stringify({ said: text }) }
      : { status: 'error', error: 'not yet' },
});
const tools = { look, finish };

async function start(steps: ModelStep[], more: Partial<AgentDefinition> = {}) {
  const scripted = createScriptedModel(...steps);
  const agent: AgentDefinition = { type: 'ai_human', model: scripted.model, tools, ...more };
  const opened = openRuntime({
    agents: { helper: agent },
    endpoints: {
      'queue.ts': async (_, state) => {
        await state.queueTool('look');
        return new Response();
      },
    },
  });
  const id = await opened.createThread();
  const thread = async () => (await opened.json('GET', `/${id}`))[1];
  return { ...opened, ...scripted, id, thread };
}

const looks = (count: number) =>
  Array.from({ length: count }, (_, index) => call('look', {}, `look-${index}`));

describe('a turn', () => {
  test('ends after as many steps as maxSteps allows, and the next message begins to count anew', async () => {
    const { send, messages, thread, contexts, id } = await start([...looks(2), ...looks(1), [say('Done')]], {
      maxSteps: 2,
    });
    await send(id, 'Go');
    expect(outline(await messages(id)).slice(1)).toEqual([
      'assistant: [look]',
      'tool: seen',
      'assistant: [look]',
      'tool: seen',
    ]);
    expect(await thread()).toMatchObject({
      status: 'idle',
      session: {
        status: 'failed',
        message: 'The model has been asked 2 times in one turn, the most that maxSteps allows',
      },
    });
    await send(id, 'Again');
    expect([contexts.length, (await thread()).session]).toEqual([4, undefined]);
  });

  test('counts no calls that the application queued, nor the steps of a turn that a response has ended', async () => {
    const { ask, send, rest, contexts, id } = await start([[say('One')], [say('Two')], [say('Three')]], {
      maxSteps: 1,
    });
    await send(id, 'Go');
    for (let round = 0; round < 2; round += 1) {
      await ask('GET', `/${id}/queue`);
      await rest(id);
    }
    expect(contexts).toHaveLength(3);
  });

  test('with stopOnResponse: false goes on after a message, until its stop tool has given the message', async () => {
    const finishing = call('finish', { text: 'All of it' });
    const steps = [
      [say('Thinking')],
      call('finish', { text: '', isOk: false }, 'no'),
      finishing,
      [say('Next')],
      call('finish', { text: 'More' }, 'f2'),
    ];
    const settings = { stopOnResponse: false, stopTool: 'finish', stopToolResponseProperty: 'said' };
    const { send, messages, contexts, id } = await start(steps, settings);
    await send(id, 'Go');
    expect(outline(await messages(id)).slice(1)).toEqual([
      ...['assistant: Thinking', 'assistant: [finish]', 'tool error: not yet'],
      ...['assistant: [finish]', 'tool: {"said":"All of it"}', 'assistant: All of it'],
    ]);
    expect(contexts).toHaveLength(3);
    await send(id, 'More');
    expect(outline(await messages(id)).at(-1)).toBe('assistant: More');
  });

  test('tells its tools how many steps there were', async () => {
    const seen: unknown[] = [];
    const count = defineTool({
      description: 'd',
      execute: ({ execution }) => {
        seen.push([execution?.stepCount, execution?.currentSide]);
        return { status: 'success' };
      },
    });
    const { send, id } = await start([call('count'), call('count', {}, 'c2'), [say('Done')]], {
      tools: { count },
    });
    await send(id, 'Go');
    expect(seen).toEqual([
      [1, 'a'],
      [2, 'a'],
    ]);
  });
});

describe('a session', () => {
  test.each<[string, Partial<SideConfig>, object]>([
    ['sessionStop', { sessionStop: 'finish' }, { status: 'completed', message: '{"said":"Bye"}' }],
    [
      'sessionStop with a property',
      { sessionStop: { name: 'finish', messageProperty: 'text' } },
      { status: 'completed', message: 'Bye' },
    ],
    [
      'sessionFail',
      { sessionFail: { name: 'finish', messageProperty: 'text' } },
      { status: 'failed', message: 'Bye' },
    ],
  ])('ends by %s, once the calls of the message have their results', async (_, bindings, session) => {
    const { send, messages, thread, contexts, id } = await start(
      [[...call('finish', { text: 'Bye' }), ...call('look')], [say('Hi')]],
      bindings,
    );
    await send(id, 'Go');
    expect(outline(await messages(id)).slice(-2)).toEqual(['tool: {"said":"Bye"}', 'tool: seen']);
    expect([contexts.length, (await thread()).session]).toEqual([1, session]);
    await send(id, 'Hello again');
    expect([outline(await messages(id)).at(-1), (await thread()).session]).toEqual([
      'assistant: Hi',
      undefined,
    ]);
  });

  test('goes on after a session tool that failed, and after one that only says how it stands', async () => {
    const steps = [call('finish', { text: 'no', isOk: false }), call('look'), [say('Done')]];
    const { send, thread, contexts, id } = await start(steps, {
      sessionStop: 'finish',
      sessionStatus: 'look',
    });
    await send(id, 'Go');
    expect([contexts.length, await thread()]).toEqual([
      3,
      expect.objectContaining({ session_status: 'seen' }),
    ]);
    expect((await thread()).session).toBeUndefined();
  });
});

describe('a dual_ai agent', () => {
  /** Two sides that take their steps by turns. */
  function pair(
    a: ModelStep[],
    b: ModelStep[],
    more: Partial<DualAgentDefinition> & { a?: Partial<SideConfig>; b?: Partial<SideConfig> } = {},
  ) {
    const [one, other] = [createScriptedModel(...a), createScriptedModel(...b)];
    const { a: moreA, b: moreB, ...rest } = more;
    const agent: DualAgentDefinition = {
      type: 'dual_ai',
      sideA: { model: one.model, tools, label: 'writer', ...moreA },
      sideB: {
        model: other.model,
        tools,
        label: 'reviewer',
        sessionStop: { name: 'finish', messageProperty: 'text' },
        ...moreB,
      },
      ...rest,
    };
    return { agents: { helper: agent }, a: one.contexts, b: other.contexts };
  }

  test('takes turns: each side sees the other as its user, and nothing of its tools', async () => {
    const { agents, a, b } = pair(
      [[say('Draft')], [say('Better')]],
      [call('look'), [say('Shorter')], call('finish', { text: 'Good' })],
    );
    const { createThread, send, messages, json } = openRuntime({ agents });
    const id = await createThread();
    await send(id, 'Write');
    expect(outline(b[1]?.messages ?? [])).toEqual([
      'user: Write',
      'user: Draft',
      'assistant: [look]',
      'tool: seen',
    ]);
    expect(outline(a[1]?.messages ?? [])).toEqual(['user: Write', 'assistant: Draft', 'user: Shorter']);
    const rows = await messages(id);
    expect(rows.map(({ name }) => name)).toEqual([
      undefined,
      'writer',
      'reviewer',
      'look',
      'reviewer',
      'writer',
      'reviewer',
      'finish',
    ]);
    expect((await json('GET', `/${id}`))[1]).toMatchObject({
      status: 'idle',
      session: { status: 'completed', message: 'Good' },
    });
  });

  test('ends as failed after maxSessionTurns turns', async () => {
    const { agents, a, b } = pair([[say('1')], [say('3')]], [[say('2')]], { maxSessionTurns: 3 });
    const { createThread, send, json } = openRuntime({ agents });
    const id = await createThread();
    await send(id, 'Talk');
    expect([a.length, b.length]).toEqual([2, 1]);
    expect((await json('GET', `/${id}`))[1].session).toEqual({
      status: 'failed',
      message: 'The session has had 3 turns, the most that maxSessionTurns allows',
    });
  });

  test('ends as failed when a side is asked too often in its turn', async () => {
    const { agents, b } = pair(looks(3), [], { a: { maxSteps: 2 } });
    const { createThread, send, json } = openRuntime({ agents });
    const id = await createThread();
    await send(id, 'Talk');
    expect(b).toEqual([]);
    expect((await json('GET', `/${id}`))[1].session).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('2 times'),
    });
  });

  test('goes on with the side whose turn it was when the process died', async () => {
    const store = createMemoryThreadStore();
    const stuck = pair(
      [[say('Draft')]],
      [
        async function* () {
          await new Promise(() => {});
          yield say('');
        },
      ],
    );
    const before = openRuntime({ agents: stuck.agents, store });
    const id = await before.createThread();
    await before.ask('POST', `/${id}/messages`, { role: 'user', content: 'Write' });
    await settle();
    expect(stuck.b).toHaveLength(1);
    const { agents, a } = pair([], [call('finish', { text: 'Fine' })]);
    const after = openRuntime({ agents, store });
    await after.rest(id);
    expect([a.length, (await after.json('GET', `/${id}`))[1].session.message]).toEqual([0, 'Fine']);
  });

  test('a tool of the side that called it runs, and knows the side', async () => {
    const sides: unknown[] = [];
    const which = (name: string) =>
      defineTool({
        description: 'd',
        execute: (state: ThreadState) => {
          sides.push([name, state.execution?.currentSide]);
          return { status: 'success' };
        },
      });
    const { agents } = pair([call('which'), [say('1')]], [call('which'), call('finish', { text: 'ok' })], {
      a: { tools: { which: which('of a') } },
      b: { tools: { which: which('of b'), finish } },
    });
    const { createThread, send } = openRuntime({ agents });
    await send(await createThread(), 'Go');
    expect(sides).toEqual([
      ['of a', 'a'],
      ['of b', 'b'],
    ]);
  });
});

test.each([
  ['set_token-2', null],
  ['provider:web_search', /reserved prefix/],
  ['mcp:files', /reserved prefix/],
  ['', /1 to 64 letters/],
  ['orders.create', /Rename the tool/],
  ['a'.repeat(65), /1 to 64 letters/],
])('validateToolName of %j', (name, fault) => {
  const found = validateToolName(name);
  if (fault === null) expect(found).toBeNull();
  else expect(found).toMatch(fault);
});
