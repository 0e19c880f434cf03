/** The rules of section "Adapter": how a tool of the agent asks the browser, and how the answer comes back. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../../../src/backends/standard-agents/server/define-tool.ts';
import { standardAgentsKit } from '../../../../../src/backends/standard-agents/server/kit/standard-agents-kit.ts';
import { createMemoryThreadStore } from '../../../../../src/backends/standard-agents/server/thread-store.ts';
import { settle } from '../../../../server/support.ts';
import { createDeferred } from '../../../../support/deferred.ts';
import { call, openRuntime, outline, readThread, say } from '../open-runtime.ts';
import { customEvents, openKit, TOOLS } from './open-kit.ts';

const ASK = call('confirm', { text: 'Sure?' });
const WAITING =
  'Waiting for the user. The answer will come as the result of client_tool_answer with the id confirm-1. Do not call confirm again for it.';
const NOW = Date.UTC(2026, 0, 1);

describe('asking', () => {
  test('a call is stored, announced as a custom event, listed as pending, and the execution stops', async () => {
    const { createThread, send, follow, pending, messages, contexts, json } = openKit([ASK]);
    const id = await createThread();
    const frames = await follow(id);
    await send(id, 'Delete it');
    expect(customEvents(frames)).toEqual([
      ['client_tool_request', { id: 'confirm-1', name: 'confirm', args: { text: 'Sure?' } }],
    ]);
    expect(await pending(id)).toEqual([
      { id: 'confirm-1', name: 'confirm', args: { text: 'Sure?' }, requestedAt: NOW },
    ]);
    expect(outline(await messages(id))).toEqual([
      'user: Delete it',
      'assistant: [confirm]',
      `tool: ${WAITING}`,
    ]);
    expect(contexts).toHaveLength(1);
    expect((await json('GET', `/${id}`))[1].status).toBe('idle');
  });

  test('a call is stored under its key in the values of the thread', async () => {
    const store = createMemoryThreadStore();
    const { createThread, send } = openKit([ASK], { runtime: { store } });
    const id = await createThread();
    await send(id, 'Delete it');
    expect((await readThread(store, id)).values).toMatchObject({
      'clienttool:confirm-1': {
        status: 'pending',
        name: 'confirm',
        args: { text: 'Sure?' },
        requestedAt: NOW,
      },
    });
  });

  test('the model is told of each client tool with its description and arguments', async () => {
    const { createThread, send, contexts } = openKit([[say('Hi')]]);
    await send(await createThread(), 'Hi');
    expect(contexts[0]?.tools).toEqual([
      {
        name: 'confirm',
        description: 'Asks for a yes.',
        parameters: expect.objectContaining({ required: ['text'] }),
      },
      {
        name: 'pick',
        description: 'Asks for a file.',
        parameters: expect.objectContaining({ required: ['kind'] }),
      },
      { name: 'client_tool_answer', description: expect.any(String), parameters: expect.any(Object) },
    ]);
  });

  test('arguments that the schema refuses never reach the browser', async () => {
    const { createThread, send, pending, messages } = openKit([call('confirm', { text: 1 }), [say('Sorry')]]);
    const id = await createThread();
    await send(id, 'Delete it');
    expect(await pending(id)).toEqual([]);
    expect((await messages(id))[2]).toMatchObject({
      tool_status: 'error',
      content: expect.stringMatching(/text/),
    });
  });

  test('two equal calls of one message are two calls', async () => {
    const twice = [...call('confirm', { text: 'Sure?' }, 'a'), ...call('confirm', { text: 'Sure?' }, 'b')];
    const { createThread, send, pending } = openKit([twice]);
    const id = await createThread();
    await send(id, 'Delete both');
    expect((await pending(id)).map((entry: { id: string }) => entry.id)).toEqual(['a', 'b']);
  });

  test('a tool that the application queues asks the browser as well', async () => {
    const { createThread, ask, rest, pending } = openKit([], {
      runtime: {
        packedEndpoints: [
          {
            'queue.post.ts': async (_, state) => {
              await state.queueTool('confirm', { text: 'Sure?' });
              return new Response();
            },
          },
        ],
      },
    });
    const id = await createThread();
    await ask('POST', `/${id}/queue`);
    await rest(id);
    expect(await pending(id)).toMatchObject([{ name: 'confirm', args: { text: 'Sure?' } }]);
  });

  test('a model that uses an id again asks again, and does not get the earlier answer', async () => {
    const { createThread, send, answer, rest, pending, messages } = openKit([ASK, ASK, [say('Done')]]);
    const id = await createThread();
    await send(id, 'Go');
    await answer(id, 'confirm-1', { outcome: 'submitted', result: 1 });
    await rest(id);
    const [again] = await pending(id);
    expect(again).toMatchObject({ name: 'confirm', id: expect.not.stringMatching(/^confirm-1$/) });
    await answer(id, again.id, { outcome: 'submitted', result: 2 });
    await rest(id);
    expect(outline(await messages(id)).slice(-2)).toEqual(['tool: 2', 'assistant: Done']);
  });
});

describe('answering', () => {
  test('an answer is accepted, announced, and brought to the agent, which goes on', async () => {
    const { createThread, send, follow, answer, rest, messages, pending, contexts } = openKit([
      ASK,
      [say('Deleted')],
    ]);
    const id = await createThread();
    await send(id, 'Delete it');
    const frames = await follow(id);
    expect(await answer(id, 'confirm-1', { outcome: 'submitted', result: { confirmed: true } })).toEqual([
      200,
      { status: 'accepted', outcome: 'submitted' },
    ]);
    await rest(id);
    expect(customEvents(frames)).toEqual([
      ['client_tool_answered', { id: 'confirm-1', outcome: 'submitted' }],
    ]);
    expect(await pending(id)).toEqual([]);
    expect(outline(await messages(id))).toEqual([
      'user: Delete it',
      'assistant: [confirm]',
      `tool: ${WAITING}`,
      'assistant: [client_tool_answer]',
      'tool: {"confirmed":true}',
      'assistant: Deleted',
    ]);
    expect(contexts).toHaveLength(2);
  });

  test('of two answers the first wins, and the second gets 409 with the outcome of the first', async () => {
    const { createThread, send, answer, rest, messages } = openKit([ASK, [say('Kept')]]);
    const id = await createThread();
    await send(id, 'Delete it');
    const both = await Promise.all([
      answer(id, 'confirm-1', { outcome: 'declined', reason: 'Not mine' }),
      answer(id, 'confirm-1', { outcome: 'submitted', result: true }),
    ]);
    const refusal = [409, { error: expect.any(String), code: 'already_answered', outcome: 'declined' }];
    expect(both).toEqual([[200, { status: 'accepted', outcome: 'declined' }], refusal]);
    await rest(id);
    expect(await answer(id, 'confirm-1', { outcome: 'declined' })).toEqual(refusal);
    await rest(id);
    const results = (await messages(id)).filter(({ name }) => name === 'client_tool_answer');
    expect(results.map(({ content }) => content)).toEqual(['{"outcome":"declined","reason":"Not mine"}']);
  });

  test('an unknown call gets 404 with a code, and a server without the kit a 404 without one', async () => {
    const { createThread, answer } = openKit([]);
    const id = await createThread();
    expect(await answer(id, 'other', { outcome: 'submitted' })).toEqual([
      404,
      { error: 'This thread has no call other.', code: 'unknown_call' },
    ]);
    const bare = openRuntime();
    const path = `/${await bare.createThread()}/client-tools/other`;
    expect(await bare.json('POST', path, { outcome: 'submitted' })).toEqual([404, null]);
  });

  test('a call of one thread cannot be answered in another, and not by another user', async () => {
    const { createThread, send, answer, json, pending } = openKit([ASK]);
    const id = await createThread();
    await send(id, 'Delete it');
    expect(await answer(await createThread(), 'confirm-1', { outcome: 'submitted' })).toMatchObject([
      404,
      { code: 'unknown_call' },
    ]);
    const path = `/${id}/client-tools/confirm-1`;
    expect(await json('POST', path, { outcome: 'submitted' }, 'eve')).toMatchObject([
      404,
      { code: 'unknown_thread' },
    ]);
    expect(await pending(id)).toHaveLength(1);
  });

  test.each([
    [{ outcome: 'yes' }, /^outcome must be .*, got "yes"/],
    [{}, /^outcome must be/],
    [{ outcome: 'expired' }, /^outcome must be/],
    [{ outcome: 'declined', reason: 7 }, /^reason must be a string/],
    [{ outcome: 'submitted', editedArgs: 'x' }, /^editedArgs must be an object/],
    [{ outcome: 'submitted', editedArgs: { text: 7 } }, /^editedArgs are invalid: text:/],
    [[], /^The body must be a JSON object/],
  ])('the answer %j is refused with the reason, and the call stays pending', async (body, error) => {
    const { createThread, send, answer, pending } = openKit([ASK]);
    const id = await createThread();
    await send(id, 'Delete it');
    expect(await answer(id, 'confirm-1', body)).toEqual([
      400,
      { error: expect.stringMatching(error), code: 'invalid_request' },
    ]);
    expect(await pending(id)).toHaveLength(1);
  });

  test('the agent goes on once, after the last of several answers, in the order of its calls', async () => {
    const calls = [...call('confirm', { text: 'A' }, 'a'), ...call('confirm', { text: 'B' }, 'b')];
    const { createThread, send, answer, rest, messages, contexts } = openKit([calls, [say('Done')]]);
    const id = await createThread();
    await send(id, 'Both');
    await answer(id, 'b', { outcome: 'submitted', result: 'second' });
    await rest(id);
    expect(contexts).toHaveLength(1);
    await answer(id, 'a', { outcome: 'submitted', result: 'first' });
    await rest(id);
    expect(outline(await messages(id)).slice(-4)).toEqual([
      'assistant: [client_tool_answer] [client_tool_answer]',
      'tool: "first"',
      'tool: "second"',
      'assistant: Done',
    ]);
    expect(contexts).toHaveLength(2);
  });

  test('an answer that comes while a later call of the message runs reaches the agent after that call', async () => {
    const gate = createDeferred();
    const slow = defineTool({
      description: 'd',
      async execute() {
        await gate.promise;
        return { status: 'success', result: 'slow' };
      },
    });
    const steps = [[...call('confirm', { text: 'A' }, 'a'), ...call('slow')], [say('Done')]];
    const { createThread, ask, answer, rest, messages, contexts } = openKit(steps, { serverTools: { slow } });
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    expect((await answer(id, 'a', { outcome: 'submitted', result: 'early' }))[0]).toBe(200);
    gate.resolve();
    await rest(id);
    expect(outline(await messages(id)).slice(3)).toEqual([
      'tool: slow',
      'assistant: [client_tool_answer]',
      'tool: "early"',
      'assistant: Done',
    ]);
    expect(contexts).toHaveLength(2);
  });

  test('the agent may look an answer up again, and is told when there is none', async () => {
    const look = (id: string) => call('client_tool_answer', { id }, `look-${id}`);
    const { createThread, send, answer, rest, messages } = openKit([
      ASK,
      look('confirm-1'),
      [...look('none'), ...call('confirm', { text: 'B' }, 'b'), ...look('b')],
    ]);
    const id = await createThread();
    await send(id, 'Go');
    await answer(id, 'confirm-1', { outcome: 'submitted', result: 'yes' });
    await rest(id);
    const found = (await messages(id)).filter(({ tool_call_id = '' }) => tool_call_id.startsWith('look-'));
    expect(outline(found)).toEqual([
      'tool: "yes"',
      'tool error: There is no call with the id none',
      'tool error: The user has not answered yet. Wait for the answer.',
    ]);
  });
});

describe('outcomes', () => {
  test.each([
    [{ outcome: 'submitted', result: { a: [1] } }, 'tool: {"a":[1]}'],
    [{ outcome: 'submitted', result: 'text' }, 'tool: "text"'],
    [{ outcome: 'submitted' }, 'tool: null'],
    [
      { outcome: 'submitted', result: true, editedArgs: { text: 'B' } },
      'tool: {"result":true,"editedArgs":{"text":"B"}}',
    ],
    [{ outcome: 'declined' }, 'tool: {"outcome":"declined"}'],
    [{ outcome: 'declined', reason: 'No' }, 'tool: {"outcome":"declined","reason":"No"}'],
    [
      { outcome: 'declined', reason: 'No', result: { confirmed: false, outcome: 'other' } },
      'tool: {"confirmed":false,"outcome":"declined","reason":"No"}',
    ],
    [{ outcome: 'cancelled' }, 'tool error: User cancelled'],
    [{ outcome: 'cancelled', reason: 'Went home' }, 'tool error: Went home'],
    [{ outcome: 'timed-out', reason: '' }, 'tool error: Timed out without an answer'],
    [{ outcome: 'superseded' }, 'tool error: Superseded by a new message'],
    [{ outcome: 'failed', reason: 'No camera' }, 'tool error: No camera'],
    [{ outcome: 'failed' }, 'tool error: The tool failed in the browser without a message'],
  ])('the answer %j becomes the result %j', async (body, result) => {
    const { createThread, send, answer, rest, messages } = openKit([ASK, [say('Fine')]]);
    const id = await createThread();
    await send(id, 'Go');
    await answer(id, 'confirm-1', body);
    await rest(id);
    expect(outline(await messages(id)).at(-2)).toBe(result);
  });

  test('an aborted call is closed, and the agent is not started for it', async () => {
    const { createThread, send, answer, rest, pending, contexts } = openKit([ASK]);
    const id = await createThread();
    await send(id, 'Go');
    expect(await answer(id, 'confirm-1', { outcome: 'aborted' })).toEqual([
      200,
      { status: 'accepted', outcome: 'aborted' },
    ]);
    await rest(id);
    expect(await pending(id)).toEqual([]);
    expect(contexts).toHaveLength(1);
  });

  test('an answer that waited for an aborted call does not start the agent', async () => {
    const calls = [...call('confirm', { text: 'A' }, 'a'), ...call('confirm', { text: 'B' }, 'b')];
    const { createThread, send, answer, rest, contexts } = openKit([calls]);
    const id = await createThread();
    await send(id, 'Both');
    await answer(id, 'a', { outcome: 'submitted', result: 1 });
    await answer(id, 'b', { outcome: 'aborted' });
    await rest(id);
    expect(contexts).toHaveLength(1);
  });

  test('stop closes the pending calls and drops answers that waited for them, and the agent rests', async () => {
    const calls = [...call('confirm', { text: 'A' }, 'a'), ...call('confirm', { text: 'B' }, 'b')];
    const { createThread, send, ask, answer, follow, rest, pending, contexts } = openKit([calls]);
    const id = await createThread();
    await send(id, 'Both');
    await answer(id, 'a', { outcome: 'submitted', result: 1 });
    const frames = await follow(id);
    expect((await ask('POST', `/${id}/stop`)).status).toBe(202);
    expect(customEvents(frames)).toEqual([['client_tool_answered', { id: 'b', outcome: 'aborted' }]]);
    expect(await answer(id, 'b', { outcome: 'submitted' })).toMatchObject([409, { outcome: 'aborted' }]);
    expect(await pending(id)).toEqual([]);
    await rest(id);
    expect(contexts).toHaveLength(1);
  });
});

test('a call that is done is no longer looked up when a page asks for the pending calls', async () => {
  const store = createMemoryThreadStore();
  const second = call('confirm', { text: 'More?' }, 'confirm-2');
  const { createThread, send, answer, rest } = openKit([ASK, second], { runtime: { store } });
  const id = await createThread();
  await send(id, 'Go');
  await answer(id, 'confirm-1', { outcome: 'submitted' });
  await rest(id);
  expect((await readThread(store, id)).values.clienttools).toEqual(['confirm-2']);
});

describe('deadlines', () => {
  const PICK = call('pick', { kind: 'photo' });

  test('a call with a deadline announces it', async () => {
    const { createThread, send, follow, pending } = openKit([PICK]);
    const id = await createThread();
    const frames = await follow(id);
    await send(id, 'Go');
    const expected = { id: 'pick-1', name: 'pick', args: { kind: 'photo' }, deadline: NOW + 60_000 };
    expect(customEvents(frames)).toEqual([['client_tool_request', expected]]);
    expect(await pending(id)).toEqual([{ ...expected, requestedAt: NOW }]);
  });

  test('at its deadline a call times out and the agent goes on, even if no page is open', async () => {
    const { clock, createThread, send, answer, follow, rest, messages } = openKit([
      PICK,
      [say('Later then')],
    ]);
    const id = await createThread();
    await send(id, 'Go');
    const frames = await follow(id);
    await clock.advance(60_000);
    expect(customEvents(frames)).toEqual([]);
    await clock.advance(1);
    expect(customEvents(frames)).toEqual([['client_tool_answered', { id: 'pick-1', outcome: 'timed-out' }]]);
    await rest(id);
    expect(outline(await messages(id)).slice(-2)).toEqual([
      'tool error: Timed out after 60 s without an answer',
      'assistant: Later then',
    ]);
    expect(await answer(id, 'pick-1', { outcome: 'submitted' })).toMatchObject([
      409,
      { outcome: 'timed-out' },
    ]);
  });

  test.each(['the list of pending calls', 'an answer that is too late'])(
    'after a restart %s ends a call whose deadline has passed',
    async (visit) => {
      const store = createMemoryThreadStore();
      const before = openKit([PICK], { runtime: { store } });
      const id = await before.createThread();
      await before.send(id, 'Go');
      const after = openKit([[say('Later then')]], { runtime: { store } });
      await after.clock.advance(60_000);
      if (visit === 'the list of pending calls') expect(await after.pending(id)).toEqual([]);
      else
        expect(await after.answer(id, 'pick-1', { outcome: 'submitted' })).toMatchObject([
          409,
          { outcome: 'timed-out' },
        ]);
      await after.rest(id);
      expect(outline(await after.messages(id)).at(-2)).toBe(
        'tool error: Timed out after 60 s without an answer',
      );
    },
  );

  test('an answer before the deadline counts, and the deadline changes nothing then', async () => {
    const { clock, createThread, send, answer, rest, contexts, pending } = openKit([PICK, [say('Nice')]]);
    const id = await createThread();
    await send(id, 'Go');
    await clock.advance(59_999);
    expect((await answer(id, 'pick-1', { outcome: 'submitted', result: 'photo.png' }))[0]).toBe(200);
    await rest(id);
    await clock.advance(10);
    await rest(id);
    expect(contexts).toHaveLength(2);
    expect(await pending(id)).toEqual([]);
  });
});

describe('the mode blocking', () => {
  test('the tool waits, endpoints answer meanwhile, and its result is the answer', async () => {
    const { clock, createThread, ask, json, answer, rest, messages, pending } = openKit(
      [ASK, [say('Deleted')]],
      {
        mode: 'blocking',
      },
    );
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Delete it' });
    await settle();
    expect((await json('GET', `/${id}`))[1].status).toBe('running');
    expect(await pending(id)).toHaveLength(1);
    expect((await answer(id, 'confirm-1', { outcome: 'submitted', result: true }))[0]).toBe(200);
    await clock.advance(500);
    await rest(id);
    expect(outline(await messages(id))).toEqual([
      'user: Delete it',
      'assistant: [confirm]',
      'tool: true',
      'assistant: Deleted',
    ]);
    expect(clock.waiting).toBe(0);
  });

  test('a blocking tool ends at its deadline', async () => {
    const { clock, createThread, ask, rest, messages } = openKit(
      [call('pick', { kind: 'photo' }), [say('Later')]],
      {
        mode: 'blocking',
      },
    );
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    await clock.advance(60_500);
    await rest(id);
    expect(outline(await messages(id)).slice(-2)).toEqual([
      'tool error: Timed out after 60 s without an answer',
      'assistant: Later',
    ]);
  });

  test('stop closes the call and ends the waiting', async () => {
    const { clock, createThread, ask, answer, rest, messages, pending } = openKit([ASK], {
      mode: 'blocking',
    });
    const id = await createThread();
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    await ask('POST', `/${id}/stop`);
    await rest(id);
    expect(outline(await messages(id)).at(-1)).toBe('tool error: Stopped by the user');
    expect(await pending(id)).toEqual([]);
    expect(await answer(id, 'confirm-1', { outcome: 'submitted' })).toMatchObject([
      409,
      { outcome: 'aborted' },
    ]);
    await clock.advance(500);
    expect(clock.waiting).toBe(0);
  });

  test('the kit has no answer tool then', () => {
    expect(Object.keys(standardAgentsKit({ tools: TOOLS, mode: 'blocking' }).tools)).toEqual([
      'confirm',
      'pick',
    ]);
  });
});

test.each([
  [{ when: { description: 'd', args: z.object({ at: z.date() }) } }, /args\.at is a ZodDate/],
  [{ when: { description: '' } }, /description must be a text/],
  [{ client_tool_answer: { description: 'd' } }, /client_tool_answer is the name of the kit's own tool/],
])('standardAgentsKit refuses the tools %j', (tools, message) => {
  expect(() => standardAgentsKit({ tools })).toThrow(message);
});
