/** The next page restores a conversation that the page before left in the middle. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { StorageOption } from '../../../src/core/persistence/chat-storage.ts';
import { type ClientTools, createPersistence, defineClientTool } from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import type { ScriptedRequest } from '../../../src/testing/scripted-transport.ts';
import { createDeferred } from '../../support/deferred.ts';
import { left, open, restored } from '../../support/persisted-page.ts';
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

afterEach(() => vi.unstubAllGlobals());

/** A storage with a message that could not be sent. */
async function leftFailed(): Promise<StorageOption> {
  const storage = createMemoryStorage();
  const { chat, backend } = open(storage);
  await restored(chat);
  const sent = chat.sendMessage('Hi');
  (await backend.request(0)).fail(new Error('offline'));
  await sent;
  return storage;
}

describe('a reload', () => {
  it('a reload restores messages, and a waiting call with its saved input, which can still be answered', async () => {
    const storage = createMemoryStorage();
    const before = await left(storage, { ask: 'interactive' }, undefined, 'ask');
    before.chat.getState().pendingClientTools.ask?.[0]?.saveInput({ size: 'L' });
    const { messages } = before.chat.getState();
    await before.clock.advance(1000);

    const after = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(after.chat);
    expect(after.chat.getState().status).toBe('awaiting-input');
    expect(after.chat.getState().messages).toEqual(messages);
    const tool = after.chat.getState().pendingClientTools.ask?.[0];
    expect(tool?.getSavedInput()).toEqual({ size: 'L' });
    expect(tool?.submit({ size: 'L' })).toEqual({ settled: true });
    const answer = await after.backend.request(0);
    expect(answer.command).toMatchObject({
      type: 'respond',
      executionId: 'run-1',
      answers: [{ toolCallId: 'c0', result: { size: 'L' } }],
    });
    answer.send(start, ...text('u', 'Done.'), stopped);
    await settled();
    expect(after.chat.getState().messages[1]?.parts).toMatchObject([
      { text: 'One moment. ' },
      { outcome: 'submitted' },
      { text: 'Done.' },
    ]);
  });

  it('a restore completes also when only getState() is called, and a chat that is never read touches no storage', async () => {
    const storage = createMemoryStorage();
    await left(storage, { ask: 'interactive' }, undefined, 'ask');
    const load = vi.fn(storage.load);
    const options = { clientTools: { ask: 'interactive' } } as const;
    open({ ...storage, load }, options);
    await import('../../../src/core/persistence/persisted-chat.ts');
    await settled();
    expect(load).not.toHaveBeenCalled();
    const { chat } = open({ ...storage, load }, options);
    expect(chat.getState().pendingClientTools.ask).toBeUndefined();
    await settled();
    expect(load).toHaveBeenCalledTimes(1);
    expect(chat.getState().pendingClientTools.ask).toHaveLength(1);
  });

  it('a chat without a given storage reads nothing on a server that renders the state', async () => {
    const look = async () => {
      const { chat, notified } = scriptedChat({ id: 'c', persistence: createPersistence({ tabs: false }) });
      chat.getState();
      await import('../../../src/core/persistence/persisted-chat.ts');
      await settled();
      return notified;
    };
    vi.stubGlobal('localStorage', undefined);
    expect(await look()).toEqual([]);
    vi.stubGlobal('document', new EventTarget());
    expect(await look()).toEqual(['error persistence_failed']);
    vi.unstubAllGlobals();
  });

  it('a reload resumes a cut text from the cursor of the backend', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    void before.chat.sendMessage('Hi');
    const run = await before.backend.request(0);
    run.send({ ...start, cursor: '1' }, ...text('t', 'Hel').map((event) => ({ ...event, cursor: '3' })));
    await before.clock.advance(1000);

    const after = open(storage);
    await restored(after.chat);
    expect(after.chat.getState().status).toBe('streaming');
    const resumed = await after.backend.request(0);
    expect(resumed.command).toEqual({ type: 'resume', executionId: 'run-1', cursor: '3' });
    resumed.send({ type: 'text-delta', id: 't', delta: 'lo' }, stopped);
    await settled();
    expect(after.chat.getState().messages[1]?.parts).toMatchObject([{ text: 'Hello', status: 'done' }]);
  });

  it('a reload of a cut text without a cursor gives a typed error, and retry() repeats the message', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    void before.chat.sendMessage('Hi');
    (await before.backend.request(0)).send(start, ...text('t', 'Hel'));
    await before.clock.advance(1000);

    const after = open(storage);
    await restored(after.chat);
    expect(after.chat.getState()).toMatchObject({ status: 'error', error: { code: 'stream_interrupted' } });
    void after.chat.retry();
    expect((await after.backend.request(0)).command).toMatchObject({ input: { USER_MESSAGE: 'Hi' } });
    expect(after.chat.getState().messages).toHaveLength(1);
  });

  it('a reload of a text that was cut after a delivered answer gives a typed error without a cursor', async () => {
    const storage = createMemoryStorage();
    const before = await left(storage, { now: () => 7 }, undefined, 'now');
    (await before.backend.request(1)).send(start, ...text('u', 'It is s'));
    await before.clock.advance(1000);

    const after = open(storage, { clientTools: { now: () => 8 } });
    await restored(after.chat);
    expect(after.chat.getState()).toMatchObject({ status: 'error', error: { code: 'stream_interrupted' } });
    expect(after.backend.commands).toEqual([]);
  });

  it('a reload delivers an answer once that was given but not sent', async () => {
    const storage = createMemoryStorage();
    const slow = createDeferred<string>();
    const tools: ClientTools = {
      ask: 'interactive',
      slow: defineClientTool({ execute: () => slow.promise, idempotent: true }),
    };
    const before = await left(storage, tools, undefined, 'ask', 'slow');
    before.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');

    const after = open(storage, {
      clientTools: { ...tools, slow: defineClientTool({ execute: () => 7, idempotent: true }) },
    });
    await restored(after.chat);
    expect(after.backend.commands).toMatchObject([
      {
        type: 'respond',
        answers: [
          { toolCallId: 'c0', result: 'yes' },
          { toolCallId: 'c1', result: 7 },
        ],
      },
    ]);
  });

  it('a reload resumes the run first, and sends answers again only if they did not arrive', async () => {
    const storage = createMemoryStorage();
    const before = await left(storage, { now: () => 7 }, '5', 'now');
    expect((await before.backend.request(1)).command.type).toBe('respond');

    const after = open(storage, { clientTools: { now: () => 8 } });
    await restored(after.chat);
    expect(after.backend.commands).toMatchObject([{ type: 'resume' }]);
    after.backend.requests[0]?.send(awaitingAnswers);
    const again = await after.backend.request(1);
    expect(again.command).toMatchObject({ type: 'respond', answers: [{ toolCallId: 'c0', result: 7 }] });
  });

  it('an answer given while its run is being resumed is delivered, whatever the resume gives', async () => {
    const storage = createMemoryStorage();
    await left(storage, { ask: 'interactive' }, '5', 'ask');
    const { chat, backend, notified } = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(chat);
    chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    const answer = await backend.request(1);
    backend.requests[0]?.fail(new Error('offline'));
    await settled();
    answer.send(start, ...text('u', 'Done.'), stopped);
    await settled();
    expect(notified).toEqual(['finish stop']);
    expect(backend.commands.map(({ type }) => type)).toEqual(['resume', 'respond']);
  });

  describe('an automatic tool that was running', () => {
    const never = () => new Promise<never>(() => {});

    it('an interrupted automatic tool asks the person by default whether to run again', async () => {
      const storage = createMemoryStorage();
      await left(storage, { pay: never }, undefined, 'pay');
      let runs = 0;
      const after = open(storage, { clientTools: { pay: () => ++runs } });
      await restored(after.chat);
      const tool = after.chat.getState().pendingClientTools.pay?.[0];
      expect([runs, tool?.approvalReason]).toEqual([0, 'interrupted']);
      expect(tool?.submit(undefined)).toEqual({ settled: true });
      await settled();
      expect(runs).toBe(1);
      expect(after.backend.commands).toMatchObject([{ answers: [{ toolCallId: 'c0', result: 1 }] }]);
    });

    it('an interrupted automatic tool that runs again gets the very arguments that the person was shown', async () => {
      const storage = createMemoryStorage();
      await left(storage, { pay: never }, undefined, 'pay');
      // A schema whose result differs each time, such as one that fills in the current time.
      let parsed = 0;
      const input = z.object({ at: z.number().default(() => ++parsed) });
      const ran: unknown[] = [];
      const pay = defineClientTool({ input, execute: (args) => void ran.push(args) });
      const after = open(storage, { clientTools: { pay } });
      await restored(after.chat);
      const tool = after.chat.getState().pendingClientTools.pay?.[0];
      tool?.submit(undefined);
      await settled();
      expect(ran).toEqual([tool?.args]);
    });

    it('an interrupted automatic tool whose arguments no longer match its schema fails, and nobody is asked', async () => {
      const storage = createMemoryStorage();
      await left(storage, { pay: never }, undefined, 'pay');
      const pay = defineClientTool({ input: z.object({ amount: z.number() }), execute: () => 3 });
      const after = open(storage, { clientTools: { pay } });
      await restored(after.chat);
      expect(after.chat.getState().pendingCalls).toEqual([]);
      expect(after.backend.commands).toMatchObject([
        { answers: [{ outcome: 'failed', error: expect.stringMatching(/^Invalid arguments for tool pay/) }] },
      ]);
    });

    it('an interrupted automatic tool runs again when it is idempotent', async () => {
      const storage = createMemoryStorage();
      await left(storage, { look: never }, undefined, 'look');
      const after = open(storage, {
        clientTools: { look: defineClientTool({ execute: () => 3, idempotent: true }) },
      });
      await restored(after.chat);
      expect(after.backend.commands).toMatchObject([{ answers: [{ result: 3 }] }]);
    });

    it('an interrupted automatic tool fails when its onRestore says so', async () => {
      const storage = createMemoryStorage();
      await left(storage, { pay: never }, undefined, 'pay');
      const after = open(storage, {
        clientTools: { pay: defineClientTool({ execute: () => 3, onRestore: 'fail' }) },
      });
      await restored(after.chat);
      expect(after.backend.commands).toMatchObject([
        { answers: [{ outcome: 'failed', error: expect.any(String) }] },
      ]);
    });
  });

  it.each([
    ['', { timeoutMs: 60_000 }],
    [', though its tool has a longer limit by now', { timeoutMs: 120_000 }],
    [', though its tool has no limit any more', {}],
  ])('a reload after the limit of a call settles the call as timed-out for the agent%s', async (_, limit) => {
    const storage = createMemoryStorage();
    const ask = defineClientTool({ interactive: true, timeoutMs: 60_000 });
    const before = await left(storage, { ask }, undefined, 'ask');
    await before.clock.advance(1000);
    const after = open(storage, { clientTools: { ask: defineClientTool({ interactive: true, ...limit }) } });
    await after.clock.advance(61_000);
    await restored(after.chat);
    await after.clock.advance(0);
    expect(after.backend.commands).toMatchObject([
      { answers: [{ outcome: 'timed-out', error: 'Timed out after 60 s without an answer' }] },
    ]);
  });

  it('retry() before the restore retries the failed turn after the restore', async () => {
    const after = open(await leftFailed());
    void after.chat.retry();
    await restored(after.chat);
    expect(after.backend.commands).toMatchObject([{ type: 'trigger', input: { USER_MESSAGE: 'Hi' } }]);
  });

  it('a failed turn can still be retried after a reload', async () => {
    const after = open(await leftFailed());
    await restored(after.chat);
    expect(after.chat.getState()).toMatchObject({ status: 'error', error: { message: 'offline' } });
    void after.chat.retry();
    expect((await after.backend.request(0)).command).toMatchObject({ type: 'trigger' });
  });
});

