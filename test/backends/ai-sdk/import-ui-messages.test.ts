import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { importUIMessages } from '../../../src/backends/ai-sdk/server/import-ui-messages.ts';
import { toModelMessages } from '../../../src/server/ai-sdk/to-model-messages.ts';
import { readHistory } from '../../../src/server/runs/history.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { toUIMessages } from '../../../src/server/sessions/to-ui-messages.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { createListAgent, requestIn, run, stop, text } from '../../server/support.ts';

const user = (id: string, said: string, more: Partial<UIMessage> = {}): UIMessage => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text: said }],
  ...more,
});
const assistant = (id: string, ...parts: UIMessage['parts']): UIMessage => ({ id, role: 'assistant', parts });
const call = (part: object) =>
  ({ type: 'tool-pay', toolCallId: 'c1', input: { amount: 3 }, ...part }) as never;
const openApproval = call({ state: 'approval-requested', approval: { id: 'a1' } });

const shown = (messages: readonly UIMessage[], options?: Parameters<typeof importUIMessages>[1]) =>
  importUIMessages(messages, options).then(({ record }) => toUIMessages(record));

/** A session over a store that has the imported record. */
async function openImported(
  messages: readonly UIMessage[],
  options?: Parameters<typeof importUIMessages>[1],
  approval: 'always' | 'never' = 'always',
) {
  const store = createMemorySessionStore();
  const { record } = await importUIMessages(messages, options);
  await store.save('s', record);
  const paid: unknown[] = [];
  const pay = defineServerTool({
    title: 'Pay back',
    input: z.object({ amount: z.number() }),
    approval,
    execute: async (args) => paid.push(args),
  });
  const agent = createListAgent([...text('Done.'), stop]);
  return { session: createAgentSession({ id: 's', agent, store, tools: { pay } }), store, paid, agent };
}

