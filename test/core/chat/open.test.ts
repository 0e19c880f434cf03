import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { RespondCommand } from '../../../src/core/protocol/commands.ts';
import type { SnapshotEvent } from '../../../src/core/protocol/events.ts';
import type { SettledCall } from '../../../src/core/tools/settled-call.ts';
import type { AgentChat, AgentChatOptions, InteractiveTool } from '../../../src/core.ts';
import type { ModelEvent } from '../../../src/server/agent.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import type { Principal } from '../../../src/shared/principal.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { calls, collect, createListAgent, hello, stop, text } from '../../server/support.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';
import { type Device, shareSession } from '../../support/shared-session.ts';

const ADA: Principal = { id: 'ada', name: 'Ada', roles: ['support'] };
const BOB: Principal = { id: 'bob', name: 'Bob' };
const interactive = { clientTools: { ask: 'interactive' } } satisfies Partial<AgentChatOptions>;
const supportOnly = { mayAnswer: (person: Principal) => person.roles?.includes('support') === true };

/** Shows the chat, as a page does, until the end of the test. */
function show({ chat }: Device): AgentChat {
  chat.subscribe(() => {});
  onTestFinished(() => chat.destroy());
  return chat;
}

/** Resolves when the chat has the status. */
function until(chat: AgentChat, status: string): Promise<void> {
  return untilState(chat, () => chat.getState().status === status);
}

function untilState(chat: AgentChat, passes: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (passes()) resolve();
      return passes();
    };
    if (check()) return;
    const unsubscribe = chat.subscribe(() => {
      if (check()) unsubscribe();
    });
  });
}

function firstCall(chat: AgentChat): InteractiveTool {
  const [call] = chat.getState().pendingCalls;
  if (call === undefined) throw new Error('no call waits');
  return call;
}

function callParts(chat: AgentChat) {
  return chat.getState().messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'));
}

function texts(chat: AgentChat): string[] {
  return chat
    .getState()
    .messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
}

/** Publishes frames, and lets promises, streams and the digests of steps go on, until the condition holds. */
async function eventually(passes: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000 && !passes(); turn += 1) await new Promise((next) => setImmediate(next));
  expect(passes()).toBe(true);
}