describe('a reload with an answer whose delivery is unknown', () => {
  const clientTools = { ask: 'interactive' } as const;
  const answered = async (storage: StorageOption, cursor?: string) => {
    const page = await left(storage, clientTools, cursor, 'ask');
    page.chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    await page.backend.request(1);
    return page;
  };
  const reload = async (storage: StorageOption) => {
    const page = open(storage, { clientTools });
    await restored(page.chat);
    return page;
  };
  const answerThenMessage = [
    { type: 'respond', executionId: 'run-1', answers: [{ toolCallId: 'c0', result: 'yes' }] },
    { type: 'stop' },
    { type: 'trigger', input: { USER_MESSAGE: 'Next' } },
  ];

  it('a message that waited for an answer of unknown delivery can be sent again after a reload, behind the answer', async () => {
    const storage = createMemoryStorage();
    const before = await answered(storage);
    void before.chat.sendMessage('Next');
    await settled();
    const { chat, backend } = await reload(storage);
    expect(chat.getState()).toMatchObject({ status: 'error', error: { code: 'stream_interrupted' } });
    void chat.retry();
    (await backend.request(0)).send(start);
    await settled();
    expect(backend.commands).toMatchObject(answerThenMessage);
  });

  it('a message after a stopped one still follows the answer of unknown delivery after a reload', async () => {
    const storage = createMemoryStorage();
    const before = await answered(storage);
    void before.chat.sendMessage('Never mind');
    await settled();
    before.chat.stop();
    await settled();
    const { chat, backend } = await reload(storage);
    void chat.sendMessage('Next');
    (await backend.request(0)).send(start);
    await settled();
    expect(backend.commands).toMatchObject(answerThenMessage);
  });

  it.each([
    ['is being resumed', () => {}],
    ['could not be resumed', (run: ScriptedRequest) => run.fail(new TypeError('offline'))],
  ])(
    'a message sent after a reload while the run %s follows the answer of unknown delivery',
    async (_, meanwhile) => {
      const storage = createMemoryStorage();
      await answered(storage, '4');
      const { chat, backend } = await reload(storage);
      meanwhile(await backend.request(0));
      await settled();
      void chat.sendMessage('Next');
      (await backend.request(1)).send(start);
      await settled();
      expect(backend.commands).toMatchObject([{ type: 'resume' }, ...answerThenMessage]);
    },
  );
});

