/** A call or an approval is asked when it is complete, not when the response ends. */
import { describe, expect, it } from 'vitest';
import { settled } from '../../support/scripted-chat.ts';
import { approvalOf, type Chunk, callOf, partsOf, say, scriptedRoute, words } from './scripted-route.ts';

const interactive = { confirm: 'interactive' } as const;
const step: Chunk = { type: 'start-step' };
const output = (toolCallId: string, value: unknown): Chunk => ({
  type: 'tool-output-available',
  toolCallId,
  output: value,
});

async function begin(clientTools: Parameters<typeof scriptedRoute>[0] = {}, options = {}) {
  const route = scriptedRoute(clientTools, options);
  await say(route.chat);
  const [first] = route.requests;
  if (first === undefined) throw new Error('nothing was posted');
  return { ...route, first };
}

describe('a question beside a slow tool of the server', () => {
  it('asks for an approval at once, and posts the answer when the response has ended', async () => {
    const { chat, first, requests } = await begin();
    await first.send(step, callOf('s', 'slow'), callOf('c', 'pay'), approvalOf('c'));
    expect(chat.getState().pendingCalls).toHaveLength(1);
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await settled();
    expect(requests).toHaveLength(1);
    await first.end(output('s', 1), { type: 'finish' });
    expect(requests[1]?.body.messages.at(-1)?.parts).toMatchObject([
      { type: 'step-start' },
      { toolCallId: 's', output: 1 },
      { toolCallId: 'c', state: 'approval-responded', approval: { approved: true } },
    ]);
  });

  it('asks about a declared call after half a second, or when its step ends', async () => {
    const { chat, clock, first } = await begin({ clientTools: interactive });
    await first.send(step, callOf('s', 'slow'), callOf('c', 'confirm'));
    await clock.advance(499);
    await settled();
    expect(chat.getState().pendingCalls).toEqual([]);
    await clock.advance(1);
    await settled();
    expect(chat.getState().pendingCalls.map(({ toolCallId }) => toolCallId)).toEqual(['c']);
    await first.send(callOf('d', 'confirm'), { type: 'finish-step' });
    expect(chat.getState().pendingCalls.map(({ toolCallId }) => toolCallId)).toEqual(['c', 'd']);
  });

  it('never asks about a tool of the server that is declared for the title of its approval', async () => {
    const seen: string[] = [];
    const { chat, clock, first } = await begin({ clientTools: interactive });
    chat.subscribe(() => seen.push(...chat.getState().pendingCalls.map(({ toolCallId }) => toolCallId)));
    await first.send(step, callOf('c', 'confirm'));
    await clock.advance(400);
    await first.send(output('c', 1), callOf('d', 'confirm'), approvalOf('d', { isAutomatic: true }));
    await clock.advance(600);
    await first.end(output('d', 2), { type: 'finish' });
    expect(seen).toEqual([]);
    expect(partsOf(chat)).toMatchObject([{ result: 1 }, { result: 2 }]);
  });

  it('runs a handler at the end of the response', async () => {
    let runs = 0;
    const { clock, first, requests } = await begin({ clientTools: { locate: () => ++runs } });
    await first.send(step, callOf('c', 'locate'));
    await clock.advance(5_000);
    expect(runs).toBe(0);
    await first.end({ type: 'finish' });
    expect([runs, requests.length]).toEqual([1, 2]);
  });
});

describe('a question that the server closes', () => {
  it('shows the result of the server, and posts no answer', async () => {
    const { chat, clock, first, requests } = await begin({ clientTools: interactive });
    await first.send(step, callOf('c', 'confirm'));
    await clock.advance(500);
    await settled();
    const [tool] = chat.getState().pendingCalls;
    await first.end(output('c', 3), { type: 'finish' });
    expect(chat.getState().pendingCalls).toEqual([]);
    expect(tool?.submit(4)).toMatchObject({ settled: false });
    expect(partsOf(chat)).toMatchObject([{ status: 'done', result: 3 }]);
    expect([chat.getState().status, requests.length]).toEqual(['idle', 1]);
  });

  it.each<[string, Chunk, object]>([
    ['denied', { type: 'tool-output-denied', toolCallId: 'c' }, { status: 'done', outcome: 'declined' }],
    [
      'failed',
      { type: 'tool-output-error', toolCallId: 'c', errorText: 'Gone' },
      { status: 'error', error: 'Gone' },
    ],
  ])('an approval that the server has %s is over', async (_, end, part) => {
    const { chat, first, requests } = await begin();
    await first.send(step, callOf('c', 'pay'), approvalOf('c'));
    expect(chat.getState().pendingCalls).toHaveLength(1);
    await first.end(end, { type: 'finish' });
    expect(chat.getState().pendingCalls).toEqual([]);
    expect(partsOf(chat)).toMatchObject([part]);
    expect([chat.getState().status, requests.length]).toEqual(['idle', 1]);
  });

  it('an aborted response closes the questions that it asked', async () => {
    const { chat, first } = await begin();
    await first.send(step, callOf('c', 'pay'), approvalOf('c'));
    await first.end({ type: 'abort' });
    expect([chat.getState().status, chat.getState().pendingCalls]).toEqual(['idle', []]);
  });
});

describe('a response that is cut behind a question', () => {
  it.each([
    ['an approval', approvalOf('c'), { state: 'approval-responded' }],
    ['a call', { type: 'data-x', data: 1 }, { state: 'output-available', output: { confirmed: true } }],
  ])('leaves %s open without resume, and posts its answer with the half text', async (_, chunk, part) => {
    const { chat, first, requests } = await begin({ clientTools: interactive });
    await first.send(
      step,
      callOf('s', 'slow'),
      callOf('c', 'confirm'),
      chunk,
      ...words('t', 'Half').slice(0, 2),
    );
    await first.cut();
    expect(chat.getState().status).toBe('awaiting-input');
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await settled();
    const parts = requests[1]?.body.messages.at(-1)?.parts ?? [];
    expect(parts.find(({ toolCallId }) => toolCallId === 'c')).toMatchObject(part);
    expect(parts.find(({ toolCallId }) => toolCallId === 's')).toMatchObject({ state: 'output-error' });
    expect(parts.at(-1)).toMatchObject({ type: 'text', text: 'Half', state: 'done' });
  });

  it('asks once where the replay brings the question again', async () => {
    const { chat, clock, first, requests } = await begin({}, { resume: true });
    await first.send(step, callOf('c', 'pay'), approvalOf('c'));
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await first.cut();
    await clock.advance(1);
    await settled();
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
    expect(requests[2]?.body.messages.at(-1)?.parts.at(-1)).toMatchObject({ state: 'approval-responded' });
  });
});
