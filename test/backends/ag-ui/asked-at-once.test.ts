/** A question is asked when it is complete, and a turn ends when its run does, whatever the response does then. */
import { describe, expect, it } from 'vitest';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { type AgentChatOptions, createAgentChat } from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { untilStatus } from '../../support/until-status.ts';
import { createHeldAgent } from './held-agent.ts';
import { asking, called, ended, gave, said, started } from './raw-agent.ts';

/** Lets the page read what has arrived. */
const read = () => new Promise<void>((resolve) => setImmediate(resolve));

async function open(options: Partial<AgentChatOptions> = {}) {
  const agent = createHeldAgent();
  const clock = createManualClock();
  const transport = createAgUiTransport({ url: '/agent', fetch: agent.fetch, clock });
  const chat = createAgentChat({ transport, clock, ...options });
  const sent = chat.sendMessage('Hi');
  await read();
  return { agent, clock, chat, sent, first: agent.responses[0] };
}

describe('a response that stays open behind the end of its run', () => {
  it('an interrupt is asked at once, and its answer goes out without the end of the response', async () => {
    const { agent, clock, chat, first } = await open();
    first?.write(started, asking({ id: 'i1', reason: 'confirmation' }));
    await read();
    expect(chat.getState().pendingCalls).toHaveLength(1);
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await clock.advance(50);
    await read();
    expect(agent.responses[1]?.input.resume).toMatchObject([{ status: 'resolved', payload: true }]);
  });

  it('a run without questions ends its turn', async () => {
    const { clock, chat, first } = await open();
    first?.write(started, ...said('m', 'Hello.'), ended);
    await read();
    await clock.advance(50);
    await untilStatus(chat, 'idle');
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ text: 'Hello.' }]);
  });

  it('another run that follows at once belongs to the turn', async () => {
    const { clock, chat, first } = await open();
    first?.write(started, ...said('m1', 'One.'), ended);
    await read();
    first?.write({ ...started, runId: 'r2' }, ...said('m2', 'Two.'), ended);
    await read();
    await clock.advance(50);
    await untilStatus(chat, 'idle');
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ text: 'One.' }, { text: 'Two.' }]);
  });

  it('a call of the server that is open holds the turn', async () => {
    const { clock, chat, first } = await open();
    first?.write(started, ...called('c1', 'lookup'), ended);
    await read();
    await clock.advance(1_000);
    expect(chat.getState().status).toBe('streaming');
    first?.write(gave('c1', '3'), ended);
    await read();
    await clock.advance(50);
    await untilStatus(chat, 'idle');
  });
});

describe('a call of the page beside a slow call of the server', () => {
  const beside = [started, ...called('c1', 'lookup'), ...called('c2', 'confirm')];

  it('it is asked about while the run goes on, and its answer goes out behind the run', async () => {
    const { agent, clock, chat, first } = await open({ clientTools: { confirm: 'interactive' } });
    first?.write(...beside);
    await read();
    expect(chat.getState().pendingCalls).toHaveLength(0);
    await clock.advance(500);
    await read();
    expect(chat.getState().pendingCalls).toMatchObject([{ toolName: 'confirm' }]);
    chat.getState().pendingCalls[0]?.submit('fine');
    await read();
    expect(agent.responses).toHaveLength(1);
    first?.write(gave('c1', '3'), ended);
    first?.close();
    await read();
    await read();
    expect(agent.responses[1]?.input.messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { toolCallId: 'c1', content: '3' },
      { toolCallId: 'c2', content: 'fine' },
    ]);
  });

  it('an interrupt that names a call which is asked about is answered by its answer', async () => {
    const { agent, clock, chat, first } = await open({ clientTools: { confirm: 'interactive' } });
    first?.write(...beside);
    await read();
    await clock.advance(500);
    await read();
    first?.write(gave('c1', '3'), asking({ id: 'i1', reason: 'tool_call', toolCallId: 'c2' }));
    first?.close();
    await read();
    expect(chat.getState().pendingCalls).toHaveLength(1);
    chat.getState().pendingCalls[0]?.submit('fine');
    await read();
    expect(agent.responses[1]?.input.resume).toEqual([
      { interruptId: 'i1', status: 'resolved', payload: 'fine' },
    ]);
  });

  it('a result of the server closes the question', async () => {
    const { agent, clock, chat, first } = await open({ clientTools: { confirm: 'interactive' } });
    first?.write(...beside);
    await read();
    await clock.advance(500);
    await read();
    first?.write(gave('c2', 'by policy'));
    await read();
    expect(chat.getState().pendingCalls).toHaveLength(0);
    first?.write(gave('c1', '3'), ended);
    first?.close();
    await untilStatus(chat, 'idle');
    expect(chat.getState().messages.at(-1)?.parts[1]).toMatchObject({ status: 'done', result: 'by policy' });
    expect(agent.responses).toHaveLength(1);
  });
});

describe('a response that is cut behind a call of the page', () => {
  it.each([
    ['breaks off', 'cut'],
    ['ends', 'close'],
  ] as const)('where it %s, the call can be answered', async (_, end) => {
    const { agent, chat, first } = await open({ clientTools: { confirm: 'interactive' } });
    first?.write(started, ...said('m', 'One moment.'), ...called('c1', 'confirm'));
    await read();
    first?.[end]();
    await untilStatus(chat, 'awaiting-input');
    chat.getState().pendingCalls[0]?.submit('fine');
    await read();
    expect(agent.responses[1]?.input.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: 'One moment.' },
      { toolCalls: [{ id: 'c1' }] },
      { role: 'tool', toolCallId: 'c1', content: 'fine' },
    ]);
  });

  it('a call whose arguments are incomplete is not asked about', async () => {
    const { chat, first } = await open({ clientTools: { confirm: 'interactive' } });
    first?.write(started, ...called('c1', 'confirm', '{"a":').slice(0, 2));
    await read();
    first?.cut();
    await untilStatus(chat, 'error');
    expect(chat.getState().error?.code).toBe('stream_interrupted');
  });
});
