import { describe, expect, it } from 'vitest';
import { AgentChatError, uiMessageSchema } from '../../../src/core.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { createDeferred } from '../../support/deferred.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import {
  awaitingAnswers,
  call,
  failure,
  request,
  start,
  stopped,
  text,
} from '../../support/scripted-events.ts';

async function awaiting(capabilities?: Parameters<typeof createScriptedTransport>[0]) {
  const scripted = scriptedChat(
    { clientTools: { ask: 'interactive' } },
    createScriptedTransport(capabilities),
  );
  const sent = scripted.chat.sendMessage('order');
  const run = await scripted.backend.request(0);
  run.send(
    start,
    request(call('1', 'ask'), call('2', 'ask')),
    ...(capabilities?.results === 'one-by-one' ? [] : [awaitingAnswers]),
  );
  await settled();
  return { ...scripted, sent, run };
}

describe('send while a call waits for a person', () => {
  it('send with whilePending "reject", the default, rejects with awaiting_input and changes nothing', async () => {
    const { chat, backend } = await awaiting();
    const before = chat.getState();
    await expect(chat.sendMessage('next')).rejects.toMatchObject({
      code: 'awaiting_input',
      message: expect.stringContaining('ask'),
    });
    expect(chat.getState()).toBe(before);
    expect(backend.commands).toHaveLength(1);
  });

  it('send with whilePending "cancel" settles every call as superseded, delivers the answers, and then sends the message', async () => {
    const { chat, backend, notified } = await awaiting();
    const [first, second] = chat.getState().pendingClientTools.ask ?? [];
    first?.submit('kept');
    const sent = chat.sendMessage('next', { whilePending: 'cancel' });
    expect(chat.getState()).toMatchObject({ status: 'streaming', pendingClientTools: {} });
    expect(second?.submit('late')).toEqual({ settled: false, reason: 'already-settled' });
    const delivery = await backend.request(1);
    expect(delivery.command).toMatchObject({
      type: 'respond',
      executionId: 'run-1',
      answers: [
        { toolCallId: '1', outcome: 'submitted', result: 'kept' },
        { toolCallId: '2', outcome: 'superseded', error: 'Superseded by a new message' },
      ],
    });
    await settled();
    expect(backend.commands).toHaveLength(2);
    delivery.send(start, ...text('x', 'As you wish'));
    const next = await backend.request(3);
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond', 'stop', 'trigger']);
    next.send(...text('t', 'Hello'), stopped);
    await sent;
    expect(chat.getState().messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(chat.getState().messages[1]?.parts).toMatchObject([
      { status: 'done', outcome: 'submitted' },
      { status: 'cancelled', outcome: 'superseded' },
    ]);
    expect(chat.getState().messages[3]?.parts).toMatchObject([{ text: 'Hello' }]);
    expect(notified).toEqual(['finish stop']);
  });

  it('send with whilePending "cancel" delivers each answer to a one-by-one backend, ends the run, and then sends', async () => {
    const { chat, backend, run } = await awaiting({ results: 'one-by-one' });
    void chat.sendMessage('next', { whilePending: 'cancel' });
    await settled();
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond']);
    // The run stays open until it has the answers.
    expect(run.signal.aborted).toBe(false);
    (await backend.request(1)).end();
    await settled();
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond', 'respond']);
    (await backend.request(2)).end();
    await settled();
    expect(backend.commands.map(({ type }) => type)).toEqual([
      'trigger',
      'respond',
      'respond',
      'stop',
      'trigger',
    ]);
    expect(run.signal.aborted).toBe(true);
  });

  it('a final refusal of one superseded answer does not prevent the delivery of the others', async () => {
    const { chat, backend } = await awaiting({ results: 'one-by-one' });
    void chat.sendMessage('next', { whilePending: 'cancel' });
    (await backend.request(1)).fail(
      new AgentChatError({ code: 'http_error', message: 'Conflict', status: 409 }),
    );
    (await backend.request(2)).end();
    await settled();
    const answered = backend.commands.flatMap((command) =>
      command.type === 'respond' ? command.answers : [],
    );
    expect(answered.map(({ toolCallId }) => toolCallId)).toEqual(['1', '2']);
    expect(backend.commands.at(-1)).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'next' } });
  });

  it('send with whilePending "cancel" sends the message although the delivery is refused for good', async () => {
    const { chat, backend } = await awaiting();
    void chat.sendMessage('next', { whilePending: 'cancel' });
    (await backend.request(1)).fail(
      new AgentChatError({ code: 'http_error', message: 'Conflict', status: 409 }),
    );
    await settled();
    expect(backend.commands.at(-1)).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'next' } });
  });

  it.each([
    ['finds no network', { code: 'connection_failed', message: 'offline' }],
    ['meets a server that restarts', { code: 'http_error', message: 'Unavailable', status: 503 }],
  ] as const)(
    'send with whilePending "cancel" whose delivery %s fails the turn, and retry() delivers and sends again',
    async (_, failure) => {
      const { chat, backend } = await awaiting();
      const sent = chat.sendMessage('next', { whilePending: 'cancel' });
      (await backend.request(1)).fail(new AgentChatError({ ...failure, retryable: true }));
      await sent;
      expect(chat.getState()).toMatchObject({ status: 'error', error: { code: failure.code } });
      void chat.retry();
      const again = await backend.request(2);
      expect(again.command).toEqual(backend.commands[1]);
      again.send(start);
      await settled();
      expect(backend.commands.at(-1)).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'next' } });
      expect(chat.getState().messages.filter(({ role }) => role === 'user')).toHaveLength(2);
    },
  );

  it.each([
    ['that may pass fails the turn, and retry delivers again', true, ['respond', 'respond']],
    ['for good sends the message all the same', false, ['respond', 'stop', 'trigger']],
  ] as const)(
    'send with whilePending "cancel" whose delivery is refused by an event %s',
    async (_, retryable, then) => {
      const { chat, backend, notified } = await awaiting();
      void chat.sendMessage('next', { whilePending: 'cancel' });
      (await backend.request(1)).send({ ...failure, retryable });
      await settled();
      expect(notified).toEqual(retryable ? ['error backend_error'] : []);
      void chat.retry();
      await settled();
      expect(backend.commands.slice(1).map(({ type }) => type)).toEqual(then);
    },
  );

  it.each([
    ['takes answers together and sent nothing before', 'together', []],
    ['takes answers one by one and sent a start before', 'one-by-one', [start]],
  ] as const)('an answer refused by a backend that %s fails the turn', async (_, results, first) => {
    const { chat, backend, notified } = await awaiting({ results });
    void chat.sendMessage('next', { whilePending: 'cancel' });
    const delivery = await backend.request(1);
    delivery.send(...first);
    delivery.send(failure);
    await settled();
    expect(notified).toEqual(['error backend_error']);
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond']);
  });

  it('send with whilePending "queue" sends the messages in order when the turn ends', async () => {
    const { chat, backend } = await awaiting();
    const second = chat.sendMessage('second', { whilePending: 'queue' });
    const third = chat.sendMessage('third', { whilePending: 'queue' });
    expect(backend.commands).toHaveLength(1);
    for (const tool of chat.getState().pendingClientTools.ask ?? []) tool.submit('ok');
    (await backend.request(1)).send(start, stopped);
    (await backend.request(2)).send(stopped);
    await second;
    (await backend.request(3)).send(stopped);
    await third;
    expect(
      backend.commands.map((command) => ('input' in command ? command.input?.USER_MESSAGE : command.type)),
    ).toEqual(['order', 'respond', 'second', 'third']);
  });

  it('send with whilePending "queue" sends after a message that is sent in the same task as stop()', async () => {
    const { chat, backend } = await awaiting();
    void chat.sendMessage('second', { whilePending: 'queue' });
    chat.stop();
    void chat.sendMessage('third');
    await settled();
    backend.requests.at(-1)?.send(stopped);
    await settled();
    expect(
      backend.commands.map((command) => ('input' in command ? command.input?.USER_MESSAGE : command.type)),
    ).toEqual(['order', 'stop', 'third', 'second']);
  });

  it('send with whilePending "queue" sends once the turn is stopped', async () => {
    const { chat, backend } = await awaiting();
    void chat.sendMessage('second', { whilePending: 'queue' });
    chat.stop();
    await settled();
    expect(backend.commands[2]).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'second' } });
  });

  it('send with whilePending "queue" sends when the turn has failed', async () => {
    const { chat, backend } = await awaiting();
    void chat.sendMessage('second', { whilePending: 'queue' });
    for (const tool of chat.getState().pendingClientTools.ask ?? []) tool.submit('ok');
    (await backend.request(1)).send(start, { type: 'finish', finishReason: 'error' });
    await settled();
    expect(backend.commands[2]).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'second' } });
  });

  it('send with whilePending "queue" rejects with destroyed when the chat is destroyed first', async () => {
    const { chat } = await awaiting();
    const queued = chat.sendMessage('second', { whilePending: 'queue' });
    const refused = expect(queued).rejects.toMatchObject({ code: 'destroyed' });
    chat.destroy();
    await refused;
  });
});

