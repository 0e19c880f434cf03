/** Rules of the app under attack: rules that are gone, that change what they get, and that were given in a wrong form. */
import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  createAgentSession,
  createMemorySessionStore,
  defineServerTool,
  handleAgentRequest,
  type MayAnswer,
  serveSocket,
} from '../../../src/server.ts';
import { createListAgent, hello, requestIn, stop, text } from '../support.ts';
import { ADA, answerAll, BOB, callTools, done, send, storedArguments } from './support.ts';

const adaOnly: MayAnswer = (person) => person.id === ADA.id;

it.each(['session', 'tool'])(
  'a call that was asked under a rule of the %s takes no answer in a process that lost the rule',
  async (owner) => {
    const store = createMemorySessionStore();
    const agent = createListAgent(callTools(['pay']), done);
    const paid: unknown[] = [];
    const tool = { approval: 'always' as const, execute: (args: unknown) => paid.push(args) };
    const guarded = { ...tool, ...(owner === 'tool' && { mayAnswer: adaOnly }) };
    const before = createAgentSession({
      ...{ id: 's', agent, store, tools: { pay: defineServerTool(guarded) } },
      ...(owner === 'session' && { mayAnswer: adaOnly }),
    });
    const asked = await send(before, hello, BOB);
    const after = createAgentSession({ id: 's', agent, store, tools: { pay: defineServerTool(tool) } });
    expect(await send(after, answerAll(asked), BOB)).toMatchObject([{ type: 'error', code: 'not_allowed' }]);
    expect(paid).toEqual([]);
  },
);

it('a tool runs with the arguments of the call when its approval rule changes those that it gets', async () => {
  const ran: unknown[] = [];
  const pay = defineServerTool({
    input: z.object({ to: z.array(z.string()) }),
    approval: ({ to }) => to.pop() === 'nobody',
    execute: (args) => ran.push(args),
  });
  const agent = createListAgent(callTools(['pay'], { to: ['ada', 'bob'] }), done);
  await send(createAgentSession({ id: 's', agent, tools: { pay } }), hello);
  expect(ran).toEqual([{ to: ['ada', 'bob'] }]);
});

it('a call keeps its arguments when mayAnswer changes those that it gets', async () => {
  const store = createMemorySessionStore();
  const agent = createListAgent(callTools(['ask'], { to: ['ada'] }), done);
  const mayAnswer: MayAnswer = (_person, { args }) => (args.to as string[]).push('mallory') > 0;
  const session = createAgentSession({ id: 's', agent, store, mayAnswer });
  const asked = await send(session, hello, BOB);
  expect(requestIn(asked).toolCalls).toMatchObject([{ args: { to: ['ada'] } }]);
  await send(session, answerAll(asked, { result: 1 }), BOB);
  expect(await storedArguments(store)).toEqual({ to: ['ada'] });
});

it('a person whom mayOpen keeps out reads nothing of the run that their answer opens', async () => {
  const agent = createListAgent(callTools(['pay']), [...text('The diagnosis is'), stop]);
  const pay = defineServerTool({ approval: 'always', mayAnswer: adaOnly, execute: () => 'paid' });
  const session = createAgentSession({
    id: 's',
    agent,
    tools: { pay },
    mayOpen: (person) => person.id === BOB.id,
  });
  const asked = await send(session, hello, BOB);
  const events = await send(session, answerAll(asked), ADA);
  expect(events[0]).toMatchObject({ type: 'start' });
  expect(JSON.stringify(events)).not.toContain('diagnosis');
  expect(agent.contexts).toHaveLength(2);
});

it.each([
  ['a person', ADA],
  ['a text', 'ada'],
  ['null', null],
  ['optional: false', { optional: false, read: () => undefined }],
  ['no read', { optional: true }],
])('a route whose principal is %s lets nobody in without a name', async (_, principal) => {
  const agent = createListAgent(done);
  const session = createAgentSession({ id: 's', agent });
  const headers = { 'content-type': 'application/json' };
  const request = new Request('http://server/', { method: 'POST', headers, body: JSON.stringify(hello) });
  await expect(
    handleAgentRequest(request, () => session, { principal: principal as never }),
  ).rejects.toMatchObject({ code: 'invalid_options' });
  expect(agent.contexts).toEqual([]);
});

it.each([
  ['a mistyped approval', { aproval: 'always' }],
  ['null as mayAnswer', { mayAnswer: null }],
])('a session refuses a tool that no defineServerTool has checked, with %s', (_, guard) => {
  const tool = { execute: () => 'paid', ...guard } as never;
  const open = () => createAgentSession({ id: 's', agent: createListAgent(done), tools: { pay: tool } });
  expect(open).toThrow(expect.objectContaining({ code: 'invalid_options' }));
});

it('a question inside a call that a person has edited shows the edited arguments, and its rule gets them', async () => {
  const seen: unknown[] = [];
  const pay = defineServerTool({
    ...{
      approval: 'always',
      editable: true,
      input: z.object({ amount: z.number(), pin: z.string().meta({ format: 'password' }) }),
    },
    mayAnswer: (_person, { args }) => seen.push(args) > 0,
    execute: async (_args, { ask }) => ask({ message: 'Pay it?' }),
  });
  const agent = createListAgent(callTools(['pay'], { amount: 80, pin: '' }), done);
  const session = createAgentSession({ id: 's', agent, tools: { pay } });
  const asked = await send(session, hello, BOB);
  seen.length = 0;
  const editedArgs = { amount: 5_000, pin: 'hunter2' };
  const question = await send(session, answerAll(asked, { result: { confirmed: true, editedArgs } }), BOB);
  expect(requestIn(question).toolCalls).toMatchObject([{ args: { amount: 5_000 } }]);
  expect(seen.at(-1)).toEqual({ amount: 5_000 });
  expect(JSON.stringify(question)).not.toContain('hunter2');
});

it.each([
  ['optional: false', { optional: false, read: () => undefined }],
  ['no read', { optional: true }],
])('a socket whose principal is %s is not served', (_, principal) => {
  const socket = { send: () => {}, addEventListener: () => {} };
  const session = createAgentSession({ id: 's', agent: createListAgent(done) });
  const serve = () => serveSocket(socket, session, { principal: principal as never, heartbeatMs: 0 });
  expect(serve).toThrow(expect.objectContaining({ code: 'invalid_options' }));
});
