import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  AgentChatError,
  createAgentChat,
  createPersistence,
  createSocketTransport,
  defineClientTool,
  type SettledCall,
} from '../../../../src/core.ts';
import { createManualClock } from '../../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../../src/testing/memory-storage.ts';
import { createFakeBrowser } from '../../../support/fake-tabs.ts';
import { createTabOpener, settledIn } from '../../../support/open-tabs.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../../../support/scripted-events.ts';
import { createFakeServer } from '../../transport/fake-socket.ts';

const asked = [start, request(call('1', 'ask')), awaitingAnswers];

/** Opens tabs in which the call of the agent is pending. */
async function askIn({ chat, backend }: Awaited<ReturnType<ReturnType<typeof createTabOpener>>>) {
  void chat.sendMessage('order');
  await settledIn();
  backend.requests[0]?.send(...asked);
  await settledIn();
}

describe('tabs of one conversation', () => {
  it('only the owner talks to the backend and runs automatic tools; every tab shows the same', async () => {
    let runs = 0;
    const openPage = createTabOpener({ clientTools: { now: () => ++runs, ask: 'interactive' } });
    const [a, b, c] = [await openPage(), await openPage(), await openPage()];
    const sent = b.chat.sendMessage('Hi');
    await settledIn();
    a.backend.requests[0]?.send(start, ...text('t', 'Hello'), request(call('1', 'now')), awaitingAnswers);
    await settledIn();
    a.backend.requests[1]?.send(start, stopped);
    await sent;
    await settledIn();
    expect(runs).toBe(1);
    expect([b.backend.commands, c.backend.commands]).toEqual([[], []]);
    const shown = a.chat.getState().messages;
    expect(shown[1]?.parts).toMatchObject([{ text: 'Hello' }, { outcome: 'submitted', result: 1 }]);
    for (const { chat } of [b, c]) {
      expect(chat.getState().messages).toEqual(shown);
      expect(chat.getState().status).toBe('idle');
    }
  });

  it('text reaches the other tabs while it streams, also from a hidden owner that gets no frames', async () => {
    const openPage = createTabOpener();
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('Hi');
    await settledIn();
    a.backend.requests[0]?.send(start, ...text('t', 'Hel'));
    await settledIn();
    a.backend.requests[0]?.send({ type: 'text-delta', id: 't', delta: 'lo' });
    await settledIn();
    expect(b.chat.getState().messages[1]?.parts).toMatchObject([{ text: 'Hello', status: 'streaming' }]);
  });

  it('any tab may answer: the dialogs of the other tabs close with a reason, and the agent gets one answer', async () => {
    const openPage = createTabOpener({ clientTools: { ask: 'interactive' } });
    const [a, b, c] = [await openPage(), await openPage(), await openPage()];
    await askIn(a);
    const tools = [a, b, c].map(({ chat }) => chat.getState().pendingClientTools.ask?.[0]);
    expect(tools[1]?.submit('from b')).toEqual({ settled: true });
    expect(tools[1]?.submit('again')).toEqual({ settled: false, reason: 'already-settled' });
    tools[2]?.submit('from c');
    await settledIn();
    expect([a, b, c].map(({ chat }) => chat.getState().pendingClientTools)).toEqual([{}, {}, {}]);
    expect([a.notified, c.notified]).toEqual([['notice answered_elsewhere'], ['notice answered_elsewhere']]);
    expect(b.notified).toEqual([]);
    expect([a, b, c].map(({ chat }) => chat.getState().notices.length)).toEqual([1, 0, 1]);
    expect(a.backend.commands.slice(1)).toMatchObject([{ answers: [{ toolCallId: '1', result: 'from b' }] }]);
  });

  it('any tab may allow a call: the owner runs the handler once, and a later decline changes nothing', async () => {
    await import('../../../../src/core/tools/approval.ts');
    let runs = 0;
    const answered: SettledCall[] = [];
    const openPage = createTabOpener({
      clientTools: { pay: defineClientTool({ execute: () => ++runs, approval: 'always' }) },
      onCallSettled: (settledCall) => answered.push(settledCall),
    });
    const [a, b, c] = [await openPage(), await openPage(), await openPage()];
    void a.chat.sendMessage('pay');
    await settledIn();
    a.backend.requests[0]?.send(start, request(call('1', 'pay')), awaitingAnswers);
    await settledIn();
    const tools = [a, b, c].map(({ chat }) => chat.getState().pendingClientTools.pay?.[0]);
    expect(tools).toMatchObject([
      { approvalReason: 'policy' },
      { approvalReason: 'policy' },
      { approvalReason: 'policy' },
    ]);
    tools[1]?.submit(undefined);
    tools[2]?.decline('no');
    tools[1]?.submit(undefined);
    await settledIn();
    expect(runs).toBe(1);
    expect([a.notified, b.notified, c.notified]).toEqual([
      ['notice answered_elsewhere'],
      [],
      ['notice answered_elsewhere'],
    ]);
    expect(a.backend.commands.slice(1)).toMatchObject([{ answers: [{ toolCallId: '1', result: 1 }] }]);
    expect(answered).toMatchObject([
      { allowedBy: 'person', tabId: expect.any(String), outcome: 'submitted' },
    ]);
  });

  it('another tab takes over when the owner crashes, resumes the run, and runs no handler twice', async () => {
    let runs = 0;
    const openPage = createTabOpener({ clientTools: { now: () => ++runs, ask: 'interactive' } });
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('order');
    await settledIn();
    a.backend.requests[0]?.send(
      { ...start, cursor: '4' },
      request(call('0', 'now'), call('1', 'ask')),
      awaitingAnswers,
    );
    await settledIn();
    a.tab.crash();
    await settledIn();
    expect(b.backend.commands).toMatchObject([{ type: 'resume', executionId: 'run-1', cursor: '4' }]);
    expect(b.chat.getState().status).toBe('awaiting-input');
    b.backend.requests[0]?.send(awaitingAnswers);
    b.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    await settledIn();
    expect(runs).toBe(1);
    expect(b.backend.commands[1]).toMatchObject({
      type: 'respond',
      answers: [
        { toolCallId: '0', result: 1 },
        { toolCallId: '1', result: 'yes' },
      ],
    });
  });

  it('a message that waits at an owner that goes away is sent once by the next owner', async () => {
    const openPage = createTabOpener();
    const [a, b] = [await openPage(), await openPage()];
    a.tab.crash();
    const sent = b.chat.sendMessage('Hi');
    await settledIn();
    expect(b.backend.commands).toMatchObject([{ type: 'trigger', input: { USER_MESSAGE: 'Hi' } }]);
    b.backend.requests[0]?.send(stopped);
    await sent;
    expect(a.backend.commands).toEqual([]);
    expect(b.chat.getState().messages).toHaveLength(1);
  });

  it('a message that the first owner has sent is not sent again by the next owner', async () => {
    const openPage = createTabOpener();
    const [a, b] = [await openPage(), await openPage()];
    void b.chat.sendMessage('Hi');
    await settledIn();
    a.backend.requests[0]?.send({ ...start, cursor: '1' });
    await settledIn();
    a.tab.crash();
    await settledIn();
    expect(b.backend.commands).toMatchObject([{ type: 'resume', cursor: '1' }]);
    expect(b.chat.getState().messages).toHaveLength(1);
  });

  it('a trigger without a message that the first owner has sent is not sent again by the next owner', async () => {
    const openPage = createTabOpener();
    const [a, b] = [await openPage(), await openPage()];
    const sent = b.chat.send('press', { button: 1 });
    await settledIn();
    a.backend.requests[0]?.send({ ...start, cursor: '1' });
    await settledIn();
    a.tab.crash();
    await settledIn();
    expect(b.backend.commands).toMatchObject([{ type: 'resume', cursor: '1' }]);
    await expect(sent).resolves.toBeUndefined();
  });

  it('another tab takes over with the saved input when the owner closes', async () => {
    const clientTools = { ask: defineClientTool({ interactive: true }) };
    const openPage = createTabOpener({ clientTools });
    const [a, b] = [await openPage(), await openPage()];
    await askIn(a);
    b.chat.getState().pendingClientTools.ask?.[0]?.saveInput({ name: 'Ada' });
    await settledIn();
    a.chat.destroy();
    await settledIn();
    const tool = b.chat.getState().pendingClientTools.ask?.[0];
    expect(tool?.getSavedInput()).toEqual({ name: 'Ada' });
    tool?.submit('x');
    await settledIn();
    expect(b.backend.commands).toMatchObject([{ type: 'respond', answers: [{ result: 'x' }] }]);
  });

  it('rejections come back to the tab that asked', async () => {
    const openPage = createTabOpener({ clientTools: { ask: 'interactive' } });
    const [a, b] = [await openPage(), await openPage()];
    await askIn(a);
    await expect(b.chat.sendMessage('more')).rejects.toMatchObject({ code: 'awaiting_input' });
    await expect(b.chat.resume()).resolves.toBeUndefined();
  });

  it('an answer given in the task in which the owner closes is not requested again', async () => {
    const openPage = createTabOpener({ clientTools: { ask: 'interactive' } });
    const [a, b] = [await openPage(), await openPage()];
    await askIn(a);
    a.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    a.chat.destroy();
    await settledIn();
    expect(b.chat.getState().pendingClientTools).toEqual({});
    expect(b.backend.commands).toMatchObject([{ type: 'respond', answers: [{ result: 'yes' }] }]);
  });

  it('any tab may retry, and a refusal of the owner rejects in the tab that asked', async () => {
    const openPage = createTabOpener();
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('order');
    await settledIn();
    a.backend.requests[0]?.send(start, ...text('t', 'Hel'));
    a.backend.requests[0]?.fail(new Error('offline'));
    await settledIn();
    const refused = b.chat.resume();
    await expect(refused).rejects.toMatchObject({ code: 'not_resumable', name: 'AgentChatError' });
    const retried = b.chat.retry();
    await settledIn();
    expect(a.backend.commands.map(({ type }) => type)).toEqual(['trigger', 'trigger']);
    a.backend.requests[1]?.send(stopped);
    await expect(retried).resolves.toBeUndefined();
  });

  it('a request to a destroyed chat, or of a kind that the owner does not know, is refused', async () => {
    const browser = createFakeBrowser();
    const openPage = createTabOpener({}, { browser });
    const [a, b] = [await openPage(), await openPage()];
    const sent = b.chat.sendMessage('Hi');
    await settledIn();
    b.chat.destroy();
    await expect(sent).rejects.toMatchObject({ code: 'destroyed' });
    const newer = browser.openTab().environment.openChannel('handrail:c');
    const notified: unknown[] = [];
    newer.onmessage = ({ data }) => notified.push(data);
    newer.postMessage({ type: 'ask', id: 'x', request: { action: 'dance', args: [] }, tabId: 'newer' });
    await settledIn();
    expect(notified).toMatchObject([{ type: 'reply', id: 'x', error: { message: /dance/ } }]);
    expect(a.backend.commands).toMatchObject([{ input: { USER_MESSAGE: 'Hi' } }]);
  });

  it('a turn that a tab stopped is over in that tab at once: it takes no answer, and takes a message', async () => {
    const openPage = createTabOpener({ clientTools: { ask: 'interactive' } });
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('Hi');
    a.backend.requests[0]?.send(...asked);
    await settledIn();
    const tool = b.chat.getState().pendingClientTools.ask?.[0];
    b.chat.stop();
    expect(tool?.submit('late')).toEqual({ settled: false, reason: 'already-settled' });
    const sent = b.chat.sendMessage('Something else');
    await settledIn();
    a.backend.requests.at(-1)?.send(stopped);
    await expect(sent).resolves.toBeUndefined();
    expect(a.backend.commands.map(({ type }) => type)).toEqual(['trigger', 'stop', 'trigger']);
  });

  it('a tab that stopped one turn may answer in the next', async () => {
    const openPage = createTabOpener({ clientTools: { ask: 'interactive' } });
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('one');
    await settledIn();
    b.chat.stop();
    await settledIn();
    void a.chat.sendMessage('two');
    await settledIn();
    a.backend.requests.at(-1)?.send(...asked);
    await settledIn();
    expect(b.chat.getState().pendingClientTools.ask?.[0]?.submit('yes')).toEqual({ settled: true });
    await settledIn();
    expect(a.backend.commands.at(-1)).toMatchObject({ type: 'respond', answers: [{ result: 'yes' }] });
  });

  it('a second answer is refused while the owner has not confirmed the first', async () => {
    const openPage = createTabOpener({ clientTools: { ask: 'interactive' } });
    const [a, b] = [await openPage(), await openPage()];
    await askIn(a);
    const tool = b.chat.getState().pendingClientTools.ask?.[0];
    expect(tool?.submit('first')).toEqual({ settled: true });
    await Promise.resolve();
    expect(b.chat.getState().pendingClientTools.ask).toHaveLength(1);
    expect(tool?.submit('second')).toEqual({ settled: false, reason: 'already-settled' });
  });

  it('a call that expires closes in every tab, without the notice answered_elsewhere', async () => {
    const ask = defineClientTool({ interactive: true, timeoutMs: 1000 });
    const openPage = createTabOpener({ clientTools: { ask } });
    const [a, b] = [await openPage(), await openPage()];
    await askIn(a);
    expect(b.chat.getState().pendingClientTools.ask).toHaveLength(1);
    await a.clock.advance(1000);
    await settledIn();
    expect(b.chat.getState().pendingClientTools).toEqual({});
    expect([...a.notified, ...b.notified]).toEqual([]);
  });

  it('a destroyed tab answers no call, and the call stays open in the other tabs', async () => {
    const openPage = createTabOpener({ clientTools: { ask: 'interactive' } });
    const [a, b] = [await openPage(), await openPage()];
    await askIn(a);
    const tool = b.chat.getState().pendingClientTools.ask?.[0];
    b.chat.destroy();
    expect(tool?.submit('yes')).toEqual({ settled: false, reason: 'already-settled' });
    expect(b.chat.getState()).toMatchObject({ status: 'idle', pendingClientTools: {} });
    await settledIn();
    expect(a.chat.getState().pendingClientTools.ask).toHaveLength(1);
    expect([...a.notified, ...b.notified]).toEqual([]);
  });

  it('stop() and errors reach every tab', async () => {
    const openPage = createTabOpener();
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('one');
    await settledIn();
    b.chat.stop();
    await settledIn();
    expect(a.notified).toEqual(['stop']);
    expect([a, b].map(({ chat }) => chat.getState().status)).toEqual(['idle', 'idle']);
    void b.chat.sendMessage('two');
    await settledIn();
    a.backend.requests.at(-1)?.fail(new Error('offline'));
    await settledIn();
    expect(b.chat.getState().status).toBe('error');
    expect(b.chat.getState().error).toBeInstanceOf(AgentChatError);
    expect(b.chat.getState().error).toMatchObject({
      code: 'connection_failed',
      message: 'offline',
      retryable: true,
    });
    b.chat.clearError();
    await settledIn();
    expect(a.chat.getState().status).toBe('idle');
  });
});