describe('send while an automatic tool runs', () => {
  it('send during a handler never delivers the late result, and leaves no call unanswered', async () => {
    const slow = createDeferred<string>();
    const { chat, backend } = scriptedChat({ clientTools: { slow: () => slow.promise } });
    void chat.sendMessage('one');
    (await backend.request(0)).send(start, request(call('1', 'slow')), awaitingAnswers);
    await settled();
    const second = chat.sendMessage('two');
    slow.resolve('late');
    (await backend.request(1)).send(start);
    const next = await backend.request(3);
    next.send(...text('t', 'two'), stopped);
    await second;
    const answered = backend.commands.flatMap((command) =>
      command.type === 'respond' ? command.answers : [],
    );
    expect(answered).toMatchObject([{ toolCallId: '1', outcome: 'superseded' }]);
    expect(JSON.stringify(backend.commands)).not.toContain('late');
  });
});

describe('after a continuation failed', () => {
  it('the message after a failed continuation delivers its answers first', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { now: () => 7 } });
    const sent = chat.sendMessage('one');
    (await backend.request(0)).send(start, request(call('1', 'now')), awaitingAnswers);
    (await backend.request(1)).fail(
      new AgentChatError({ code: 'http_error', message: 'bad gateway', retryable: true, status: 502 }),
    );
    await sent;
    void chat.sendMessage('two');
    const delivery = await backend.request(2);
    expect(delivery.command).toMatchObject({ type: 'respond', answers: [{ toolCallId: '1', result: 7 }] });
    delivery.send(start);
    await settled();
    expect(backend.commands.at(-1)).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'two' } });
  });
});