describe('a reload with an open question', () => {
  it('an answer given while the run is being resumed ends the resume, so that the answer gets the run', async () => {
    const storage = createMemoryStorage();
    const clientTools = { ask: 'interactive' } as const;
    await left(storage, clientTools, '4', 'ask');
    const { chat, backend } = open(storage, { clientTools });
    await restored(chat);
    const reading = await backend.request(0);
    chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    const answer = await backend.request(1);
    expect([reading.command.type, reading.signal.aborted]).toEqual(['resume', true]);
    expect([answer.command.type, answer.signal.aborted]).toEqual(['respond', false]);
    reading.fail(new TypeError('aborted'));
    answer.send(start, ...text('t', 'Done'), stopped);
    await settled();
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    void chat.sendMessage('Next');
    const next = await backend.request(2);
    chat.stop();
    expect(next.signal.aborted).toBe(true);
  });
});

describe('a reload while answers of a run that failed are repeated', () => {
  it('a reload while answers are repeated resumes from their cursor, and the earlier call is pending again', async () => {
    const storage = createMemoryStorage();
    const clientTools = { now: () => 'noon', ask: 'interactive' } as const;
    const { chat, backend } = await left(storage, clientTools, '4', 'ask');
    chat.getState().pendingClientTools.ask?.[0]?.submit('first');
    const more = { ...request(call('d0', 'now'), call('d1', 'ask')), cursor: '6' };
    const run = await backend.request(1);
    run.send(start, more);
    await settled();
    run.send(failure);
    await settled();
    void chat.retry();
    await backend.request(2);
    await settled();

    const after = open(storage, { clientTools });
    await restored(after.chat);
    (await after.backend.request(0)).send(more, awaitingAnswers);
    await settled();
    after.chat.getState().pendingClientTools.ask?.[0]?.submit('second');
    await settled();
    expect(after.backend.commands).toMatchObject([
      { type: 'resume', cursor: '4' },
      { type: 'respond', answers: [{ result: 'noon' }, { result: 'second' }] },
    ]);
  });
});

