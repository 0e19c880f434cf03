/** Every tool call is answered exactly once, by the right party, also when callbacks act in the middle of a change. */
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { RespondCommand } from '../../../src/core/protocol/commands.ts';
import { type AgentChat, AgentChatError, defineClientTool } from '../../../src/core.ts';
import type { ScriptedRequest, ScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { createDeferred } from '../../support/deferred.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, failure, request, start, stopped } from '../../support/scripted-events.ts';

const answersOf = (backend: ScriptedTransport) =>
  backend.commands
    .filter((command): command is RespondCommand => command.type === 'respond')
    .flatMap(({ executionId, answers }) =>
      answers.map(({ toolCallId, outcome, result }) => ({ executionId, toolCallId, outcome, result })),
    );
const outbox = (backend: ScriptedTransport) =>
  backend.commands.map((command) => ('input' in command ? command.input?.USER_MESSAGE : command.type));
/** Waits until the policy has decided. */
async function decided() {
  for (let turn = 0; turn < 10; turn += 1) await settled();
}
const unavailable = new AgentChatError({ code: 'connection_failed', message: 'No network', retryable: true });

describe('a handler that acts on its own chat while the chat processes the request', () => {
  it('stop() in a handler prevents the other calls of the request from running', async () => {
    const second = vi.fn();
    const { chat, backend, clock } = scriptedChat({ clientTools: { first: () => chat.stop(), second } });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'first'), call('2', 'second')), awaitingAnswers);
    await settled();
    clock.frame();
    expect(second).not.toHaveBeenCalled();
    expect(chat.getState().status).toBe('idle');
    expect(clock.waiting).toBe(0);
    expect(chat.getState().messages[1]?.parts).toMatchObject([
      { toolCallId: '1', outcome: 'aborted' },
      { toolCallId: '2', outcome: 'aborted' },
    ]);
  });

  it('send() in a handler prevents an interactive call of the old turn from becoming pending', async () => {
    const { chat, backend } = scriptedChat({
      clientTools: { first: () => void chat.sendMessage('Next'), ask: 'interactive' },
    });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'first'), call('2', 'ask')), awaitingAnswers);
    await settled();
    expect(chat.getState().pendingClientTools).toEqual({});
    expect(answersOf(backend)).toMatchObject([
      { toolCallId: '1', outcome: 'superseded' },
      { toolCallId: '2', outcome: 'superseded' },
    ]);
  });
});

describe('a handler that runs again and acts on its own chat', () => {
  it('stop() in a handler that runs again prevents the approval of the other calls', async () => {
    const { chat, backend, clock } = scriptedChat(
      {
        clientTools: {
          look: defineClientTool({
            idempotent: true,
            execute: () => (looks++ > 0 ? chat.stop() : new Promise(() => {})),
          }),
          pay: () => new Promise(() => {}),
        },
      },
      createScriptedTransport({ results: 'one-by-one' }),
    );
    let looks = 0;
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    const deadline = clock.now() + 60_000;
    run.send({ ...start, cursor: 'p1' }, request(call('1', 'look'), { ...call('2', 'pay'), deadline }));
    await settled();
    run.end();
    await settled();
    await chat.retry();
    expect(chat.getState()).toMatchObject({ status: 'idle', pendingClientTools: {} });
    expect(chat.getState().messages[1]?.parts).toMatchObject([
      { outcome: 'aborted' },
      { outcome: 'aborted' },
    ]);
    clock.frame();
    expect(clock.waiting).toBe(0);
  });
});

describe('a handler that ignores its signal', () => {
  it('a handler that ignores its signal never settles a later call of the same run and id', async () => {
    const runs = [createDeferred<string>(), createDeferred<string>()];
    let count = 0;
    const { chat, backend } = scriptedChat({ clientTools: { slow: () => runs[count++]?.promise } });
    void chat.sendMessage('Hi');
    const asked = [start, request(call('call_1', 'slow'))] as const;
    const first = await backend.request(0);
    first.send(...asked);
    await settled();
    first.send(failure);
    await settled();
    // The backend counts runs and calls anew after the retry.
    void chat.retry();
    (await backend.request(1)).send(...asked, awaitingAnswers);
    await settled();
    runs[0]?.resolve('of the failed turn');
    await settled();
    expect(answersOf(backend)).toEqual([]);
    runs[1]?.resolve('of this turn');
    await settled();
    expect(answersOf(backend)).toMatchObject([{ result: 'of this turn' }]);
  });
});

