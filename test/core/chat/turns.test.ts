import { describe, expect, it } from 'vitest';
import {
  AgentChatError,
  createAgentChat,
  createSocketTransport,
  type UIMessage,
  uiMessageSchema,
} from '../../../src/core.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { createDeferred } from '../../support/deferred.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../../support/scripted-events.ts';
import { createFakeServer } from '../transport/fake-socket.ts';

describe('createAgentChat', () => {
  const unsaid = { ...createScriptedTransport(), capabilities: undefined };

  it.each([
    ['no options', undefined, 'transport'],
    ['no transport', {}, 'transport'],
    ['an address as transport', { transport: '/api/agent' }, 'transport'],
    ['a transport that says nothing of itself', { transport: unsaid }, 'transport'],
    ['a list of tools', { transport: createScriptedTransport(), clientTools: ['ask'] }, 'clientTools'],
    ['tools that are no object', { transport: createScriptedTransport(), clientTools: 'ask' }, 'clientTools'],
    ['half a round', { transport: createScriptedTransport(), maxToolRounds: 0.5 }, 'maxToolRounds'],
  ])('createAgentChat with %s throws an error that names the option', (_, options, name) => {
    expect(() => createAgentChat(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(name) }),
    );
  });
});

describe('a turn', () => {
  it('a turn shows the user message at once, streams the answer and ends idle', async () => {
    const { chat, backend, notified } = scriptedChat();
    const sent = chat.sendMessage('Hi');
    expect(chat.getState().status).toBe('streaming');
    expect(chat.getState().messages).toMatchObject([{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }]);
    const run = await backend.request(0);
    expect(run.command).toEqual({
      type: 'trigger',
      triggerName: 'user-message',
      input: { USER_MESSAGE: 'Hi' },
      idempotencyKey: expect.any(String),
    });
    run.send(start, ...text('t', 'Hel'), { type: 'text-delta', id: 't', delta: 'lo' }, stopped);
    run.end();
    await sent;
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(chat.getState().messages[1]).toMatchObject({
      role: 'assistant',
      status: 'done',
      parts: [{ type: 'text', text: 'Hello', status: 'done' }],
    });
    expect(notified).toEqual(['finish stop']);
  });

  it('a turn adopts the message id of the backend, and retains it over continuations', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { now: () => 1 } });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(
      { type: 'start', messageId: 'm-1', executionId: 'run-1' },
      request(call('c', 'now')),
      awaitingAnswers,
    );
    (await backend.request(1)).send({ type: 'start', messageId: 'm-2' }, ...text('t', 'ok'), stopped);
    await settled();
    expect(chat.getState().messages.map(({ id }) => id)).toEqual([expect.any(String), 'm-1']);
  });

  it('a message id that the conversation already has is not adopted', async () => {
    const { chat, backend } = scriptedChat();
    for (const index of [0, 1]) {
      void chat.sendMessage('Hi');
      (await backend.request(index)).send({ type: 'start', messageId: 'm-1' }, ...text('t', 'ok'), stopped);
      await settled();
    }
    const ids = chat.getState().messages.map(({ id }) => id);
    expect(ids[1]).toBe('m-1');
    expect(new Set(ids).size).toBe(4);
  });

  it('a request without a start event names the run, and the usage so far remains', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { ask: 'interactive' } });
    void chat.sendMessage('Hi');
    const usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7 };
    (await backend.request(0)).send({ type: 'usage', usage }, request(call('c', 'ask')));
    await settled();
    expect(chat.getState().usage).toEqual(usage);
    chat.stop();
    expect(backend.commands.at(-1)).toEqual({ type: 'stop', executionId: 'run-1' });
  });

  it('a stop that cannot be sent ends the turn without an error', async () => {
    const backend = createScriptedTransport();
    const stop = () => {
      throw new Error('The socket is closed');
    };
    const { chat, notified } = scriptedChat({}, { ...backend, stop });
    const sent = chat.sendMessage('Hi');
    await backend.request(0);
    chat.stop();
    await sent;
    expect([chat.getState().status, notified]).toEqual(['idle', ['stop']]);
  });

  it('a stream that ends without finish is a typed, retryable error, and no part remains streaming', async () => {
    const { chat, backend, notified } = scriptedChat();
    const sent = chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, ...text('t', 'Hel'), { type: 'tool-input-start', toolCallId: 'c', toolName: 'x' });
    run.end();
    await sent;
    const { status, error, messages } = chat.getState();
    expect(status).toBe('error');
    expect(error).toMatchObject({ code: 'stream_interrupted', retryable: true });
    expect(messages[1]?.parts).toMatchObject([{ status: 'done' }, { status: 'cancelled' }]);
    expect(notified).toEqual(['error stream_interrupted']);
  });

  it.each([
    ['length', 'length'],
    ['content-filter', 'content-filter'],
    ['other', 'other'],
  ] as const)(
    'a finish event with reason %s ends the turn idle, and onFinish gets the reason',
    async (finishReason, named) => {
      const { chat, backend, notified } = scriptedChat();
      const sent = chat.sendMessage('Hi');
      (await backend.request(0)).send({ type: 'finish', finishReason });
      await sent;
      expect(chat.getState().status).toBe('idle');
      expect(notified).toEqual([`finish ${named}`]);
    },
  );

  it('onFinish gets the message as the state has it', async () => {
    const finished: [UIMessage, UIMessage | undefined][] = [];
    const { chat, backend } = scriptedChat({
      onFinish: ({ message }) => finished.push([message, chat.getState().messages.at(-1)]),
    });
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send(start, { type: 'text-start', id: 't' }, stopped);
    await sent;
    const [[message, shown] = []] = finished;
    expect(message).toMatchObject({ role: 'assistant', status: 'done', parts: [{ status: 'done' }] });
    expect(message).toBe(shown);
  });

  it('a finish event with reason error sets status error and calls onError, not onFinish', async () => {
    const { chat, backend, notified } = scriptedChat();
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send({ type: 'finish', finishReason: 'error' });
    await sent;
    expect(chat.getState()).toMatchObject({ status: 'error', error: { code: 'finish_error' } });
    expect(notified).toEqual(['error finish_error']);
  });

  it('a finish event finalises tool calls and operations too', async () => {
    const { chat, backend } = scriptedChat();
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send(
      { type: 'block-start', blockId: 'b', blockName: 'Save', blockType: 'set-resource', display: 'name' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'x', input: {} },
      stopped,
    );
    await sent;
    expect(chat.getState().messages[1]?.parts).toMatchObject([
      { type: 'operation', status: 'done' },
      { type: 'tool-call', status: 'cancelled' },
    ]);
  });

  it('send while streaming finalises the running turn and drops its late events, without a callback', async () => {
    const { chat, backend, notified } = scriptedChat();
    const first = chat.sendMessage('one');
    const late = await backend.request(0);
    late.send(start, ...text('t', 'old'), {
      type: 'tool-input-available',
      toolCallId: 'c',
      toolName: 'x',
      input: {},
    });
    await settled();
    const second = chat.sendMessage('two');
    await first;
    expect(late.signal.aborted).toBe(true);
    late.send({ type: 'text-delta', id: 't', delta: ' LATE' }, stopped);
    const next = await backend.request(2);
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'stop', 'trigger']);
    next.send(...text('t', 'new'));
    await settled();
    expect(chat.getState().status).toBe('streaming');
    next.send(stopped);
    await second;
    const { messages } = chat.getState();
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(messages[1]).toMatchObject({
      status: 'done',
      parts: [{ text: 'old', status: 'done' }, { status: 'cancelled' }],
    });
    expect(messages[3]?.parts).toMatchObject([{ text: 'new' }]);
    expect(notified).toEqual(['finish stop']);
  });

  it('stop() during a handler makes the chat idle, calls onStop once and onError never, and drops the late result', async () => {
    const slow = createDeferred<string>();
    let aborted = false;
    const { chat, backend, notified } = scriptedChat({
      clientTools: {
        slow: (_args: unknown, { signal }) => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
          return slow.promise;
        },
      },
    });
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('c', 'slow')), awaitingAnswers);
    await settled();
    expect(chat.getState().status).toBe('streaming');
    expect(chat.getState().messages[1]?.parts).toMatchObject([{ status: 'running', executedBy: 'client' }]);
    chat.stop();
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    slow.resolve('late');
    await sent;
    await settled();
    expect(aborted).toBe(true);
    expect(chat.getState().messages[1]?.parts).toMatchObject([{ status: 'cancelled', outcome: 'aborted' }]);
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'stop']);
    chat.stop();
    expect(notified).toEqual(['stop']);
  });

  it('stop() aborts every request of the turn, also overlapping ones', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { now: () => 1 } });
    void chat.sendMessage('Hi');
    const first = await backend.request(0);
    first.send(start, request(call('c', 'now')));
    const second = await backend.request(1);
    expect(second.command.type).toBe('respond');
    chat.stop();
    expect([first.signal.aborted, second.signal.aborted]).toEqual([true, true]);
  });

  it('an error event clears pending calls, and a later submit is refused with a reason', async () => {
    const { chat, backend, notified } = scriptedChat({ clientTools: { ask: 'interactive' } });
    const sent = chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('c', 'ask')));
    await settled();
    const tool = chat.getState().pendingClientTools.ask?.[0];
    run.send({
      type: 'error',
      errorType: 'provider_error',
      message: 'boom',
      retryable: true,
      source: 'provider',
    });
    await sent;
    await settled();
    expect(chat.getState()).toMatchObject({
      status: 'error',
      pendingClientTools: {},
      error: { code: 'backend_error', message: 'boom', errorType: 'provider_error', source: 'provider' },
    });
    expect(tool?.submit(1)).toEqual({ settled: false, reason: 'expired' });
    expect(backend.commands).toHaveLength(1);
    expect(notified).toEqual(['error backend_error']);
  });

  it('an error during a continuation finalises the message and all its parts', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { now: () => 1 } });
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('c', 'now')), awaitingAnswers);
    const next = await backend.request(1);
    next.send(...text('t', 'half'));
    next.fail(new AgentChatError({ code: 'connection_lost', message: 'gone', retryable: true }));
    await sent;
    const [, message] = chat.getState().messages;
    expect(message).toMatchObject({
      status: 'done',
      parts: [{ status: 'done', outcome: 'submitted', result: 1 }, { status: 'done' }],
    });
    expect(uiMessageSchema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
  });

  it('retry() repeats the trigger, without doubling the user message, and replaces the failed answer', async () => {
    const { chat, backend } = scriptedChat();
    await Promise.all([
      chat.sendMessage('Hi'),
      backend.request(0).then((run) => {
        run.send(...text('t', 'half'));
        run.end();
      }),
    ]);
    expect(chat.getState().status).toBe('error');
    const retried = chat.retry();
    expect(chat.getState()).toMatchObject({ status: 'streaming', error: null, messages: [{ role: 'user' }] });
    const run = await backend.request(1);
    expect(run.command).toEqual(backend.commands[0]);
    run.send(...text('t', 'whole'), stopped);
    await retried;
    expect(chat.getState().messages).toMatchObject([{ role: 'user' }, { parts: [{ text: 'whole' }] }]);
  });

  it('retry() repeats a continuation with the same results, without running the tool again', async () => {
    let runs = 0;
    const { chat, backend } = scriptedChat({ clientTools: { count: () => ++runs } });
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send(
      start,
      ...text('a', 'Before. '),
      request(call('c', 'count')),
      awaitingAnswers,
    );
    const failing = await backend.request(1);
    failing.send(...text('b', 'Half'));
    failing.fail(new Error('cut'));
    await sent;
    const retried = chat.retry();
    const again = await backend.request(2);
    expect(again.command).toEqual(failing.command);
    again.send(...text('b', 'Whole'), stopped);
    await retried;
    expect(runs).toBe(1);
    expect(chat.getState().messages[1]?.parts).toMatchObject([
      { text: 'Before. ' },
      { type: 'tool-call', status: 'done', result: 1 },
      { text: 'Whole' },
    ]);
  });

  it('retry() resumes a run from the last cursor that the run gave', async () => {
    const { chat, backend } = scriptedChat();
    const sent = chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send({ ...start, cursor: '1' }, ...text('t', 'Hel').map((event) => ({ ...event, cursor: '2' })));
    run.end();
    await sent;
    const retried = chat.retry();
    const resumed = await backend.request(1);
    expect(resumed.command).toEqual({ type: 'resume', executionId: 'run-1', cursor: '2' });
    resumed.send({ type: 'text-delta', id: 't', delta: 'lo' }, stopped);
    await retried;
    expect(chat.getState().messages[1]?.parts).toMatchObject([{ text: 'Hello' }]);
  });

  it('answers that did not arrive are sent again after a resume', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { now: () => 7 } });
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send({ ...start, cursor: '1' }, request(call('c', 'now')), awaitingAnswers);
    (await backend.request(1)).fail(
      new AgentChatError({ code: 'connection_lost', message: 'gone', retryable: true }),
    );
    await sent;
    const retried = chat.retry();
    (await backend.request(2)).send(awaitingAnswers);
    const again = await backend.request(3);
    expect(again.command).toMatchObject({ type: 'respond', answers: [{ toolCallId: 'c', result: 7 }] });
    again.send(start, stopped);
    await retried;
    expect(chat.getState().status).toBe('idle');
  });

  it('resume() without an interrupted run does nothing', async () => {
    const { chat, backend } = scriptedChat();
    const before = chat.getState();
    await chat.resume();
    expect(chat.getState()).toBe(before);
    expect(backend.requests).toEqual([]);
  });

  it('resume() of a run without a cursor rejects and changes nothing', async () => {
    const { chat, backend } = scriptedChat();
    const sent = chat.sendMessage('Hi');
    const request = await backend.request(0);
    request.send(start);
    request.end();
    await sent;
    const before = chat.getState();
    expect(before.error?.code).toBe('stream_interrupted');
    await expect(chat.resume()).rejects.toMatchObject({ code: 'not_resumable' });
    expect(chat.getState()).toBe(before);
  });

  it('clearError() makes the chat idle and leaves the messages', async () => {
    const { chat, backend } = scriptedChat();
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).fail(new Error('no network'));
    await sent;
    expect(chat.getState()).toMatchObject({ status: 'error', error: { message: 'no network' } });
    chat.clearError();
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null, messages: [{ role: 'user' }] });
    await chat.retry();
    expect(backend.commands).toHaveLength(1);
  });

  it('clearError() without an error leaves the running turn as it is', async () => {
    const { chat, backend } = scriptedChat();
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send(start, ...text('t', 'Hello'));
    await settled();
    chat.clearError();
    expect(chat.getState().status).toBe('streaming');
    (await backend.request(0)).send(stopped);
    await sent;
    expect(chat.getState().messages[1]?.parts).toMatchObject([{ text: 'Hello' }]);
  });

  it('maxToolRounds ends a loop with a typed error, and retry() goes on with the existing results', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { now: () => 1 }, maxToolRounds: 2 });
    const sent = chat.sendMessage('Hi');
    for (let round = 0; round < 3; round += 1) {
      (await backend.request(round)).send(start, request(call(`c${round}`, 'now')), awaitingAnswers);
    }
    await sent;
    expect(backend.commands).toHaveLength(3);
    expect(chat.getState()).toMatchObject({ status: 'error', error: { code: 'tool_rounds_exceeded' } });
    void chat.retry();
    expect((await backend.request(3)).command).toMatchObject({
      type: 'respond',
      answers: [{ toolCallId: 'c2' }],
    });
  });

  it('maxToolRounds counts from the last answer of a person, without the continuation of that answer', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { ask: 'interactive' }, maxToolRounds: 0 });
    void chat.sendMessage('Hi');
    for (let round = 0; round < 4; round += 1) {
      (await backend.request(round)).send(start, request(call(`c${round}`, 'ask')), awaitingAnswers);
      await settled();
      chat.getState().pendingClientTools.ask?.[0]?.submit(round);
    }
    (await backend.request(4)).send(stopped);
    await settled();
    expect(chat.getState().status).toBe('idle');
  });

  it('maxToolRounds allows as many continuations after the answer of a person as after a message', async () => {
    const { chat, backend } = scriptedChat({
      clientTools: { ask: 'interactive', now: () => 1 },
      maxToolRounds: 1,
    });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('a', 'ask')), awaitingAnswers);
    await settled();
    chat.getState().pendingClientTools.ask?.[0]?.submit(1);
    (await backend.request(1)).send(start, request(call('b', 'now')), awaitingAnswers);
    (await backend.request(2)).send(start, request(call('c', 'now')), awaitingAnswers);
    await settled();
    expect(backend.commands).toHaveLength(3);
    expect(chat.getState().error?.code).toBe('tool_rounds_exceeded');
  });

  it('destroy() ends stream and handlers, and later calls reject with destroyed', async () => {
    const slow = createDeferred<number>();
    const { chat, backend, clock, notified } = scriptedChat({
      clientTools: { slow: () => slow.promise, ask: 'interactive' },
    });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('c', 'slow'), call('d', 'ask')));
    await settled();
    const tool = chat.getState().pendingClientTools.ask?.[0];
    chat.destroy();
    expect(run.signal.aborted).toBe(true);
    expect(tool?.submit(1)).toEqual({ settled: false, reason: 'already-settled' });
    for (const act of [() => chat.sendMessage('more'), chat.retry, chat.resume])
      await expect(act()).rejects.toMatchObject({ code: 'destroyed' });
    expect(clock.waiting).toBe(0);
    expect(notified).toEqual([]);
  });

  it('destroy() closes the connection, and the state shows that', async () => {
    const { connect, sockets } = createFakeServer();
    const chat = createAgentChat({ transport: createSocketTransport({ connect }) });
    await chat.connect?.();
    expect(chat.getState().connectionState).toBe('connected');
    chat.destroy();
    expect(sockets[0]?.closed).toBe(true);
    expect(chat.getState().connectionState).toBe('disconnected');
  });

  it('a value that is no event is reported, and the turn goes on', async () => {
    const { chat, backend, notified } = scriptedChat();
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.sendUnknown({ type: 'step-started' });
    run.send(stopped);
    await settled();
    expect(notified).toEqual(['unknown {"type":"step-started"}', 'finish stop']);
  });

  it('an event of unknown type from a transport of an app changes nothing', async () => {
    const { chat, backend, notified } = scriptedChat();
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, ...text('t', 'Hel'), { type: 'step-started' } as never);
    await settled();
    run.send({ type: 'text-delta', id: 't', delta: 'lo' }, stopped);
    await settled();
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ text: 'Hello' }]);
    expect(notified).toEqual(['finish stop']);
  });

  it.each([
    ['no name', '', undefined],
    ['input that is no object', 'go', [1]],
    ['input that JSON cannot carry', 'go', { when: () => 1 }],
  ])('send() with %s is refused and changes nothing', async (_, name, input) => {
    const { chat, backend } = scriptedChat();
    const before = chat.getState();
    await expect(chat.send(name, input as never)).rejects.toMatchObject({ code: 'invalid_options' });
    expect(chat.getState()).toBe(before);
    expect(backend.commands).toEqual([]);
  });
});