it('a restored turn that failed with its answer sends nothing before retry()', async () => {
  const storage = createMemoryStorage();
  const clientTools = { now: () => 'noon' };
  const before = await left(storage, clientTools, undefined, 'now');
  (await before.backend.request(1)).fail(new Error('offline'));
  await settled();
  const { chat, backend } = open(storage, { clientTools });
  await restored(chat);
  expect(chat.getState()).toMatchObject({ status: 'error', error: { message: 'offline' } });
  expect(backend.commands).toEqual([]);
  void chat.retry();
  await settled();
  expect(backend.commands).toMatchObject([{ type: 'respond', answers: [{ result: 'noon' }] }]);
});

describe('a reload after which the run could not be resumed', () => {
  const clientTools = { now: () => 'noon', ask: 'interactive' } as const;
  const cut = async () => {
    const storage = createMemoryStorage();
    await left(storage, clientTools, '4', 'now', 'ask');
    const page = open(storage, { clientTools });
    await restored(page.chat);
    (await page.backend.request(0)).fail(new TypeError('offline'));
    await settled();
    expect(page.chat.getState().status).toBe('error');
    return page;
  };

  it('retry() after a failed resume makes the question pending again, and its answer completes the others', async () => {
    const { chat, backend } = await cut();
    void chat.retry();
    (await backend.request(1)).send(awaitingAnswers);
    await settled();
    chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    await settled();
    expect(backend.commands.slice(2)).toMatchObject([
      { type: 'respond', answers: [{ result: 'noon' }, { result: 'yes' }] },
    ]);
  });

  it('a message after a failed resume follows the given answers, with the open question as superseded', async () => {
    const { chat, backend } = await cut();
    void chat.sendMessage('Next');
    (await backend.request(1)).send(start);
    await settled();
    expect(backend.commands.slice(1)).toMatchObject([
      {
        type: 'respond',
        answers: [{ result: 'noon' }, { outcome: 'superseded', error: expect.any(String) }],
      },
      { type: 'stop' },
      { type: 'trigger', input: { USER_MESSAGE: 'Next' } },
    ]);
  });
});

