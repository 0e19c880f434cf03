/** Texts for the model, interrupts that cannot be answered, and ids that are used again. */
import { describe, expect, it } from 'vitest';
import { untilStatus } from '../../support/until-status.ts';
import { converse, ok } from './ask-agent.ts';
import { asking, called, ended, gave, type RawEvent, said, started } from './raw-agent.ts';

describe('texts that are not those of the agent', () => {
  it.each([['system'], ['developer'], ['user']])('a text of the role %s is not shown', async (role) => {
    const [start, ...rest] = said('s', 'You are a helpful bot. Secret: 42.');
    const events = [{ ...start, role } as RawEvent, ...rest, ...said('m', 'Hello.')];
    const { chat, inputs } = await converse([[started, ...events, ended], ok]);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ text: 'Hello.' }]);
    await chat.sendMessage('Again');
    expect(inputs[1]?.messages).toContainEqual(expect.objectContaining({ id: 's', role }));
  });

  it('neither is one in chunks', async () => {
    const chunk = { type: 'TEXT_MESSAGE_CHUNK', messageId: 's', role: 'system', delta: 'Secret' };
    const { chat } = await converse([
      [started, chunk, { ...chunk, delta: ': 42' }, ...said('m', 'Hello.'), ended],
    ]);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ text: 'Hello.' }]);
  });
});

describe('an interrupt without an id', () => {
  it('is not asked, and told', async () => {
    const { chat, notices } = await converse([
      [started, asking({ reason: 'confirmation', message: 'Sure?' })],
    ]);
    expect(chat.getState()).toMatchObject({ status: 'idle', pendingCalls: [] });
    expect(notices).toEqual(['unanswerable_interrupt']);
  });

  it('leaves the answers to the others alone', async () => {
    const both = asking({ reason: 'confirmation' }, { id: 'i2', reason: 'confirmation' });
    const { chat, inputs } = await converse([[started, both], ok]);
    for (const tool of chat.getState().pendingCalls) tool.submit({ confirmed: true });
    await untilStatus(chat, 'idle');
    expect(inputs[1]?.resume).toEqual([{ interruptId: 'i2', status: 'resolved', payload: true }]);
  });
});

describe('an id of a call that comes again in the same turn', () => {
  const call = (args: string, messageId: string) =>
    called('call_0', 'locate', args).map((event) => ({ ...event, parentMessageId: messageId }));
  const counting = () => {
    const seen: unknown[] = [];
    return { seen, locate: (args: object) => seen.push(args) };
  };

  it('with other arguments, it is another call: it runs, is shown and is posted', async () => {
    const { seen, locate } = counting();
    const runs = [[started, ...call('{"a":1}', 'm1'), ended], [started, ...call('{"a":2}', 'm2'), ended], ok];
    const { chat, inputs, notices } = await converse(runs, { clientTools: { locate } });
    await untilStatus(chat, 'idle');
    expect(seen).toEqual([{ a: 1 }, { a: 2 }]);
    expect(notices).toEqual(['repeated_call']);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([
      { toolName: 'locate', args: { a: 1 }, result: 1 },
      { toolName: 'locate', args: { a: 2 }, result: 2 },
      { text: 'Well.' },
    ]);
    const thread = inputs[2]?.messages.slice(1) ?? [];
    expect(thread).toMatchObject([
      { toolCalls: [{ id: 'call_0' }] },
      { toolCallId: 'call_0', content: '1' },
      { toolCalls: [{ id: 'call_0' }] },
      { toolCallId: 'call_0', content: '2' },
    ]);
    expect(new Set(thread.map(({ id }) => id)).size).toBe(4);
  });

  it('with the same arguments, it gets the answer again, and nothing runs twice', async () => {
    const { seen, locate } = counting();
    const asks = [started, ...call('{"a":1}', 'm1'), ended];
    const { chat, inputs, notices } = await converse([asks, asks, ok], { clientTools: { locate } });
    await untilStatus(chat, 'idle');
    expect(seen).toEqual([{ a: 1 }]);
    expect(notices).toEqual(['repeated_call']);
    expect(inputs).toHaveLength(3);
    expect(inputs[2]?.messages).toEqual(inputs[1]?.messages);
  });

  it('a call of the server that is announced again while it is open is one call', async () => {
    const again = called('c1', 'look', '{"a":1}');
    const { chat, notices, inputs } = await converse([
      [started, ...again, ...again, gave('c1', '3'), ended],
      ok,
    ]);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ args: { a: 1 }, result: '3' }]);
    expect(notices).toEqual(['repeated_call']);
    await chat.sendMessage('Again');
    expect(inputs[1]?.messages[1]).toMatchObject({ toolCalls: [{ function: { arguments: '{"a":1}' } }] });
  });
});

describe('events of a call that come twice', () => {
  it('are one call where the network doubles its start', async () => {
    const [start, ...rest] = called('c1', 'locate', '{"a":1}');
    const seen: unknown[] = [];
    const locate = (args: object) => seen.push(args);
    const { chat, inputs, notices } = await converse(
      [[started, start as RawEvent, start as RawEvent, ...rest, ended], ok],
      { clientTools: { locate } },
    );
    await untilStatus(chat, 'idle');
    expect(seen).toEqual([{ a: 1 }]);
    expect(notices).toEqual([]);
    expect(inputs[1]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(1);
  });

  it('show the later of two results of the server', async () => {
    const wait = gave('c1', '{"error":"This call requires confirmation."}');
    const { chat } = await converse([
      [started, ...called('c1', 'remove'), wait, gave('c1', '{"removed":"a.txt"}', 'r-2'), ended],
    ]);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([
      { toolCallId: 'c1', status: 'done', result: { removed: 'a.txt' } },
    ]);
  });
});
