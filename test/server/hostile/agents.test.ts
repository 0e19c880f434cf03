/** Agents and stores that give what they should not. */
import { expect, it } from 'vitest';
import {
  createAgentSession,
  createMemorySessionStore,
  defineServerTool,
  type ModelEvent,
} from '../../../src/server.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createListAgent, hello, stop, text } from '../support.ts';
import { callTools, done, send, storedArguments } from './support.ts';

it('a call keeps its arguments when a function tool changes those that it gets', async () => {
  const store = createMemorySessionStore();
  const agent = createListAgent(callTools(['pay'], { to: ['ada'] }), done);
  const pay = ({ to }: Record<string, unknown>) => (to as string[]).push('mallory');
  await send(createAgentSession({ id: 's', agent, store, tools: { pay } }), hello);
  expect(await storedArguments(store)).toEqual({ to: ['ada'] });
});

it.each([
  ['an id that is a number', { toolCallId: 5, toolName: 'pay' }],
  ['an empty id', { toolCallId: '', toolName: 'pay' }],
  ['no name', { toolCallId: 'c' }],
  ['an empty name', { toolCallId: 'c', toolName: '' }],
])('an announced call with %s is refused as the output of the agent', async (_, call) => {
  const announced = { type: 'tool-input-available', input: {}, ...call } as never as ModelEvent;
  const agent = createListAgent([announced, { type: 'finish', finishReason: 'tool-calls' }], done);
  const events = await send(createAgentSession({ id: 's', agent }), hello);
  expect(events.at(-1)).toMatchObject({ type: 'error', code: 'invalid_agent_output' });
});

it.each(['client', 'server'])(
  'arguments for a %s that are nested too deeply for the store fail the agent and not the store',
  async (place) => {
    let args: Record<string, unknown> = {};
    for (let depth = 0; depth < 3_000; depth += 1) args = { args };
    const agent = createListAgent(callTools(['pay'], args), done);
    const pay = defineServerTool({ approval: 'always', execute: () => 'paid' });
    const session = createAgentSession({ id: 's', agent, tools: place === 'server' ? { pay } : {} });
    const events = await send(session, hello);
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'agent_failed' });
  },
);

it.each([['2030-01-01T00:00:00Z'], [{}]])(
  'a question of the agent with the deadline %j sets no timer that fires over and over',
  async (deadline) => {
    const clock = createManualClock();
    const question = { ui: 'form', description: 'Why?' };
    const agent = createListAgent(callTools(['ask'], {}, { deadline, question }), done);
    await send(createAgentSession({ id: 's', agent, clock }), hello);
    expect(clock.waiting).toBe(0);
  },
);

it('a turn without calls does not end as one that waits for answers', async () => {
  const agent = createListAgent([...text('Hi'), { type: 'finish', finishReason: 'client-tool-calls' }]);
  const events = await send(createAgentSession({ id: 's', agent }), hello);
  expect(events.at(-1)).toMatchObject(stop);
});

it.each([[undefined], [0], [null]])(
  'a step is not done when the save of its store resolves to %j',
  async (saved) => {
    const save = async () => saved as never;
    const paid: unknown[] = [];
    const pay = defineServerTool({ execute: (args, { once }) => once('pay', () => paid.push(args)) });
    const agent = createListAgent(callTools(['pay']), done);
    const store = { ...createMemorySessionStore(), save };
    const events = await send(createAgentSession({ id: 's', agent, store, tools: { pay } }), hello);
    expect(events).toMatchObject([{ type: 'error', code: 'session_conflict' }]);
    expect(paid).toEqual([]);
  },
);