describe('an aborted handler that acts at once', () => {
  it('a message sent from an abort signal starts a turn of its own', async () => {
    const { chat, backend } = scriptedChat({
      clientTools: {
        slow: (_args, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              void chat.sendMessage('From the handler');
              reject(new Error('aborted'));
            });
          }),
      },
    });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'slow')), awaitingAnswers);
    await settled();
    chat.stop();
    await settled();
    const last = backend.requests.at(-1);
    expect(last?.command).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'From the handler' } });
    last?.send(start, { type: 'text-delta', id: 't', delta: 'Hello' }, stopped);
    await settled();
    expect(chat.getState().messages.at(-1)).toMatchObject({ parts: [{ text: 'Hello' }] });
    expect(chat.getState().status).toBe('idle');
  });
});

describe('a subscriber that acts at once', () => {
  it('stop() from the subscriber that first sees the turn prevents the request to the backend', async () => {
    const { chat, backend, notified } = scriptedChat();
    chat.subscribe(() => chat.stop());
    await chat.sendMessage('Hi');
    expect(backend.commands.filter(({ type }) => type === 'trigger')).toEqual([]);
    expect(chat.getState().status).toBe('idle');
    expect(notified).toEqual(['stop']);
  });

  it('a message sent when an interrupted turn ends leaves the conversation consistent', async () => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage('one');
    (await backend.request(0)).send(start);
    await settled();
    const statuses: string[] = [];
    chat.subscribe(() => statuses.push(chat.getState().status));
    void chat.sendMessage('two');
    // No state between the turns is published.
    expect(statuses).toEqual(['streaming']);
    const last = backend.requests.at(-1);
    last?.send(start, { type: 'text-delta', id: 't', delta: 'Hello' }, stopped);
    await settled();
    expect(chat.getState().messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
  });

  it('a message sent when the stopped turn becomes idle is not stopped with that turn', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { ask: 'interactive', rate: 'interactive' } });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('1', 'ask'), call('2', 'rate')));
    await settled();
    const unsubscribe = chat.subscribe(() => {
      if (chat.getState().status === 'awaiting-input') return;
      unsubscribe();
      void chat.sendMessage('Next');
    });
    chat.stop();
    await settled();
    // A server that runs one turn at a time would take a later stop for the new turn.
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'stop', 'trigger']);
    const next = await backend.request(2);
    next.send(start, { type: 'text-delta', id: 't', delta: 'Hello' }, stopped);
    await settled();
    expect(chat.getState().messages.at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: 'Hello' }] });
    expect(chat.getState().status).toBe('idle');
  });
});

describe('an app that acts in the callback about a call', () => {
  it('a message sent from onCallSettled follows the answer of the call', async () => {
    const { chat, backend, notified } = scriptedChat({
      clientTools: { ask: 'interactive' },
      onCallSettled: () => void chat.sendMessage('Next'),
    });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'ask')), awaitingAnswers);
    await settled();
    expect(chat.getState().pendingClientTools.ask?.[0]?.submit('yes')).toEqual({ settled: true });
    expect(chat.getState().status).toBe('streaming');
    (await backend.request(1)).end();
    (await backend.request(3)).send(start, stopped);
    await settled();
    expect(outbox(backend)).toEqual(['Hi', 'respond', 'stop', 'Next']);
    expect(answersOf(backend)).toMatchObject([{ toolCallId: '1', result: 'yes' }]);
    expect(notified).toEqual(['finish stop']);
  });

  it('a message sent in place of an approval follows the answers that it supersedes', async () => {
    const { chat, backend, notified } = scriptedChat({
      clientTools: { pay: defineClientTool({ execute: () => 'paid', approval: 'always' }) },
    });
    const unsubscribe = chat.subscribe(() => {
      if (chat.getState().status !== 'awaiting-input') return;
      unsubscribe();
      void chat.sendMessage('Next', { whilePending: 'cancel' });
    });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'pay')), awaitingAnswers);
    await decided();
    (await backend.request(1)).end();
    (await backend.request(3)).send(start, stopped);
    await settled();
    expect(outbox(backend)).toEqual(['Hi', 'respond', 'stop', 'Next']);
    expect(answersOf(backend)).toMatchObject([{ toolCallId: '1', outcome: 'superseded' }]);
    expect(notified).toEqual(['finish stop']);
  });
});

