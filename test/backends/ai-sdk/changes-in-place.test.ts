/** Data, preliminary outputs and steps change where they stand. */
import { describe, expect, it } from 'vitest';
import {
  approvalOf,
  type Chunk,
  callOf,
  partsOf,
  say,
  scriptedRoute,
  textOf,
  words,
} from './scripted-route.ts';

const weather = (data: unknown): Chunk => ({ type: 'data-weather', id: 'w', data });
const output = (value: unknown, preliminary?: true): Chunk => ({
  type: 'tool-output-available',
  toolCallId: 'c',
  output: value,
  ...(preliminary && { preliminary }),
});

async function begin(clientTools: Parameters<typeof scriptedRoute>[0] = {}) {
  const route = scriptedRoute(clientTools);
  await say(route.chat);
  const [first] = route.requests;
  if (first === undefined) throw new Error('nothing was posted');
  return { ...route, first };
}

describe('data with an id', () => {
  it('is a part at once, in its place, and later data replaces it', async () => {
    const { chat, first } = await begin();
    await first.send(weather({ state: 'loading' }), ...words('t', 'It is'));
    expect(partsOf(chat)).toMatchObject([
      { type: 'object', id: 'w', typeName: 'weather', object: { state: 'loading' }, status: 'done' },
      { text: 'It is' },
    ]);
    await first.send(weather({ t: 21 }));
    expect(partsOf(chat)).toMatchObject([{ object: { t: 21 } }, { text: 'It is' }]);
  });

  it('stands once where a continuation of the message replaces it', async () => {
    const { chat, first, requests } = await begin({ clientTools: { locate: () => 1 } });
    await first.end(weather('loading'), callOf('c', 'locate'), { type: 'finish' });
    await requests[1]?.end(weather('done'), { type: 'finish' });
    expect(partsOf(chat)).toMatchObject([{ type: 'object', object: 'done' }, { type: 'tool-call' }]);
    await say(chat, 'Thanks');
    expect(requests[2]?.body.messages[1]?.parts.filter(({ type }) => type === 'data-weather')).toEqual([
      { type: 'data-weather', id: 'w', data: 'done' },
    ]);
  });
});

describe('a preliminary output', () => {
  it('is shown while the call runs, and replaced', async () => {
    const { chat, first } = await begin();
    await first.send(callOf('c', 'search'), output({ percent: 50 }, true));
    expect(partsOf(chat)).toMatchObject([{ status: 'running', result: { percent: 50 } }]);
    await first.end(output({ percent: 100 }), { type: 'finish' });
    expect(partsOf(chat)).toMatchObject([{ status: 'done', result: { percent: 100 } }]);
  });

  it('that an error follows is none', async () => {
    const { chat, first, requests } = await begin();
    const failed = { type: 'tool-output-error', toolCallId: 'c', errorText: 'Gone' };
    await first.end(callOf('c', 'search'), output(1, true), failed, { type: 'finish' });
    expect(partsOf(chat)[0]).not.toHaveProperty('result');
    await say(chat, 'Again');
    expect(requests[1]?.body.messages[1]?.parts[0]).toEqual({
      type: 'tool-search',
      toolCallId: 'c',
      state: 'output-error',
      input: {},
      errorText: 'Gone',
    });
  });
});

describe('a step that is reset', () => {
  it('takes its texts, calls and data off the page, and leaves what stood before', async () => {
    const { chat, first, requests } = await begin();
    await first.send({ type: 'start-step' }, ...words('a', 'First. '), { type: 'finish-step' });
    await first.send({ type: 'start-step' }, ...words('b', 'Half'), callOf('c', 'search'), output(1, true));
    await first.send(weather('loading'), { type: 'reset-step' });
    expect(partsOf(chat)).toMatchObject([{ text: 'First. ', status: 'done' }]);
    await first.end(...words('b', 'Last.'), callOf('c', 'search'), output(2), { type: 'finish' });
    expect(partsOf(chat)).toMatchObject([
      { text: 'First. ' },
      { text: 'Last.' },
      { toolCallId: 'c', result: 2 },
    ]);
    await say(chat, 'Thanks');
    expect(requests[1]?.body.messages[1]?.parts.map(({ type }) => type)).toEqual([
      'step-start',
      'text',
      'step-start',
      'text',
      'tool-search',
    ]);
  });

  it('closes its question, and a question under the same id is another one', async () => {
    const { chat, first, requests } = await begin();
    const ask = [callOf('c', 'pay', { amount: 1 }), approvalOf('c')];
    await first.send({ type: 'start-step' }, ...ask);
    const [before] = chat.getState().pendingCalls;
    await first.send({ type: 'reset-step' });
    expect(chat.getState().pendingCalls).toEqual([]);
    expect(before?.submit({ confirmed: true })).toMatchObject({ settled: false });
    await first.send(callOf('c', 'pay', { amount: 2 }), approvalOf('c'));
    expect(chat.getState().pendingCalls[0]?.args).toEqual({ amount: 2 });
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await first.end({ type: 'finish' });
    expect(requests[1]?.body.messages.at(-1)?.parts).toMatchObject([
      { type: 'step-start' },
      { toolCallId: 'c', state: 'approval-responded', input: { amount: 2 }, approval: { approved: true } },
    ]);
    expect(textOf(chat)).toBe('');
  });
});