describe('the connection of the owner tab', () => {
  const browser = () => {
    const { openTab } = createFakeBrowser();
    const storage = createMemoryStorage();
    return async () => {
      const tab = openTab();
      const server = createFakeServer();
      const transport = createSocketTransport({
        connect: () => server.connect(),
        clock: createManualClock(),
      });
      const chat = createAgentChat({
        id: 'c',
        transport,
        persistence: createPersistence({ storage, tabs: tab.environment }),
      });
      chat.subscribe(() => {});
      await settledIn();
      return { chat, server, tab };
    };
  };

  it('the connection of the owner is shown in a later tab until that tab becomes the owner', async () => {
    const openPage = browser();
    const a = await openPage();
    await a.chat.connect?.();
    const b = await openPage();
    expect(b.chat.getState().connectionState).toBe('connected');
    a.tab.crash();
    await settledIn();
    expect(b.chat.getState().connectionState).toBe('disconnected');
  });

  it('the connection of the owner closes when the owner is frozen, and the next owner opens its own', async () => {
    const openPage = browser();
    const [a, b] = [await openPage(), await openPage()];
    await a.chat.connect?.();
    void a.chat.sendMessage('order');
    await settledIn();
    a.tab.freeze();
    await settledIn();
    expect(a.server.socket.closed).toBe(true);
    void b.chat.sendMessage('more');
    await settledIn();
    expect(b.server.sockets).toHaveLength(1);
  });

  it('a connection failure is shown in every tab, also when its cause cannot be cloned', async () => {
    const openPage = browser();
    const [a, b] = [await openPage(), await openPage()];
    a.server.refuse = { toString: () => 'an Event of a browser' };
    await expect(a.chat.connect?.()).rejects.toMatchObject({ code: 'connection_failed' });
    await settledIn();
    const { connectionState, connectionError } = b.chat.getState();
    expect([connectionState, connectionError?.message]).toEqual(['error', 'Connection failed']);
    expect(connectionError).toBeInstanceOf(AgentChatError);
  });
});