describe('open', () => {
  it('a device that knows nothing shows the question, answers it, and the run goes on there', async () => {
    const { device } = shareSession({ agent: createListAgent(calls('ask'), [...text('Thanks'), stop]) });
    const laptop = show(device(BOB, interactive));
    await laptop.sendMessage('hello');
    const phone = show(device(BOB, interactive));
    await phone.open?.();
    expect(phone.getState().status).toBe('awaiting-input');
    expect(texts(phone)).toEqual(['hello', '']);
    firstCall(phone).submit('from the phone');
    await until(phone, 'idle');
    expect(texts(phone)).toEqual(['hello', 'Thanks']);
    expect(callParts(phone)).toMatchObject([{ status: 'done', result: 'from the phone' }]);
  });

  it('a page that has opened the conversation leaves it as it is when it goes away', async () => {
    const { device } = shareSession({ agent: createListAgent(calls('ask'), [...text('Thanks'), stop]) });
    const laptop = device(BOB, { ...interactive, openOnStart: true });
    await show(laptop).sendMessage('hello');
    laptop.chat.destroy();
    const settled: SettledCall[] = [];
    const phone = device(ADA, { ...interactive, onCallSettled: (call) => settled.push(call) });
    await show(phone).open?.();
    phone.chat.destroy();
    expect([...laptop.sent, ...phone.sent]).not.toContain('stop');
    expect(settled).toEqual([]);
    const last = show(device(BOB, interactive));
    await last.open?.();
    expect(last.getState().status).toBe('awaiting-input');
  });

  it('stop ends the run that was opened', async () => {
    const { device } = shareSession({ agent: createListAgent(calls('ask'), [stop]) });
    await show(device(BOB, { ...interactive, openOnStart: true })).sendMessage('hello');
    const phone = device(ADA, interactive);
    await show(phone).open?.();
    phone.chat.stop();
    await eventually(() => phone.sent.includes('stop'));
    expect(phone.chat.getState()).toMatchObject({ status: 'idle', pendingCalls: [] });
  });

  it('an empty session gives no messages and status idle', async () => {
    const { device } = shareSession({ agent: createListAgent([stop]) });
    const phone = device();
    await show(phone).open?.();
    expect(phone.chat.getState()).toMatchObject({ messages: [], status: 'idle', error: null });
    expect(phone.sent).toEqual(['open']);
  });

  it('a finished conversation is replaced by that of the server, and goes on with the next message', async () => {
    const agent = createListAgent([...text('Hi'), stop], [...text('Again'), stop]);
    const { device } = shareSession({ agent });
    await show(device(BOB)).sendMessage('hello');
    const phone = show(device(BOB));
    await phone.open?.();
    expect(texts(phone)).toEqual(['hello', 'Hi']);
    expect(phone.getState().messages.map(({ createdAt }) => createdAt instanceof Date)).toEqual([true, true]);
    await phone.sendMessage('more');
    expect(texts(phone)).toEqual(['hello', 'Hi', 'more', 'Again']);
  });

  it('a run that is under way is shown from its start to its end', async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const agent = async function* (): AsyncGenerator<ModelEvent> {
      yield { type: 'text-start', id: 't' };
      yield { type: 'text-delta', id: 't', delta: 'Hel' };
      await gate;
      yield { type: 'text-delta', id: 't', delta: 'lo' };
      yield stop;
    };
    const { device } = shareSession({ agent });
    const laptop = show(device(BOB));
    const sent = laptop.sendMessage('hello');
    await eventually(() => texts(laptop).includes('Hel'));
    const phone = show(device(BOB));
    const opened = phone.open?.();
    await eventually(() => texts(phone).includes('Hel'));
    expect(phone.getState().status).toBe('streaming');
    goOn();
    await Promise.all([sent, opened]);
    expect([texts(laptop), texts(phone)]).toEqual([
      ['hello', 'Hello'],
      ['hello', 'Hello'],
    ]);
  });

  it('open does nothing while a request of this page is open', async () => {
    const { device } = shareSession({ agent: createListAgent([...text('Hi'), stop]) });
    const phone = device();
    const sent = show(phone).sendMessage('hello');
    await phone.chat.open?.();
    await sent;
    expect(phone.sent).toEqual(['trigger']);
    expect(texts(phone.chat)).toEqual(['hello', 'Hi']);
  });

  it('what was typed into a waiting call stays when the page opens the conversation again', async () => {
    const { device } = shareSession({ agent: createListAgent(calls('ask'), [stop]) });
    const page = show(device(BOB, interactive));
    await page.sendMessage('hello');
    const call = firstCall(page);
    call.saveInput({ note: 'half' });
    await page.open?.();
    expect(firstCall(page)).toBe(call);
    expect(call.getSavedInput()).toEqual({ note: 'half' });
  });

  it('a call that is no longer open on the server closes', async () => {
    const { device } = shareSession({ agent: createListAgent(calls('ask'), [...text('Thanks'), stop]) });
    const settled: SettledCall[] = [];
    const laptop = show(device(BOB, { ...interactive, onCallSettled: (call) => settled.push(call) }));
    await laptop.sendMessage('hello');
    const phone = show(device(BOB, interactive));
    await phone.open?.();
    firstCall(phone).submit('yes');
    await until(phone, 'idle');
    await laptop.open?.();
    expect(laptop.getState()).toMatchObject({ status: 'idle', pendingCalls: [] });
    expect(texts(laptop)).toEqual(['hello', 'Thanks']);
    expect(settled).toMatchObject([{ outcome: 'expired', answeredBy: 'nobody' }]);
  });

  it('a server that cannot be reached is an error, and retry opens again', async () => {
    const { device, clock } = shareSession({ agent: createListAgent([...text('Hi'), stop]) });
    await show(device(BOB)).sendMessage('hello');
    const phone = device(BOB);
    phone.goOffline();
    const opened = show(phone).open?.();
    await clock.advance(60_000);
    await opened;
    expect(phone.chat.getState()).toMatchObject({ status: 'error', error: { code: 'connection_lost' } });
    phone.goOnline();
    await phone.chat.retry();
    expect(phone.chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(texts(phone.chat)).toEqual(['hello', 'Hi']);
  });
});