describe('importUIMessages', () => {
  it('keeps ids, texts and metadata of the messages', async () => {
    const messages = [
      user('m1', 'My name is Ann.', { metadata: { from: 'phone' } }),
      { ...assistant('m2', { type: 'text', text: 'Hello Ann.' }), metadata: { createdAt: 5, rating: 4 } },
    ];
    expect(await shown(messages)).toMatchObject([
      { id: 'm1', role: 'user', parts: [{ text: 'My name is Ann.' }], metadata: { from: 'phone' } },
      { id: 'm2', role: 'assistant', parts: [{ text: 'Hello Ann.' }], metadata: { createdAt: 5, rating: 4 } },
    ]);
    expect((await shown(messages))[1]?.createdAt).toEqual(new Date(5));
  });

  it('keeps the id of an assistant that spoke first', async () => {
    expect(await shown([assistant('hi', { type: 'text', text: 'Hi!' }), user('m1', 'Hello')])).toMatchObject([
      { id: 'hi', role: 'assistant' },
      { id: 'm1', role: 'user' },
    ]);
  });

  it('keeps the files of a person for the page and for the agent', async () => {
    const file = {
      type: 'file',
      mediaType: 'text/plain',
      url: 'data:text/plain;base64,QQ==',
      filename: 'a.txt',
    } as const;
    const messages = [user('m1', 'Look', { parts: [file, { type: 'text', text: 'Look' }] })];
    const { record, notCarried } = await importUIMessages(messages);
    expect(toUIMessages(record)[0]?.parts).toMatchObject([{ type: 'text' }, file]);
    expect(toModelMessages(readHistory(record))[0]?.content).toMatchObject([
      { type: 'file', mediaType: 'text/plain', filename: 'a.txt' },
      { type: 'text', text: 'Look' },
    ]);
    expect(notCarried).toEqual([]);
  });

  it('keeps results, errors and refusals of calls, in their steps', async () => {
    const messages = [
      user('m1', 'Pay'),
      assistant(
        'm2',
        { type: 'step-start' },
        { type: 'text', text: 'One moment.' },
        call({ state: 'output-available', output: { paid: 3 }, approval: { id: 'a1', approved: true } }),
        call({ toolCallId: 'c2', state: 'output-error', errorText: 'No money' }),
        { type: 'step-start' },
        call({
          toolCallId: 'c3',
          state: 'output-denied',
          approval: { id: 'a3', approved: false, reason: 'too much' },
        }),
        { type: 'step-start' },
        { type: 'text', text: 'Done.' },
      ),
    ];
    const { record, notCarried } = await importUIMessages(messages);
    expect(notCarried).toEqual([]);
    expect(readHistory(record)).toMatchObject([
      { role: 'user', content: 'Pay' },
      { role: 'assistant', content: 'One moment.', toolCalls: [{ toolCallId: 'c1' }, { toolCallId: 'c2' }] },
      { role: 'tool', toolCallId: 'c1', result: { paid: 3 } },
      { role: 'tool', toolCallId: 'c2', error: 'No money' },
      { role: 'assistant', content: '', toolCalls: [{ toolCallId: 'c3', args: { amount: 3 } }] },
      { role: 'tool', toolCallId: 'c3', result: { outcome: 'declined', reason: 'too much' } },
      { role: 'assistant', content: 'Done.' },
    ]);
    expect(toUIMessages(record)[1]?.parts).toMatchObject([
      { text: 'One moment.' },
      { status: 'done', result: { paid: 3 } },
      { status: 'error', error: 'No money' },
      { status: 'done', outcome: 'declined', reason: 'too much' },
      { text: 'Done.' },
    ]);
  });

  it('gives a model its reasoning and signatures back, which the page does not show', async () => {
    const signed = { anthropic: { signature: 'abc' } };
    const { record, notCarried } = await importUIMessages([
      user('m1', 'Pay'),
      assistant(
        'm2',
        { type: 'reasoning', text: 'Hm.', providerMetadata: signed },
        { type: 'text', text: 'No.' },
      ),
    ]);
    expect(toModelMessages(readHistory(record))[1]?.content).toEqual([
      { type: 'reasoning', text: 'Hm.', providerOptions: signed },
      { type: 'text', text: 'No.' },
    ]);
    expect(notCarried).toEqual([
      { messageId: 'm2', type: 'reasoning', why: expect.stringContaining('page does not show') },
    ]);
  });

  it('reports what it cannot carry, and carries the rest', async () => {
    const { record, notCarried } = await importUIMessages([
      { id: 's1', role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
      user('m1', 'Hi'),
      assistant(
        'm2',
        { type: 'data-weather', data: 1 },
        { type: 'source-url', sourceId: 'x', url: 'https://a.example' },
        { type: 'text', text: 'Hello.' },
      ),
      assistant('m3', { type: 'text', text: 'Still there?' }),
    ]);
    expect(notCarried.map(({ messageId, type }) => [messageId, type])).toEqual([
      ['s1', 'system'],
      ['m2', 'data-weather'],
      ['m2', 'source-url'],
      ['m3', 'id'],
    ]);
    expect(readHistory(record).map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  });

  it('asks an open approval again, as the tool of the server asks, and pays once after a yes', async () => {
    const { session, paid } = await openImported([user('m1', 'Pay'), assistant('m2', openApproval)]);
    const [snapshot] = await run(session, { type: 'open' });
    if (snapshot?.type !== 'snapshot') throw new Error('no snapshot');
    expect(snapshot.openCalls).toMatchObject([
      { toolCallId: 'c1', args: { amount: 3 }, question: { title: 'Pay back' } },
    ]);
    const toolResults = [
      {
        toolCallId: 'c1',
        outcome: 'submitted',
        result: { confirmed: true },
        definition: snapshot.openCalls[0]?.definition,
      },
    ];
    const answer = { type: 'continue', executionId: snapshot.executionId, toolResults };
    await run(session, answer);
    await run(session, answer);
    expect(paid).toEqual([{ amount: 3 }]);
  });

  it('does not take a yes before the tool of the server has asked', async () => {
    const { session, store, paid } = await openImported([user('m1', 'Pay'), assistant('m2', openApproval)]);
    const executionId = (await store.load('s'))?.execution?.id;
    const toolResults = [{ toolCallId: 'c1', outcome: 'submitted', result: { confirmed: true } }];
    const events = await run(session, { type: 'continue', executionId, toolResults });
    expect(events).toContainEqual(expect.objectContaining({ type: 'notice', code: 'question_changed' }));
    expect(requestIn(events).toolCalls).toMatchObject([
      { toolCallId: 'c1', question: { title: 'Pay back' } },
    ]);
    expect(paid).toEqual([]);
  });

  it('asks an approval that was open even where the tool would run without one now', async () => {
    const { session, paid } = await openImported(
      [user('m1', 'Pay'), assistant('m2', openApproval)],
      {},
      'never',
    );
    const [snapshot] = await run(session, { type: 'open' });
    expect(snapshot).toMatchObject({ openCalls: [{ toolCallId: 'c1' }] });
    expect(paid).toEqual([]);
  });

  it('lists an open approval in the inbox, for the person who started the turn', async () => {
    const startedBy = { id: 'ann', name: 'Ann' };
    const { store } = await openImported([user('m1', 'Pay'), assistant('m2', openApproval)], { startedBy });
    expect(await store.listOpenCalls?.({})).toMatchObject({
      calls: [{ sessionId: 's', startedBy, call: { toolCallId: 'c1' } }],
    });
  });

  it('asks the page for an open call of a tool that is named as one of the page', async () => {
    const locate = { type: 'tool-locate', toolCallId: 'l1', state: 'input-available', input: {} } as const;
    const { session, agent } = await openImported([user('m1', 'Where?'), assistant('m2', locate)], {
      clientTools: ['locate'],
    });
    const [snapshot] = await run(session, { type: 'open' });
    if (snapshot?.type !== 'snapshot') throw new Error('no snapshot');
    expect(snapshot.openCalls).toMatchObject([{ toolCallId: 'l1', toolName: 'locate' }]);
    const toolResults = [{ toolCallId: 'l1', result: { place: 'here' } }];
    await run(session, { type: 'continue', executionId: snapshot.executionId, toolResults });
    expect(agent.contexts[0]?.messages.at(-1)).toMatchObject({ role: 'tool', result: { place: 'here' } });
  });

  it.each([
    [
      'an allowed call without a result',
      call({ state: 'approval-responded', approval: { id: 'a1', approved: true } }),
    ],
    ['a call that nobody is said to answer', call({ state: 'input-available' })],
    ['a call that was being written', call({ state: 'input-streaming', input: undefined })],
  ])('ends %s for the agent, reports it, and asks nobody', async (_, part) => {
    const { record, notCarried } = await importUIMessages([user('m1', 'Pay'), assistant('m2', part)]);
    expect(record.execution).toBeNull();
    expect(readHistory(record).at(-1)).toMatchObject({
      role: 'tool',
      error: expect.any(String),
      outcome: 'aborted',
    });
    expect(notCarried).toMatchObject([{ messageId: 'm2', toolCallId: 'c1' }]);
  });

  it('ends an approval that a later message has left behind', async () => {
    const messages = [user('m1', 'Pay'), assistant('m2', openApproval), user('m3', 'Never mind')];
    const { record, notCarried } = await importUIMessages(messages);
    expect(record.execution).toBeNull();
    expect(readHistory(record)[2]).toMatchObject({ role: 'tool', outcome: 'superseded' });
    expect(notCarried).toMatchObject([{ messageId: 'm2', toolCallId: 'c1' }]);
  });

  it('keeps both calls where two turns have calls of one id', async () => {
    const end = call({ state: 'output-available', output: 1 });
    const other = call({ state: 'output-available', output: 2 });
    const messages = [user('m1', 'Pay'), assistant('m2', end), user('m3', 'Again'), assistant('m4', other)];
    const { record } = await importUIMessages(messages);
    expect(
      readHistory(record).flatMap((message) => (message.role === 'tool' ? [message.result] : [])),
    ).toEqual([1, 2]);
  });

  it('goes on as any conversation: the agent gets the history, and a message of it can be edited', async () => {
    const { session, agent } = await openImported([
      user('m1', 'Hi'),
      assistant('m2', { type: 'text', text: 'Hello.' }),
    ]);
    const next = {
      type: 'trigger',
      triggerName: 'user-message',
      input: { USER_MESSAGE: 'And now?' },
      idempotencyKey: 'k1',
    };
    await run(session, next);
    expect(agent.contexts[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    await run(session, { ...next, idempotencyKey: 'k2', rewindTo: 'm1' });
    expect(agent.contexts[1]?.messages).toMatchObject([{ role: 'user', content: 'And now?' }]);
  });

  it('gives records that a store refuses where the session has a conversation already', async () => {
    const { store } = await openImported([user('m1', 'Hi')]);
    const { record } = await importUIMessages([user('m9', 'Other')]);
    expect(await store.save('s', record)).toBe(false);
    expect((await store.load('s'))?.messages).toMatchObject([{ id: 'm1' }]);
  });

  it('takes an empty list, and refuses what is no list of messages', async () => {
    expect((await importUIMessages([])).record.messages).toEqual([]);
    await expect(importUIMessages({ messages: [] } as never)).rejects.toThrow(
      /list of messages.*not an object/,
    );
    await expect(importUIMessages([{ id: 'm1', role: 'user', content: 'Hi' } as never])).rejects.toThrow(
      /message 0.*'m1'.*no parts/,
    );
  });
});