it('parsed arguments that cannot be cloned are parsed in each tab', async () => {
  const input = z.object({ at: z.coerce.date().transform((at) => ({ at, format: () => at.toISOString() })) });
  const openPage = createTabOpener({ clientTools: { ask: defineClientTool({ input, interactive: true }) } });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  const at = '2026-01-02T03:04:05.000Z';
  a.backend.requests[0]?.send(
    start,
    request({ toolCallId: '1', toolName: 'ask', args: { at } }),
    awaitingAnswers,
  );
  await settledIn();
  for (const { chat } of [a, b, await openPage()]) {
    const args = chat.getState().pendingClientTools.ask?.[0]?.args as { at: { format(): string } };
    expect(args.at.format()).toBe(at);
  }
});

it('repeated changes, or changes after a gap, do not alter the state of a tab', async () => {
  const browser = createFakeBrowser();
  const openPage = createTabOpener({}, { browser });
  const [a, b] = [await openPage(), await openPage()];
  const channel = browser.openTab().environment.openChannel('handrail:c');
  const sent: { type: string; count: number }[] = [];
  channel.onmessage = ({ data }) => sent.push(data);
  void a.chat.sendMessage('Hi');
  await settledIn();
  a.backend.requests[0]?.send(start, ...text('t', 'Hel'));
  await settledIn();
  const last = sent.filter(({ type }) => type === 'changes').at(-1);
  for (const missed of [0, 50]) {
    channel.postMessage({ ...last, count: Number(last?.count) + missed });
    await settledIn();
    a.backend.requests[0]?.send({ type: 'text-delta', id: 't', delta: 'lo' });
    await settledIn();
    expect(b.chat.getState().messages).toEqual(a.chat.getState().messages);
  }
});