describe('openOnStart', () => {
  const opening = { ...interactive, openOnStart: true };

  it('a chat opens the conversation at its first use', async () => {
    const { device } = shareSession({ agent: createListAgent([...text('Hi'), stop]) });
    await show(device(BOB)).sendMessage('hello');
    const phone = device(BOB, opening);
    expect(phone.sent).toEqual([]);
    show(phone);
    await eventually(() => texts(phone.chat).length === 2);
    // The second one follows the conversation at rest.
    await eventually(() => phone.sent.length === 2);
    expect(phone.sent).toEqual(['open', 'open']);
  });

  it('a message that is sent at once goes out after the conversation has arrived', async () => {
    const { device } = shareSession({ agent: createListAgent([...text('Hi'), stop]) });
    await show(device(BOB)).sendMessage('hello');
    const phone = show(device(BOB, opening));
    await phone.sendMessage('more');
    expect(texts(phone)).toEqual(['hello', 'Hi', 'more', 'Hi']);
  });

  it('an answer that is given on another device closes the question here, and the run continues here', async () => {
    const { device } = shareSession({ agent: createListAgent(calls('ask'), [...text('Thanks'), stop]) });
    const settled: SettledCall[] = [];
    const laptop = device(ADA, { ...opening, onCallSettled: (call) => settled.push(call) });
    await show(laptop).sendMessage('hello');
    await eventually(() => laptop.sent.length === 3);
    const phone = show(device(BOB, interactive));
    await phone.open?.();
    firstCall(phone).submit('from Bob');
    await until(phone, 'idle');
    await eventually(() => laptop.chat.getState().status === 'idle');
    expect(texts(laptop.chat)).toEqual(['hello', 'Thanks']);
    expect(callParts(laptop.chat)).toMatchObject([
      { status: 'done', result: 'from Bob', outcome: 'submitted', answeredBy: { id: 'bob', name: 'Bob' } },
    ]);
    expect(settled).toMatchObject([
      { outcome: 'submitted', answeredBy: 'person', person: { id: 'bob', name: 'Bob' } },
    ]);
    // The page has sent its message, and nothing else but what reads the conversation.
    await eventually(() => laptop.sent.length === 4);
    expect(laptop.sent).toEqual(['open', 'trigger', 'open', 'open']);
    expect(laptop.notified).toEqual([]);
  });

  it('a decline on another device is shown as declined', async () => {
    const { device } = shareSession({ agent: createListAgent(calls('ask'), [stop]) });
    const laptop = show(device(ADA, opening));
    await laptop.sendMessage('hello');
    const phone = show(device(BOB, interactive));
    await phone.open?.();
    firstCall(phone).decline('too dear');
    await eventually(() => laptop.getState().status === 'idle');
    expect(callParts(laptop)).toMatchObject([{ outcome: 'declined', answeredBy: { id: 'bob' } }]);
  });

  it('an answer of this page leaves the follow, and is sent once', async () => {
    const agent = createListAgent(calls('ask'), [...text('Thanks'), stop]);
    const { device } = shareSession({ agent });
    const laptop = device(ADA, opening);
    await show(laptop).sendMessage('hello');
    firstCall(laptop.chat).submit('yes');
    await until(laptop.chat, 'idle');
    await eventually(() => laptop.sent.length === 5);
    expect(laptop.sent).toEqual(['open', 'trigger', 'open', 'continue', 'open']);
    expect(agent.contexts).toHaveLength(2);
    expect(texts(laptop.chat)).toEqual(['hello', 'Thanks']);
  });

  it('a follow that breaks is opened again, however often, and is no error of the chat', async () => {
    const { device, clock } = shareSession({
      agent: createListAgent(calls('ask'), [...text('Thanks'), stop]),
    });
    const laptop = device(ADA, opening);
    await show(laptop).sendMessage('hello');
    laptop.goOffline();
    await clock.advance(600_000);
    expect(laptop.chat.getState()).toMatchObject({ status: 'awaiting-input', error: null });
    const phone = show(device(BOB, interactive));
    await phone.open?.();
    firstCall(phone).submit('from Bob');
    await until(phone, 'idle');
    laptop.goOnline();
    await clock.advance(60_000);
    await eventually(() => laptop.chat.getState().status === 'idle');
    expect(texts(laptop.chat)).toEqual(['hello', 'Thanks']);
    expect(laptop.notified).toEqual([]);
  });

  it('a session that goes on with another message replaces the conversation here', async () => {
    const agent = createListAgent(calls('ask'), [...text('Other'), stop]);
    const { device, session } = shareSession({ agent });
    const laptop = device(ADA, opening);
    await show(laptop).sendMessage('hello');
    await eventually(() => laptop.sent.length === 3);
    const payload = { ...hello, input: { USER_MESSAGE: 'never mind' } };
    await collect(session.execute(payload, { principal: BOB }));
    await eventually(() => texts(laptop.chat).includes('Other'));
    await eventually(() => laptop.chat.getState().status === 'idle');
    expect(texts(laptop.chat)).toEqual(['hello', '', 'never mind', 'Other']);
    expect(laptop.chat.getState().pendingCalls).toEqual([]);
  });
});

