// @vitest-environment jsdom
/** Counts the work of a turn: state changes, publications, renders of parts. A stream of twice the length costs twice as much. */
import { act, render } from '@testing-library/react';
import { memo } from 'react';
import { describe, expect, it, vi } from 'vitest';
import * as reducer from '../../src/core/state/reduce-conversation.ts';
import {
  createAgentChat,
  createHttpTransport,
  type UIMessage,
  type UIMessagePart,
  useAgentChat,
} from '../../src/index.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { scriptedChat, settled } from '../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../support/scripted-events.ts';

vi.mock('../../src/core/state/reduce-conversation.ts', { spy: true });

/** Returns a response whose body has these chunks. */
function respond(chunks: readonly (readonly object[])[]): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const events of chunks)
        controller.enqueue(
          encoder.encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
        );
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

async function stepsOf(deltas: number, perChunk: number): Promise<number> {
  const chunks: object[][] = [[{ type: 'text-start', id: 't' }]];
  for (let from = 0; from < deltas; from += perChunk)
    chunks.push(Array.from({ length: perChunk }, () => ({ type: 'text-delta', id: 't', delta: 'word ' })));
  chunks.push([
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: 'stop' },
  ]);
  const steps = vi.mocked(reducer.reduceConversation).mockClear();
  const chat = createAgentChat({
    clock: createManualClock(),
    transport: createHttpTransport({ request: async () => respond(chunks) }),
  });
  await chat.sendMessage('Go');
  expect(chat.getState().messages[1]?.parts).toMatchObject([
    { text: 'word '.repeat(deltas), status: 'done' },
  ]);
  chat.destroy();
  return steps.mock.calls.filter(([, change]) => change.type === 'event').length;
}

describe('steps of the state', () => {
  it('the state changes once per frame, however many chunks and deltas arrive in it', async () => {
    const ofOneFrame = 4;
    expect(await stepsOf(2_000, 50)).toBe(ofOneFrame);
    expect(await stepsOf(2_000, 1)).toBe(ofOneFrame);
  });
});

const TOOLS = 200;
const FRAMES = 20;

describe('renders', () => {
  it('renders only the part that is written: 200 finished tools, then 1,000 deltas of text in 20 frames', async () => {
    const { chat, backend, clock } = scriptedChat({ initialMessages: old(100) });
    const renders: Record<string, number> = {};
    const Part = memo(({ part }: { part: UIMessagePart }) => {
      renders[part.type] = (renders[part.type] ?? 0) + 1;
      return null;
    });
    const Message = memo(({ message }: { message: UIMessage }) => {
      renders[message.role] = (renders[message.role] ?? 0) + 1;
      // biome-ignore lint/suspicious/noArrayIndexKey: parts only grow at the end
      return message.parts.map((part, index) => <Part key={index} part={part} />);
    });
    function App() {
      return useAgentChat({ chat }).messages.map((message) => <Message key={message.id} message={message} />);
    }
    render(<App />);
    await act(async () => {
      void chat.sendMessage('Go');
      const run = await backend.request(0);
      run.send(start);
      for (let index = 0; index < TOOLS; index += 1) {
        const toolCallId = `call-${index}`;
        run.send({ type: 'tool-input-available', toolCallId, toolName: 'look-up', input: { index } });
        run.send({ type: 'tool-output-available', toolCallId, output: index });
      }
      run.send({ type: 'text-start', id: 't' });
      while (chat.getState().messages.at(-1)?.parts.length !== TOOLS + 1) await settled();
      clock.frame();
    });
    expect(renders['tool-call']).toBe(TOOLS);
    for (const kind of Object.keys(renders)) renders[kind] = 0;
    const run = await backend.request(0);
    for (let frame = 1; frame <= FRAMES; frame += 1) {
      await act(async () => {
        for (let delta = 0; delta < 50; delta += 1) run.send({ type: 'text-delta', id: 't', delta: 'word ' });
        while (!arrived(chat.getState().messages, frame * 250)) await settled();
        clock.frame();
      });
    }
    expect(renders).toEqual({ user: 0, assistant: FRAMES, text: FRAMES, 'tool-call': 0 });
    await act(async () => run.send({ type: 'text-end', id: 't' }, stopped));
  });

  it('publishes once for 100 round trips of automatic tools inside one frame', async () => {
    const { chat, backend, clock } = scriptedChat({ clientTools: { measure: () => 1 }, maxToolRounds: 100 });
    const sent = chat.sendMessage('Go');
    let publications = 0;
    await backend.request(0);
    chat.subscribe(() => {
      publications += 1;
    });
    for (let round = 0; round < 100; round += 1) {
      const run = await backend.request(round);
      run.send(start, request(call(`call-${round}`, 'measure')), awaitingAnswers);
      run.end();
    }
    const last = await backend.request(100);
    expect(publications).toBe(0);
    clock.frame();
    expect(publications).toBe(1);
    last.send(start, stopped);
    await sent;
    expect(chat.getState().messages[1]?.parts).toHaveLength(100);
  });
});

function arrived(messages: readonly UIMessage[], length: number): boolean {
  const part = messages.at(-1)?.parts.at(-1);
  return part?.type === 'text' && part.text.length === length;
}

function old(count: number): UIMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `old-${index}`,
    role: 'user',
    parts: [{ type: 'text', text: 'Earlier', status: 'done' }],
    status: 'done',
    createdAt: new Date(0),
  }));
}