it('foreign messages on the channel of the conversation are ignored', async () => {
  const browser = createFakeBrowser();
  const stranger = browser.openTab().environment.openChannel('handrail:c');
  const openPage = createTabOpener({ clientTools: { ask: 'interactive' } }, { browser });
  const [a, b] = [await openPage(), await openPage()];
  for (const noise of [null, 7, 'hello', [], { type: 'dance' }]) stranger.postMessage(noise);
  void b.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(...asked);
  await settledIn();
  expect(b.chat.getState().pendingClientTools.ask).toHaveLength(1);
});

const ask = (request: unknown) => ({ type: 'ask', id: 'x', tabId: 't', request });
const MALFORMED: readonly (readonly [string, unknown])[] = [
  ['a change that is null', { type: 'changes', changes: [null] }],
  ['changes that are no list', { type: 'changes', changes: 7 }],
  ['no changes', { type: 'changes' }],
  ['a change without its fields', { type: 'changes', changes: [{ type: 'call-settled' }] }],
  ['an event that is null', { type: 'changes', changes: [{ type: 'event', event: null }] }],
  ['a conversation without a snapshot', { type: 'conversation' }],
  ['a conversation that is no text', { type: 'conversation', snapshot: {} }],
  ['a reply without an id', { type: 'reply' }],
  ['a reply with the error 7', { type: 'reply', id: 'x', error: 7 }],
  ['a request without an action', { type: 'ask', id: 'x', tabId: 't' }],
  ['a request without arguments', ask({ action: 'settle' })],
  ['a request with the arguments 7', ask({ action: 'settle', args: 7 })],
  ['a message that is null', ask({ action: 'post', args: [null] })],
];