describe('initialMessages', () => {
  it('initialMessages are copied and frozen, and their JSON dates become dates', async () => {
    const message = {
      id: 'm',
      role: 'user',
      parts: [{ type: 'text', text: 'Hi', status: 'done' }],
      status: 'done',
    };
    const stored = [{ ...message, createdAt: '2026-01-01T00:00:00.000Z' }];
    const { chat } = scriptedChat({ initialMessages: stored as never });
    const [first] = chat.getState().messages;
    expect(first?.createdAt).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect([Object.isFrozen(first), Object.isFrozen(first?.parts[0]), Object.isFrozen(stored[0])]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('initialMessages saved in the middle of a turn are shown as ended', () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'find', args: { q: 'lamp' } } as const;
    const operation = {
      type: 'operation',
      operationId: 'o',
      name: 'Save',
      operationType: 'set-resource',
    } as const;
    const { chat } = scriptedChat({
      initialMessages: [
        {
          id: 'm',
          role: 'assistant',
          parts: [
            { type: 'text', text: 'Looki', status: 'streaming' },
            { ...call, status: 'running' },
            { ...operation, status: 'running' },
            { type: 'object', id: 'p', typeName: 'Plan', partial: { a: 1 }, status: 'streaming' },
          ],
          status: 'streaming',
          createdAt: new Date(0),
        },
      ],
    });
    const { messages, status } = chat.getState();
    expect(status).toBe('idle');
    expect(messages[0]).toMatchObject({
      parts: [
        { type: 'text', text: 'Looki', status: 'done' },
        { ...call, status: 'cancelled' },
        { ...operation, status: 'cancelled' },
        { type: 'object', partial: { a: 1 }, status: 'error' },
      ],
      status: 'done',
    });
    expect(uiMessageSchema.parse(JSON.parse(JSON.stringify(messages[0])))).toEqual(messages[0]);
  });

  it.each([
    ['no list', 'Hi'],
    ['a list of other things', ['Hi']],
    ['messages without parts', [{ id: 'm', role: 'user', content: 'Hi' }]],
  ])(
    'initialMessages that are %s are refused, and the error names the expected shape',
    (_, initialMessages) => {
      expect(() => scriptedChat({ initialMessages: initialMessages as never })).toThrow(
        expect.objectContaining({
          code: 'invalid_options',
          message: expect.stringContaining('initialMessages'),
        }),
      );
    },
  );
});