describe('stop() while superseded answers are being delivered', () => {
  it.each([
    ['ends', (delivery: ScriptedRequest) => delivery.end()],
    ['breaks', (delivery: ScriptedRequest) => delivery.fail(unavailable)],
  ])(
    'stop() during a delivery that then %s ends the run, and the next message delivers the answers first',
    async (_, close) => {
      const { chat, backend, notified } = scriptedChat({ clientTools: { ask: 'interactive' } });
      void chat.sendMessage('Hi');
      (await backend.request(0)).send(start, request(call('1', 'ask')), awaitingAnswers);
      await settled();
      const next = chat.sendMessage('Next', { whilePending: 'cancel' });
      const delivery = await backend.request(1);
      chat.stop();
      await next;
      expect(delivery.signal.aborted).toBe(true);
      close(delivery);
      await settled();
      expect(backend.commands.slice(2)).toEqual([{ type: 'stop', executionId: 'run-1' }]);
      expect(chat.getState().status).toBe('idle');
      expect(notified).toEqual(['stop']);
      void chat.sendMessage('Last');
      (await backend.request(3)).end();
      await settled();
      expect(backend.commands.slice(3)).toMatchObject([
        { type: 'respond', executionId: 'run-1', answers: [{ toolCallId: '1', outcome: 'superseded' }] },
        { type: 'stop' },
        { type: 'trigger', input: { USER_MESSAGE: 'Last' } },
      ]);
    },
  );
});

describe('stop() with a backend that hears of it only by the aborted request', () => {
  const stopped = async (stop: boolean) => {
    const { chat, backend } = scriptedChat(
      { clientTools: { pay: () => 'paid', ask: 'interactive' } },
      createScriptedTransport({ stop }),
    );
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'pay'), call('2', 'ask')), awaitingAnswers);
    await settled();
    chat.stop();
    void chat.sendMessage('Next');
    await settled();
    return { chat, backend };
  };

  it('sends the answers that the turn had before the next message, and none for the calls that it stopped', async () => {
    const { backend } = await stopped(false);
    expect(backend.commands.slice(1)).toMatchObject([
      { type: 'respond', executionId: 'run-1', beforeMessage: true },
    ]);
    expect(answersOf(backend)).toMatchObject([{ toolCallId: '1', result: 'paid', outcome: 'submitted' }]);
    (await backend.request(1)).end();
    await settled();
    expect(outbox(backend)).toEqual(['Hi', 'respond', 'Next']);
  });

  it('leaves the answers to a backend that is told of the stop', async () => {
    const { backend } = await stopped(true);
    expect(outbox(backend)).toEqual(['Hi', 'stop', 'Next']);
  });
});