describe('openOnStart with a server that the test plays', () => {
  const opening = { clientTools: { ask: 'interactive' }, openOnStart: true } as const;
  const snapshot = (more: Partial<SnapshotEvent> = {}): SnapshotEvent => ({
    type: 'snapshot',
    messages: [],
    openCalls: [],
    ...more,
  });

  function open() {
    const scripted = scriptedChat(opening, createScriptedTransport({ open: true }));
    scripted.chat.subscribe(() => {});
    onTestFinished(() => scripted.chat.destroy());
    return scripted;
  }

  it('a follow that the server refuses ends, and the question stays', async () => {
    const { chat, backend, notified } = open();
    const opened = await backend.request(0);
    const part = {
      type: 'tool-call',
      toolCallId: 'c',
      toolName: 'ask',
      args: {},
      status: 'running',
    } as const;
    const asking = {
      id: 'm',
      role: 'assistant',
      parts: [part],
      status: 'done',
      createdAt: new Date(0),
    } as const;
    opened.send(
      snapshot({ messages: [asking], openCalls: [call('c', 'ask')], executionId: 'e1', cursor: '4' }),
    );
    opened.end();
    const follow = await backend.request(1);
    expect(follow.command).toEqual({ type: 'open', executionId: 'e1', cursor: '4', follow: true });
    follow.fail(new AgentChatError({ code: 'http_error', message: 'Forbidden', status: 403 }));
    await settled();
    expect(chat.getState()).toMatchObject({ status: 'awaiting-input', error: null });
    expect([backend.commands.length, notified]).toEqual([2, []]);
    firstCall(chat).submit('yes');
    await settled();
    expect(backend.commands.at(-1)).toMatchObject({ type: 'respond', executionId: 'e1' });
  });

  it('a run that was under way and breaks off before its start is an error', async () => {
    const { chat, backend } = open();
    const opened = await backend.request(0);
    opened.send(snapshot({ executionId: 'e1', cursor: '0' }));
    await settled();
    expect(chat.getState().status).toBe('streaming');
    opened.end();
    await settled();
    expect(chat.getState()).toMatchObject({ status: 'error', error: { code: 'stream_interrupted' } });
  });
});