it.each(MALFORMED)('a tab ignores %s on the channel and stays in step with the owner', async (_, message) => {
  const thrown: unknown[] = [];
  const browser = createFakeBrowser({ onThrown: (error) => thrown.push(error) });
  const stranger = browser.openTab().environment.openChannel('handrail:c');
  const openPage = createTabOpener({ clientTools: { ask: 'interactive' } }, { browser });
  const [a, b] = [await openPage(), await openPage()];
  void a.chat.sendMessage('order');
  await settledIn();
  a.backend.requests[0]?.send(start);
  await settledIn();
  // A change is read only if it has the next number.
  for (const count of [undefined, 'x', Number.NaN, 0, 1, 2, 3, 4, 5, 6, 7, 8]) {
    stranger.postMessage({ ...(message as object), count });
    await settledIn();
  }
  expect(thrown).toEqual([]);
  a.backend.requests[0]?.send(...asked.slice(1));
  a.backend.requests[0]?.end();
  await settledIn();
  expect(b.chat.getState().messages).toEqual(a.chat.getState().messages);
  expect(b.chat.getState().pendingClientTools.ask?.[0]?.submit('yes')).toEqual({ settled: true });
  await settledIn();
  expect(a.backend.commands).toMatchObject([{ type: 'trigger' }, { type: 'respond' }]);
});

it('a change of unknown type from a tab of a later version is ignored', async () => {
  const browser = createFakeBrowser();
  const openPage = createTabOpener({}, { browser });
  const [a, b] = [await openPage(), await openPage()];
  const channel = browser.openTab().environment.openChannel('handrail:c');
  let next = 0;
  channel.onmessage = ({ data }) => {
    if (data.type === 'changes') next = data.count + data.changes.length;
  };
  void a.chat.sendMessage('Hi');
  await settledIn();
  channel.postMessage({ type: 'changes', changes: [{ type: 'call-delegated' }], count: next });
  await settledIn();
  // The following tab counts this change in the place of `start`.
  a.backend.requests[0]?.send(start, ...text('t', 'Hello'), stopped);
  await settledIn();
  expect(b.chat.getState()).toEqual(a.chat.getState());
});