describe('a message while an answer is being delivered', () => {
  const answered = async (
    results: 'together' | 'one-by-one' = 'together',
    meanwhile: (delivery: ScriptedRequest) => void = () => {},
  ) => {
    const { chat, backend } = scriptedChat(
      { clientTools: { ask: 'interactive', rate: 'interactive' } },
      createScriptedTransport({ results }),
    );
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('1', 'ask'), call('2', 'rate')));
    if (results === 'together') run.send(awaitingAnswers);
    await settled();
    for (const tool of ['ask', 'rate']) chat.getState().pendingClientTools[tool]?.[0]?.submit(tool);
    const delivery = await backend.request(1);
    meanwhile(delivery);
    await settled();
    void chat.sendMessage('Next');
    await settled();
    const outbox = () => backend.commands.slice(1).map(({ type }) => type);
    return { chat, backend, delivery, outbox };
  };

  it('a message goes out when the agent has the pending answer, without waiting for the response to it', async () => {
    const { chat, backend, delivery, outbox } = await answered();
    expect(outbox()).toEqual(['respond']);
    expect(delivery.signal.aborted).toBe(false);
    delivery.send(start);
    await settled();
    expect(delivery.signal.aborted).toBe(true);
    expect(outbox()).toEqual(['respond', 'stop', 'trigger']);
    (await backend.request(3)).send({ type: 'start', executionId: 'run-2' }, stopped);
    await settled();
    expect(chat.getState().status).toBe('idle');
  });

  it('a message goes out after the answer was sent again, if the answer did not arrive', async () => {
    const { backend, delivery, outbox } = await answered();
    delivery.fail(unavailable);
    await settled();
    expect(outbox()).toEqual(['respond', 'respond']);
    expect(backend.commands[2]).toMatchObject({
      executionId: 'run-1',
      answers: [
        { toolCallId: '1', result: 'ask', repeated: true },
        { toolCallId: '2', result: 'rate', repeated: true },
      ],
    });
    (await backend.request(2)).send(start);
    await settled();
    expect(outbox()).toEqual(['respond', 'respond', 'stop', 'trigger']);
  });

  it('a message waits for each of several answers that are delivered one by one', async () => {
    const { backend, delivery, outbox } = await answered('one-by-one');
    const other = await backend.request(2);
    other.send({ type: 'tool-result-acknowledged', toolCallId: '2', status: 'accepted' });
    await settled();
    expect(outbox()).toEqual(['respond', 'respond']);
    delivery.send({ type: 'tool-result-acknowledged', toolCallId: '1', status: 'accepted' });
    await settled();
    expect(outbox()).toEqual(['respond', 'respond', 'stop', 'trigger']);
  });

  it('a message goes out also when the backend took one of several answers without a response', async () => {
    const { backend, delivery, outbox } = await answered('one-by-one', (first) => first.end());
    expect(outbox()).toEqual(['respond', 'respond']);
    (await backend.request(2)).send({
      type: 'tool-result-acknowledged',
      toolCallId: '2',
      status: 'accepted',
    });
    await settled();
    expect(delivery.signal.aborted).toBe(true);
    expect(outbox()).toEqual(['respond', 'respond', 'stop', 'trigger']);
  });

  it('a message cancelled while the answer is sent again leaves the next turn alone when the delivery fails late', async () => {
    const { chat, backend, delivery } = await answered();
    delivery.fail(unavailable);
    const again = await backend.request(2);
    chat.stop();
    void chat.sendMessage('Other');
    await settled();
    expect(backend.commands.at(-1)?.type).toBe('respond');
    backend.requests.at(-1)?.send(start);
    await settled();
    expect(backend.commands.at(-1)).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'Other' } });
    backend.requests.at(-1)?.send({ type: 'start', executionId: 'run-2' }, request(call('3', 'ask')));
    await settled();
    again.fail(unavailable);
    await settled();
    expect(chat.getState().pendingClientTools.ask).toHaveLength(1);
  });

  it('the message after a delivered answer goes out without the answer', async () => {
    const { chat, backend, delivery, outbox } = await answered();
    delivery.send(start);
    (await backend.request(3)).send({ type: 'start', executionId: 'run-2' }, stopped);
    await settled();
    void chat.sendMessage('And then');
    await settled();
    expect(outbox()).toEqual(['respond', 'stop', 'trigger', 'trigger']);
  });

  it.each([
    ['ends', (delivery: ScriptedRequest) => delivery.end()],
    ['breaks', (delivery: ScriptedRequest) => delivery.fail(unavailable)],
  ])('stop() cancels a waiting message and its request, which then %s', async (_, close) => {
    const { chat, delivery, outbox } = await answered();
    chat.stop();
    await settled();
    expect(delivery.signal.aborted).toBe(true);
    close(delivery);
    await settled();
    expect(outbox()).toEqual(['respond', 'stop']);
    expect(chat.getState().status).toBe('idle');
  });
});