describe('a message after a reload whose run could not be resumed', () => {
  const clientTools = { now: () => 'noon', ask: 'interactive' } as const;
  const commandsAfter = async (storage: StorageOption) => {
    const { chat, backend } = open(storage, { clientTools });
    await restored(chat);
    (await backend.request(0)).fail(new TypeError('offline'));
    await settled();
    void chat.sendMessage('Next');
    await settled();
    return backend.commands;
  };

  it('a message after a failed resume goes alone when no answer was given', async () => {
    const storage = createMemoryStorage();
    await left(storage, clientTools, '4', 'ask');
    expect((await commandsAfter(storage)).map(({ type }) => type)).toEqual(['resume', 'trigger']);
  });

  it('a message after a failed resume follows the undelivered answers, and no delivered ones', async () => {
    const storage = createMemoryStorage();
    const before = await left(storage, clientTools, '4', 'now');
    const more = request(call('c1', 'now'), call('c2', 'ask'));
    (await before.backend.request(1)).send({ ...start, cursor: '6' }, more, awaitingAnswers);
    await settled();
    const [, delivery] = await commandsAfter(storage);
    expect(delivery).toMatchObject({
      type: 'respond',
      answers: [
        { toolCallId: 'c1', result: 'noon' },
        { toolCallId: 'c2', outcome: 'superseded' },
      ],
    });
  });
});

describe('parsed arguments that JSON cannot carry', () => {
  const input = z.object({ at: z.coerce.date(), count: z.coerce.bigint() });
  const clientTools = { ask: defineClientTool({ input, interactive: true }) };
  const given = { at: '2026-01-02T03:04:05.000Z', count: '9007199254740993' };
  const made = { at: new Date(given.at), count: 9_007_199_254_740_993n };
  const asks = request({ toolCallId: 'c0', toolName: 'ask', args: given });

  it('parsed arguments that JSON cannot carry are parsed again after a reload', async () => {
    const storage = createMemoryStorage();
    const before = open(storage, { clientTools });
    await restored(before.chat);
    void before.chat.sendMessage('order');
    (await before.backend.request(0)).send(start, asks, awaitingAnswers);
    await settled();
    expect(before.chat.getState().pendingClientTools.ask?.[0]?.args).toEqual(made);
    expect(before.notified).toEqual([]);

    const after = open(storage, { clientTools });
    await restored(after.chat);
    expect(after.chat.getState().pendingClientTools.ask?.[0]?.args).toEqual(made);
  });

  it('restored arguments that no longer match the schema fail the call with an error for the agent', async () => {
    const storage = createMemoryStorage();
    const before = open(storage, { clientTools });
    await restored(before.chat);
    void before.chat.sendMessage('order');
    (await before.backend.request(0)).send(start, asks, awaitingAnswers);
    await settled();
    const stricter = defineClientTool({ input: z.object({ size: z.string() }), interactive: true });
    const after = open(storage, { clientTools: { ask: stricter } });
    await restored(after.chat);
    expect(after.backend.commands).toMatchObject([
      {
        answers: [
          { outcome: 'failed', error: expect.stringMatching(/^Invalid arguments for tool ask: size/) },
        ],
      },
    ]);
  });
});