describe('a page with openOnStart at rest', () => {
  const spoken = (...answers: string[]) =>
    createListAgent(...answers.map((answer) => [...text(answer), stop]));

  it('a page at rest shows the turns that another device starts, each once', async () => {
    const { device } = shareSession({ agent: spoken('One', 'Two') });
    const page = device(ADA, { openOnStart: true });
    show(page);
    const other = show(device(BOB));
    await other.sendMessage('first');
    await eventually(() => texts(page.chat).includes('One') && page.chat.getState().status === 'idle');
    await other.sendMessage('second');
    await eventually(() => texts(page.chat).includes('Two') && page.chat.getState().status === 'idle');
    expect(texts(page.chat)).toEqual(['first', 'One', 'second', 'Two']);
    expect(page.notified).toEqual([]);
  });

  it('a page at rest shows a message that was edited on another device without what followed it', async () => {
    const { device } = shareSession({ agent: spoken('One', 'Two') });
    const other = show(device(BOB));
    await other.sendMessage('first');
    const page = show(device(ADA, { openOnStart: true }));
    await eventually(() => texts(page).includes('One') && page.getState().status === 'idle');
    const [message] = other.getState().messages;
    await other.editMessage?.(message?.id ?? '', 'changed');
    await eventually(() => texts(page).includes('Two') && page.getState().status === 'idle');
    expect(texts(page)).toEqual(['changed', 'Two']);
  });

  it('a page at rest reads its own turn by its own request alone, and then the turn of another device', async () => {
    const { device } = shareSession({ agent: spoken('One', 'Two', 'Three') });
    const started: string[] = [];
    const page = device(ADA, {
      openOnStart: true,
      onStart: ({ executionId = '' }) => started.push(executionId),
    });
    show(page);
    await eventually(() => page.sent.length === 2);
    await page.chat.sendMessage('mine');
    expect(texts(page.chat)).toEqual(['mine', 'One']);
    await show(device(BOB)).sendMessage('theirs');
    await eventually(() => texts(page.chat).includes('Two') && page.chat.getState().status === 'idle');
    await page.chat.sendMessage('mine again');
    expect(texts(page.chat)).toEqual(['mine', 'One', 'theirs', 'Two', 'mine again', 'Three']);
    expect(new Set(started).size).toBe(started.length);
    expect(page.sent).toEqual(['open', 'open', 'trigger', 'open', 'open', 'trigger', 'open']);
  });

  it('a page shows the message with which another device takes the place of its own run', async () => {
    let invoked = 0;
    const agent = async function* ({ signal }: { signal: AbortSignal }): AsyncGenerator<ModelEvent> {
      yield* text('Hel');
      invoked += 1;
      if (invoked === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield stop;
    };
    const { device } = shareSession({ agent });
    const page = show(device(ADA, { openOnStart: true }));
    void page.sendMessage('mine');
    await eventually(() => texts(page).includes('Hel'));
    await show(device(BOB)).sendMessage('theirs');
    await eventually(() => texts(page).includes('theirs') && page.getState().status === 'idle');
    expect(texts(page)).toEqual(['mine', 'Hel', 'theirs', 'Hel']);
  });

  it('a page that stopped its turn shows the end of it once, and then the turn of another device', async () => {
    let invoked = 0;
    const agent = async function* ({ signal }: { signal: AbortSignal }): AsyncGenerator<ModelEvent> {
      invoked += 1;
      yield* text(`Answer ${invoked}`);
      if (invoked === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield stop;
    };
    const { device } = shareSession({ agent });
    const page = device(ADA, { openOnStart: true });
    void show(page).sendMessage('mine');
    await eventually(() => texts(page.chat).includes('Answer 1'));
    page.chat.stop();
    await eventually(() => page.sent.includes('stop'));
    expect(page.chat.getState().status).toBe('idle');
    await show(device(BOB)).sendMessage('theirs');
    await eventually(() => texts(page.chat).includes('Answer 2') && page.chat.getState().status === 'idle');
    expect(texts(page.chat)).toEqual(['mine', 'Answer 1', 'theirs', 'Answer 2']);
  });

  it('a page that is left at rest ends its request', async () => {
    const { chat, backend } = scriptedChat({ openOnStart: true }, createScriptedTransport({ open: true }));
    chat.subscribe(() => {});
    const opened = await backend.request(0);
    opened.send({
      type: 'snapshot',
      messages: [],
      openCalls: [],
      restsAt: { executionId: 'e1', cursor: '4' },
    });
    opened.end();
    const follow = await backend.request(1);
    expect(follow.command).toEqual({ type: 'open', executionId: 'e1', cursor: '4', follow: true });
    chat.destroy();
    expect(follow.signal.aborted).toBe(true);
  });

  it('a page does not follow at rest where the server does not say where the conversation rests', async () => {
    const { chat, backend } = scriptedChat({ openOnStart: true }, createScriptedTransport({ open: true }));
    chat.subscribe(() => {});
    const opened = await backend.request(0);
    opened.send({ type: 'snapshot', messages: [], openCalls: [] });
    opened.end();
    await settled();
    expect(chat.getState().status).toBe('idle');
    expect(backend.commands).toHaveLength(1);
    chat.destroy();
  });
});

describe('calls of other people', () => {
  it('an answer that waits for the one of somebody else goes out when that one is there', async () => {
    const agent = createListAgent(calls('ask', 'approve'), [...text('Thanks'), stop]);
    const { device, session } = shareSession({ agent });
    const tools = { clientTools: { ask: 'interactive', approve: 'interactive' } } as const;
    const laptop = device(ADA, { ...tools, openOnStart: true });
    await show(laptop).sendMessage('hello');
    await eventually(() => laptop.sent.length === 3);
    laptop.chat.getState().pendingClientTools.ask?.[0]?.submit('from Ada');
    const [event] = await collect(session.execute({ type: 'open' }, { principal: BOB }));
    const { executionId = '' } = event as SnapshotEvent;
    const toolResults = [{ toolCallId: 'approve-id', toolName: 'approve', result: 'from Bob' }];
    await collect(
      session.execute({ type: 'continue', executionId, toolResults, partial: true }, { principal: BOB }),
    );
    await eventually(() => texts(laptop.chat).includes('Thanks'));
    expect(agent.contexts.at(-1)?.messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { result: 'from Ada' },
      { result: 'from Bob' },
    ]);
  });

  it('a call that this person may not answer waits without running a handler', async () => {
    const ran: string[] = [];
    const { device } = shareSession({
      agent: createListAgent(calls('ask'), [...text('Thanks'), stop]),
      ...supportOnly,
    });
    const page = show(device(BOB, { clientTools: { ask: () => ran.push('ask') } }));
    await page.sendMessage('hello');
    expect(page.getState().status).toBe('awaiting-input');
    expect(firstCall(page)).toMatchObject({ toolName: 'ask', mayAnswer: false });
    expect(firstCall(page).submit('mine')).toEqual({ settled: false, reason: 'not-allowed' });
    expect(ran).toEqual([]);
  });

  it('a tool that the page does not know waits as well', async () => {
    const { device } = shareSession({ agent: createListAgent(calls('ask'), [stop]), ...supportOnly });
    const page = show(device(BOB));
    await page.sendMessage('hello');
    expect(firstCall(page)).toMatchObject({ mayAnswer: false });
  });

  it('the answers of this page go out while others wait for other people, and the last answer lets the run go on', async () => {
    const agent = createListAgent(calls('ask', 'approve'), [...text('Thanks'), stop]);
    const { device } = shareSession({
      agent,
      mayAnswer: ({ roles }, { toolName }) => toolName === 'ask' || roles?.includes('support') === true,
    });
    const tools = { clientTools: { ask: 'interactive', approve: 'interactive' } } as const;
    const bob = device(BOB, { ...tools, openOnStart: true });
    await show(bob).sendMessage('hello');
    bob.chat.getState().pendingClientTools.ask?.[0]?.submit('from Bob');
    await eventually(
      () => bob.sent.includes('continue partial') && bob.chat.getState().pendingCalls.length === 1,
    );
    expect(bob.chat.getState().status).toBe('awaiting-input');
    const ada = show(device(ADA, tools));
    await ada.open?.();
    expect(ada.getState().pendingCalls).toMatchObject([{ toolName: 'approve' }]);
    expect(callParts(ada)).toMatchObject([
      { toolName: 'ask', answeredBy: { id: 'bob' } },
      { toolName: 'approve' },
    ]);
    firstCall(ada).submit('from Ada');
    await until(ada, 'idle');
    await eventually(() => bob.chat.getState().status === 'idle');
    expect(texts(bob.chat)).toEqual(['hello', 'Thanks']);
    expect(agent.contexts.at(-1)?.messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { result: 'from Bob' },
      { result: 'from Ada' },
    ]);
  });

  it('each approval that somebody else gives shows at once, while the own question still waits', async () => {
    const approve = defineServerTool({
      approval: 'always',
      mayAnswer: ({ roles }) => roles?.includes('support') === true,
      execute: () => 'approved',
    });
    const agent = createListAgent(calls('ask', 'approve', 'check'), [...text('Thanks'), stop]);
    const { device } = shareSession({
      agent,
      tools: { approve, check: approve },
      mayAnswer: ({ id }, { toolName }) => toolName !== 'ask' || id === BOB.id,
    });
    const bob = device(BOB, { ...interactive, openOnStart: true });
    await show(bob).sendMessage('hello');
    const ada = show(device(ADA, { ...interactive, openOnStart: true }));
    await until(ada, 'awaiting-input');
    const allow = (name: string) =>
      ada
        .getState()
        .pendingCalls.find(({ toolName }) => toolName === name)
        ?.submit({ confirmed: true });
    allow('approve');
    await eventually(() => bob.chat.getState().pendingCalls.length === 2);
    expect(callParts(bob.chat)).toMatchObject([
      { toolName: 'ask', status: 'running' },
      { toolName: 'approve', answeredBy: { id: 'ada', name: 'Ada' } },
      { toolName: 'check', status: 'running' },
    ]);
    allow('check');
    await eventually(() => bob.chat.getState().pendingCalls.length === 1);
    firstCall(bob.chat).submit('mine');
    await until(bob.chat, 'idle');
    await eventually(() => ada.getState().status === 'idle');
    expect(texts(ada)).toEqual(['hello', 'Thanks']);
  });

  it('a question that follows the answers of three people, and the end, show on the pages of all three', async () => {
    const CAROL = { id: 'carol', name: 'Carol', roles: ['warehouse', 'support'] };
    const by = (role: string, execute: Parameters<typeof defineServerTool>[0]['execute']) =>
      defineServerTool({
        approval: 'always',
        mayAnswer: ({ roles }) => roles?.includes(role) === true,
        execute,
      });
    const tools = {
      check: by('warehouse', () => 'checked'),
      refund: by('support', async (_args, { ask }) => ask({ message: 'Why?' })),
    };
    const agent = createListAgent(calls('ask', 'check', 'refund'), [...text('Thanks'), stop]);
    const { device } = shareSession({
      agent,
      tools,
      mayAnswer: ({ id }, { toolName }) => toolName !== 'ask' || id === BOB.id,
    });
    const more = { ...interactive, openOnStart: true };
    const bob = show(device(BOB, more));
    await bob.sendMessage('hello');
    const carol = show(device(CAROL, more));
    await until(carol, 'awaiting-input');
    const answer = async (page: AgentChat, name: string, result: unknown) => {
      const find = () =>
        page.getState().pendingCalls.find((tool) => tool.toolName === name && tool.mayAnswer !== false);
      await eventually(() => find() !== undefined);
      find()?.submit(result);
    };
    await answer(carol, 'check', { confirmed: true });
    const ada = show(device(ADA, more));
    await until(ada, 'awaiting-input');
    await answer(ada, 'refund', { confirmed: true });
    await answer(bob, 'ask', 'mine');
    await eventually(() =>
      ada.getState().pendingCalls.some(({ definition }) => definition?.description === 'Why?'),
    );
    await answer(ada, 'refund', { answer: 'broken' });
    for (const page of [ada, bob, carol]) {
      await eventually(() => texts(page).includes('Thanks'));
      await until(page, 'idle');
    }
  });

  it('an answer that turns out to be for other people waits for them, and says why', async () => {
    let isOpenToAll = true;
    const { device } = shareSession({
      agent: createListAgent(calls('ask'), [...text('Thanks'), stop]),
      mayAnswer: ({ roles }) => isOpenToAll || roles?.includes('support') === true,
    });
    const bob = device(BOB, interactive);
    await show(bob).sendMessage('hello');
    isOpenToAll = false;
    firstCall(bob.chat).submit('mine');
    await eventually(() => bob.chat.getState().pendingCalls.length === 1);
    expect(firstCall(bob.chat)).toMatchObject({
      mayAnswer: false,
      refusal: expect.stringContaining('may not answer'),
    });
    expect(bob.chat.getState()).toMatchObject({ status: 'awaiting-input', error: null });
    expect(callParts(bob.chat)).toMatchObject([{ status: 'running' }]);
    expect(callParts(bob.chat)[0]).not.toHaveProperty('outcome');
    isOpenToAll = true;
    await bob.chat.open?.();
    firstCall(bob.chat).submit('mine after all');
    await until(bob.chat, 'idle');
    expect(texts(bob.chat)).toEqual(['hello', 'Thanks']);
  });
});