describe('requests that overlap', () => {
  it('send() resolves when the turn waits for a person, also when an earlier response ends last', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { ask: 'interactive' } });
    let rested = 0;
    const sent = chat.sendMessage('Hi').then(() => {
      rested += 1;
    });
    const first = await backend.request(0);
    first.send(start, request(call('1', 'ask')));
    await settled();
    chat.getState().pendingClientTools.ask?.[0]?.submit(1);
    const second = await backend.request(1);
    second.send(start, request(call('2', 'ask')), awaitingAnswers);
    await settled();
    expect(rested).toBe(0);
    first.send(awaitingAnswers);
    await sent;
    expect(chat.getState().status).toBe('awaiting-input');
  });

  it('an earlier response that stays open does not hold up the end of the turn', async () => {
    const { chat, backend, notified } = scriptedChat({ clientTools: { now: () => 'noon' } });
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'now')));
    (await backend.request(1)).send(start, stopped);
    await sent;
    expect([chat.getState().status, notified]).toEqual(['idle', ['finish stop']]);
  });

  it('calls that an earlier response repeats are not answered again, and its error does not fail the turn', async () => {
    const { chat, backend, notified } = scriptedChat({ clientTools: { now: () => 'noon' } });
    const sent = chat.sendMessage('Hi');
    const first = await backend.request(0);
    first.send(start, request(call('1', 'now')));
    const second = await backend.request(1);
    first.send(request(call('1', 'now')));
    first.send(failure);
    await settled();
    second.send(start, stopped);
    await sent;
    expect(answersOf(backend)).toMatchObject([{ result: 'noon' }]);
    expect(notified).toEqual(['finish stop']);
  });

  it('each answer goes to the run that requested the call', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { ask: 'interactive' } });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(
      { type: 'client-tool-request', executionId: 'run-1', toolCalls: [call('1', 'ask')] },
      { type: 'client-tool-request', executionId: 'run-2', toolCalls: [call('1', 'ask')] },
      awaitingAnswers,
    );
    await settled();
    for (const tool of chat.getState().pendingClientTools.ask ?? []) tool.submit('yes');
    await settled();
    expect(answersOf(backend)).toMatchObject([{ executionId: 'run-1' }, { executionId: 'run-2' }]);
    expect(backend.commands).toHaveLength(3);
  });
});

describe('reasons', () => {
  it('cancel and decline ignore an event argument, so they work as event handlers', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { ask: 'interactive' } });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'ask'), call('2', 'ask')), awaitingAnswers);
    await settled();
    const [first, second] = chat.getState().pendingClientTools.ask ?? [];
    const event = new Event('click') as never;
    expect(first?.cancel(event)).toEqual({ settled: true });
    expect(second?.decline(event)).toEqual({ settled: true });
    expect(backend.commands[1]).toMatchObject({
      answers: [{ error: 'User cancelled' }, { result: { outcome: 'declined' } }],
    });
    expect(backend.commands[1]).not.toHaveProperty('answers.1.result.reason');
  });

  it('details of a decline that JSON cannot carry leave the call pending', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { ask: 'interactive' } });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'ask')), awaitingAnswers);
    await settled();
    const tool = chat.getState().pendingClientTools.ask?.[0];
    expect(tool?.decline('no', { amount: 1n })).toMatchObject({
      settled: false,
      reason: 'not-serializable',
      issues: [{ message: expect.stringContaining('bigint') }],
    });
    expect(chat.getState().status).toBe('awaiting-input');
    expect(tool?.decline('no', { at: new Date(0) })).toEqual({ settled: true });
    expect(answersOf(backend)).toMatchObject([
      { result: { outcome: 'declined', reason: 'no', at: '1970-01-01T00:00:00.000Z' } },
    ]);
  });
});

describe('parsed arguments', () => {
  it('parsed arguments reach a component frozen, and the objects of the schema stay as they were', async () => {
    const product = { name: 'Chair', stock: { left: 3 } };
    const { chat, backend } = scriptedChat({
      clientTools: {
        ask: defineClientTool({
          interactive: true,
          input: z.object({ id: z.string() }).transform(() => ({ product, bytes: new Uint8Array([1]) })),
        }),
      },
    });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'ask', { id: 'x' })), awaitingAnswers);
    await settled();
    expect(chat.getState().error).toBeNull();
    const { args } = chat.getState().pendingClientTools.ask?.[0] ?? {};
    expect(args).toEqual({ product, bytes: new Uint8Array([1]) });
    expect(Object.isFrozen(args?.product)).toBe(true);
    expect([Object.isFrozen(product), Object.isFrozen(product.stock)]).toEqual([false, false]);
  });
});

describe('after clearError', () => {
  it('the next message after clearError() still delivers undelivered answers', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { now: () => 'noon' } });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'now')), awaitingAnswers);
    (await backend.request(1)).fail(unavailable);
    await settled();
    expect(chat.getState().error?.code).toBe('connection_failed');
    chat.clearError();
    void chat.sendMessage('Next');
    (await backend.request(2)).end();
    await settled();
    expect(backend.commands.map(({ type }) => type)).toEqual([
      'trigger',
      'respond',
      'respond',
      'stop',
      'trigger',
    ]);
    expect(answersOf(backend)).toMatchObject([{ result: 'noon' }, { result: 'noon' }]);
  });

  it('retry() after clearError() has nothing to repeat', async () => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage('Hi');
    (await backend.request(0)).fail(unavailable);
    await settled();
    chat.clearError();
    await chat.retry();
    expect(backend.commands).toHaveLength(1);
  });
});

describe('a resume that the backend refuses', () => {
  it('retry() after a refused resume repeats the request itself', async () => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage('Hi');
    (await backend.request(0)).send({ ...start, cursor: 'p1' });
    (await backend.request(0)).end();
    await settled();
    void chat.retry();
    (await backend.request(1)).fail(
      new AgentChatError({ code: 'not_resumable', message: 'The run is gone', errorType: 'not_found_error' }),
    );
    await settled();
    expect(chat.getState().error?.code).toBe('not_resumable');
    void chat.retry();
    (await backend.request(2)).send(start, { type: 'text-delta', id: 't', delta: 'Hello' }, stopped);
    await settled();
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'resume', 'trigger']);
    expect(chat.getState().messages).toMatchObject([{ role: 'user' }, { parts: [{ text: 'Hello' }] }]);
  });
});

describe('an interrupted call', () => {
  it('an interrupted call is answered once, also by a double click', async () => {
    const running = createDeferred<string>();
    const handler = vi.fn(() => running.promise);
    const scripted = scriptedChat(
      { clientTools: { slow: defineClientTool({ execute: handler }) } },
      createScriptedTransport({ results: 'one-by-one' }),
    );
    const { chat, backend } = scripted;
    await rerunnable(chat, backend);
    const tool = chat.getState().pendingClientTools.slow?.[0];
    expect(tool?.submit(undefined)).toEqual({ settled: true });
    const refused = { settled: false, reason: 'already-settled' };
    expect([tool?.submit(undefined), tool?.cancel(), tool?.decline()]).toEqual([refused, refused, refused]);
    running.resolve('done');
    await settled();
    expect(handler).toHaveBeenCalledTimes(2);
    expect(answersOf(backend)).toMatchObject([{ outcome: 'submitted', result: 'done' }]);
  });

  async function rerunnable(chat: AgentChat, backend: ScriptedTransport) {
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send({ ...start, cursor: 'p1' }, request(call('1', 'slow')));
    await settled();
    run.end();
    await settled();
    void chat.retry();
    (await backend.request(1)).send(request(call('1', 'slow')));
    await settled();
  }
});