it('an answer repeats the receipt of its call, and nothing of how it was asked', async () => {
  const { chat, backend } = scriptedChat(interactive);
  void chat.sendMessage('hello');
  const run = await backend.request(0);
  const question = { title: 'Sure?' };
  run.send(
    start,
    request({ ...call('c', 'ask'), receipt: 'signed', question, waitsFor: 'support' }),
    awaitingAnswers,
  );
  run.end();
  await settled();
  firstCall(chat).submit('yes');
  await settled();
  expect(backend.commands.at(-1)).toMatchObject({
    answers: [{ result: 'yes', echo: { receipt: 'signed' } }],
  });
  expect(backend.commands.at(-1)).not.toHaveProperty('partial');
  const [answer] = (backend.commands.at(-1) as RespondCommand).answers;
  expect(Object.keys(answer?.echo ?? {})).toEqual(['receipt']);
  chat.destroy();
});

describe('questions of the server', () => {
  const callRefund: ModelEvent[] = [
    { type: 'tool-request', toolCalls: [{ toolCallId: 'call-1', toolName: 'refund', args: { amount: 80 } }] },
    { type: 'finish', finishReason: 'tool-calls' },
  ];
  const agentOf = () => createListAgent(callRefund, [...text('Done'), stop]);

  it('the approval of a server tool is a confirmation, and the tool runs once when it is allowed', async () => {
    const paid: unknown[] = [];
    const refund = defineServerTool({
      title: 'Pay money back',
      description: 'Pays the customer',
      input: z.object({ amount: z.number() }),
      approval: 'always',
      severity: 'destructive',
      editable: true,
      confirmLabel: 'Pay',
      execute: ({ amount }) => paid.push(amount),
    });
    const { device } = shareSession({ agent: agentOf(), tools: { refund } });
    const page = show(device(ADA));
    await page.sendMessage('hello');
    expect(firstCall(page)).toMatchObject({
      toolName: 'refund',
      args: { amount: 80 },
      definition: {
        ui: 'confirm',
        title: 'Pay money back',
        description: 'Pays the customer',
        severity: 'destructive',
        confirmLabel: 'Pay',
        editable: true,
      },
    });
    firstCall(page).submit({ confirmed: true, editedArgs: { amount: 70 }, changedArgs: ['amount'] });
    await until(page, 'idle');
    expect(paid).toEqual([70]);
    expect(callParts(page)).toMatchObject([{ status: 'done', executedBy: 'server' }]);
    expect(texts(page)).toEqual(['hello', 'Done']);
  });

  it('a question in the middle of a tool is asked on another device, after the server was restarted', async () => {
    const answers: unknown[] = [];
    const refund = defineServerTool({
      async execute(_args, { ask, once }) {
        const { reason } = await ask({ message: 'Why?', output: z.object({ reason: z.string() }) });
        await once('pay', () => answers.push(reason));
        return 'paid';
      },
    });
    const shared = shareSession({ agent: agentOf(), tools: { refund } });
    await show(shared.device(BOB)).sendMessage('hello');
    shared.restart();
    const phone = show(shared.device(ADA));
    await phone.open?.();
    expect(firstCall(phone)).toMatchObject({
      toolCallId: expect.stringMatching(/^ask_/),
      definition: { ui: 'form', description: 'Why?' },
    });
    firstCall(phone).submit({ reason: 'broken' });
    await until(phone, 'idle');
    expect(answers).toEqual(['broken']);
    expect(texts(phone)).toEqual(['hello', 'Done']);
  });

  it('an answer that the server finds invalid waits again with the reason and with what was typed', async () => {
    const refund = defineServerTool({
      execute: async (_args, { ask }) =>
        ask({ message: 'Why?', output: z.object({ reason: z.string().min(3) }) }),
    });
    const { device } = shareSession({ agent: agentOf(), tools: { refund } });
    const page = device(ADA);
    await show(page).sendMessage('hello');
    const first = firstCall(page.chat);
    first.saveInput({ reason: 'no' });
    first.submit({ reason: 'no' });
    await eventually(() => page.chat.getState().pendingCalls.length === 1);
    const again = firstCall(page.chat);
    expect(again.refusal).toContain('is not valid');
    expect(again.getSavedInput()).toEqual({ reason: 'no' });
    again.submit({ reason: 'broken' });
    await until(page.chat, 'idle');
    expect(texts(page.chat)).toEqual(['hello', 'Done']);
    expect(page.notified).toEqual([]);
  });

  it('an answer that comes too late expires with the reason, and the page sees the rest of the run', async () => {
    const refund = defineServerTool({
      execute: async (_args, { ask }) => ask({ message: 'Why?', expiresInMs: 1_000 }).catch(String),
    });
    const { device, clock } = shareSession({ agent: agentOf(), tools: { refund } });
    const page = device(ADA, { openOnStart: true });
    await show(page).sendMessage('hello');
    const call = firstCall(page.chat);
    await clock.advance(2_000);
    expect(call.submit('late')).toEqual({ settled: false, reason: 'expired' });
    await eventually(() => page.chat.getState().status === 'idle');
    expect(texts(page.chat)).toEqual(['hello', 'Done']);
    expect(page.chat.getState().error).toBeNull();
  });
});
