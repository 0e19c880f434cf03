import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  type AgentChatOptions,
  type ClientTools,
  createSocketTransport,
  defineClientTool,
} from '../../src/core.ts';
import type { ChatStorage, KeyValueStorage, StorageOption } from '../../src/store/chat-storage.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import { createScriptedTransport, type ScriptedRequest } from '../../src/testing/scripted-transport.ts';
import { createDeferred } from '../support/deferred.ts';
import { createFakeBrowser } from '../support/fake-tabs.ts';
import { scriptedChat, settled } from '../support/scripted-chat.ts';
import { call, handedOver, request, start, stopped, text } from '../support/scripted-events.ts';
import { createFakeServer } from '../transport/fake-socket.ts';

/** Lets the persistence, loaded on demand, get through. */
async function restored(chat: { subscribe(listener: () => void): () => void; getState(): unknown }) {
  chat.subscribe(() => {});
  await import('../../src/session/kept-chat.ts');
  await settled();
}

/** The listeners of the page, which leave nothing behind; the returned function leaves the page. */
function pageLeft(): () => void {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  return () => page.dispatchEvent(new Event('pagehide'));
}

afterEach(() => vi.unstubAllGlobals());

function open(storage: StorageOption, options: Partial<AgentChatOptions> = {}, resume = true) {
  return scriptedChat({ id: 'c', persistence: { storage }, ...options }, createScriptedTransport({ resume }));
}

/** A page on which the agent has just asked for these calls, and which is then left without a word. */
async function left(
  storage: StorageOption,
  clientTools: ClientTools,
  cursor: string | undefined,
  ...names: string[]
) {
  const page = open(storage, { clientTools });
  await restored(page.chat);
  void page.chat.sendMessage('order');
  const run = await page.backend.request(0);
  const at = cursor === undefined ? {} : { cursor };
  run.send({ ...start, ...at }, ...text('t', 'One moment. '));
  run.send(request(...names.map((name, index) => call(`c${index}`, name))), handedOver);
  await settled();
  return page;
}

describe('O-42 a reload', () => {
  it('brings back messages, and a waiting call with its draft, which can still be answered', async () => {
    const storage = createMemoryStorage();
    const before = await left(storage, { ask: 'interactive' }, undefined, 'ask');
    before.chat.getState().pendingClientTools.ask?.[0]?.saveDraft({ size: 'L' });
    const { messages } = before.chat.getState();
    await before.clock.advance(1000);

    const after = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(after.chat);
    expect(after.chat.getState().status).toBe('awaiting-input');
    expect(after.chat.getState().messages).toEqual(messages);
    const tool = after.chat.getState().pendingClientTools.ask?.[0];
    expect(tool?.getDraft()).toEqual({ size: 'L' });
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

  it('is over, too, for who only looks at the state; a chat nobody looks at touches no storage', async () => {
    const storage = createMemoryStorage();
    await left(storage, { ask: 'interactive' }, undefined, 'ask');
    const load = vi.fn(storage.load);
    const options = { clientTools: { ask: 'interactive' } } as const;
    open({ ...storage, load }, options);
    await import('../../src/session/kept-chat.ts');
    await settled();
    expect(load).not.toHaveBeenCalled();
    const { chat } = open({ ...storage, load }, options);
    expect(chat.getState().pendingClientTools.ask).toBeUndefined();
    await settled();
    expect(load).toHaveBeenCalledTimes(1);
    expect(chat.getState().pendingClientTools.ask).toHaveLength(1);
  });

  it('is a matter of browsers where no storage is given: a server that renders the state reads nothing', async () => {
    const look = async () => {
      const { chat, heard } = scriptedChat({ id: 'c', persistence: { tabs: false } });
      chat.getState();
      await import('../../src/session/kept-chat.ts');
      await settled();
      return heard;
    };
    vi.stubGlobal('localStorage', undefined);
    expect(await look()).toEqual([]);
    vi.stubGlobal('document', new EventTarget());
    expect(await look()).toEqual(['error persistence_failed']);
    vi.unstubAllGlobals();
  });

  it('reads on where the text was cut, when the backend gave its position', async () => {
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

  it('without a position a cut answer is a typed error, and retry repeats the message', async () => {
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

  it('so is one that was cut after the agent took an answer', async () => {
    const storage = createMemoryStorage();
    const before = await left(storage, { now: () => 7 }, undefined, 'now');
    (await before.backend.request(1)).send(start, ...text('u', 'It is s'));
    await before.clock.advance(1000);

    const after = open(storage, { clientTools: { now: () => 8 } });
    await restored(after.chat);
    expect(after.chat.getState()).toMatchObject({ status: 'error', error: { code: 'stream_interrupted' } });
    expect(after.backend.commands).toEqual([]);
  });

  it('delivers an answer that was given but not sent, once', async () => {
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

  it('asks the run first whether answers on their way arrived, and sends them again only if not', async () => {
    const storage = createMemoryStorage();
    const before = await left(storage, { now: () => 7 }, '5', 'now');
    expect((await before.backend.request(1)).command.type).toBe('respond');

    const after = open(storage, { clientTools: { now: () => 8 } });
    await restored(after.chat);
    expect(after.backend.commands).toMatchObject([{ type: 'resume' }]);
    after.backend.requests[0]?.send(handedOver);
    const again = await after.backend.request(1);
    expect(again.command).toMatchObject({ type: 'respond', answers: [{ toolCallId: 'c0', result: 7 }] });
  });

  describe('an automatic tool that was running', () => {
    const never = () => new Promise<never>(() => {});

    it('asks the person whether to run again by default', async () => {
      const storage = createMemoryStorage();
      await left(storage, { pay: never }, undefined, 'pay');
      let runs = 0;
      const after = open(storage, { clientTools: { pay: () => ++runs } });
      await restored(after.chat);
      const tool = after.chat.getState().pendingClientTools.pay?.[0];
      expect([runs, tool?.asks]).toEqual([0, 'rerun']);
      expect(tool?.submit(undefined)).toEqual({ settled: true });
      await settled();
      expect(runs).toBe(1);
      expect(after.backend.commands).toMatchObject([{ answers: [{ toolCallId: 'c0', result: 1 }] }]);
    });

    it('runs again when it is idempotent', async () => {
      const storage = createMemoryStorage();
      await left(storage, { look: never }, undefined, 'look');
      const after = open(storage, {
        clientTools: { look: defineClientTool({ execute: () => 3, idempotent: true }) },
      });
      await restored(after.chat);
      expect(after.backend.commands).toMatchObject([{ answers: [{ result: 3 }] }]);
    });

    it('fails when its tool says so', async () => {
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
  ])('after the time of a call: it has timed out, and says so to the agent%s', async (_, limit) => {
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

  it('a failed turn can still be retried', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    const sent = before.chat.sendMessage('Hi');
    (await before.backend.request(0)).fail(new Error('offline'));
    await sent;
    const after = open(storage);
    await restored(after.chat);
    expect(after.chat.getState()).toMatchObject({ status: 'error', error: { message: 'offline' } });
    void after.chat.retry();
    expect((await after.backend.request(0)).command).toMatchObject({ type: 'trigger' });
  });
});

describe('a reload with an answer of which nobody knows whether it arrived', () => {
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

  it('and a message that waits for it: the message can be sent again, after the answer', async () => {
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

  it('and a message stopped while it waited for it: the next one still goes out after the answer', async () => {
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
    ['is being read on', () => {}],
    ['could not be read on', (run: ScriptedRequest) => run.fail(new TypeError('offline'))],
  ])('and a message while its run %s: the answer goes out before it', async (_, meanwhile) => {
    const storage = createMemoryStorage();
    await answered(storage, '4');
    const { chat, backend } = await reload(storage);
    meanwhile(await backend.request(0));
    await settled();
    void chat.sendMessage('Next');
    (await backend.request(1)).send(start);
    await settled();
    expect(backend.commands).toMatchObject([{ type: 'resume' }, ...answerThenMessage]);
  });
});

describe('a reload after which the run could not be read on', () => {
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

  it('and a retry: the question is asked again, and its answer completes those there are', async () => {
    const { chat, backend } = await cut();
    void chat.retry();
    (await backend.request(1)).send(handedOver);
    await settled();
    chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    await settled();
    expect(backend.commands.slice(2)).toMatchObject([
      { type: 'respond', answers: [{ result: 'noon' }, { result: 'yes' }] },
    ]);
  });

  it('and a message instead: what was answered goes out before it, the question as superseded', async () => {
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

describe('a reload with an open question', () => {
  it('an answer given while the run is still being read on ends that: it would take the run away from the answer', async () => {
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

describe('the storage', () => {
  it('a message sent before the conversation is restored follows it', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    void before.chat.sendMessage('one');
    (await before.backend.request(0)).send(stopped);
    await settled();
    const after = open(storage);
    void after.chat.sendMessage('two');
    await after.backend.request(0);
    expect(after.chat.getState().messages.map(({ parts }) => parts)).toMatchObject([
      [{ text: 'one' }],
      [{ text: 'two' }],
    ]);
  });

  it.each([
    ['broken text', '{"version":1,', 'not JSON'],
    ['another version', '{"version":99}', 'version 99'],
    ['another shape', '{"version":1,"savedAt":1,"messages":3}', 'messages'],
  ])('%s is reported and set aside, and the chat works', async (_, stored, named) => {
    const storage = createMemoryStorage();
    storage.save('handrail:c', stored);
    const messages: string[] = [];
    const { chat, backend } = open(storage, {
      onError: (error) => messages.push(`${error.code} ${error.message}`),
    });
    await restored(chat);
    expect(messages).toEqual([expect.stringContaining(named)]);
    expect(messages[0]).toMatch(/^persistence_failed/);
    expect(storage.entries.get('handrail:c.rejected')).toBe(stored);
    expect(chat.getState().status).toBe('idle');
    void chat.sendMessage('Hi');
    expect((await backend.request(0)).command.type).toBe('trigger');
  });

  it.each([
    ['at once', <Value>(value: Value) => value],
    ['by a promise', async <Value>(value: Value) => value],
  ])(
    'may be what other libraries call one, with the methods of localStorage that answer %s',
    async (_, answer) => {
      const entries = new Map<string, string>();
      const storage: KeyValueStorage = {
        getItem: (key) => answer(entries.get(key) ?? null),
        setItem: (key, value) => answer(void entries.set(key, value)),
        removeItem: (key) => answer(void entries.delete(key)),
      };
      await left(storage, { ask: 'interactive' }, undefined, 'ask');
      await settled();
      const after = open(storage, { clientTools: { ask: 'interactive' } });
      await restored(after.chat);
      expect(after.chat.getState().pendingClientTools.ask).toHaveLength(1);
      await after.chat.clearPersisted();
      expect([...entries.keys()]).toEqual([]);
      expect(after.heard).toEqual([]);
    },
  );

  it('a full storage is reported once, and the chat goes on', async () => {
    const full: ChatStorage = {
      load: () => null,
      save: () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
      remove: () => {},
    };
    const { chat, backend, heard } = open(full);
    await restored(chat);
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).send(...text('t', 'Hello'), stopped);
    await sent;
    await settled();
    expect(chat.getState().status).toBe('idle');
    expect(heard.filter((line) => line === 'error persistence_failed')).toHaveLength(1);
  });

  it.each([
    ['fails to read', () => Promise.reject(new Error('offline'))],
    ['throws at reading', () => JSON.parse('no JSON')],
    ['never answers', () => new Promise<never>(() => {})],
  ])('a storage that %s: the chat goes on, and what was kept is not written over', async (_, load) => {
    const { entries, ...storage } = createMemoryStorage();
    await left(storage, { ask: 'interactive' }, undefined, 'ask');
    await settled();
    const kept = entries.get('handrail:c');
    const page = open({ ...storage, load });
    await restored(page.chat);
    const sent = page.chat.sendMessage('Hi');
    await page.clock.advance(10_000);
    (await page.backend.request(0)).send(...text('t', 'Hello'), stopped);
    await sent;
    page.chat.destroy();
    await settled();
    expect(page.chat.getState().messages).toHaveLength(2);
    expect(page.heard.filter((line) => line === 'error persistence_failed')).toHaveLength(1);
    expect(kept).toContain('"ask"');
    expect(entries.get('handrail:c')).toBe(kept);

    const after = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(after.chat);
    expect(after.chat.getState().pendingClientTools.ask).toHaveLength(1);
  });

  it('what could not be read is kept again once it was cleared', async () => {
    const { entries, ...storage } = createMemoryStorage();
    const { chat, backend } = open({ ...storage, load: () => Promise.reject(new Error('offline')) });
    await restored(chat);
    await chat.clearPersisted();
    void chat.sendMessage('Hi');
    await backend.request(0);
    await settled();
    expect(entries.get('handrail:c')).toContain('Hi');
  });

  it('what could not be written is tried again when the page is left', async () => {
    const onLeave = pageLeft();
    const { entries, ...storage } = createMemoryStorage();
    let isFull = false;
    const save: ChatStorage['save'] = (key, text) => {
      if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      storage.save(key, text);
    };
    const { chat, backend, heard } = open({ ...storage, save }, { clientTools: { ask: 'interactive' } });
    await restored(chat);
    void chat.sendMessage('order');
    (await backend.request(0)).send(start, request(call('c0', 'ask')), handedOver);
    await settled();
    isFull = true;
    chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    await settled();
    expect(heard).toEqual(['error persistence_failed']);
    isFull = false;
    onLeave();
    await settled();
    expect(entries.get('handrail:c')).toContain('"yes"');
  });

  it('seven days are not too old, more are', async () => {
    const day = 24 * 60 * 60 * 1000;
    const storage = createMemoryStorage();
    await left(storage, { ask: 'interactive' }, undefined, 'ask');
    await settled();
    for (const [days, count] of [
      [7, 1],
      [7.1, 0],
    ] as const) {
      const later = open(storage, { clientTools: { ask: 'interactive' } });
      await later.clock.advance(days * day);
      await restored(later.chat);
      expect(later.chat.getState().pendingClientTools.ask ?? []).toHaveLength(count);
    }
  });

  it('clearPersisted forgets for good: neither what is being written nor leaving the page brings it back', async () => {
    const onLeave = pageLeft();
    const { entries, ...storage } = createMemoryStorage();
    const writing = createDeferred();
    const save: ChatStorage['save'] = (key, text) => writing.promise.then(() => storage.save(key, text));
    const { chat, backend } = open({ ...storage, save });
    await restored(chat);
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, ...text('t', 'Hello'));
    await settled();
    const cleared = chat.clearPersisted();
    await import('../../src/session/kept-chat.ts');
    await settled();
    writing.resolve();
    await cleared;
    expect(entries.size).toBe(0);
    onLeave();
    await settled();
    chat.destroy();
    await settled();
    expect(entries.size).toBe(0);
  });

  it('clearPersisted forgets, too, what was said since the last write', async () => {
    const onLeave = pageLeft();
    const storage = createMemoryStorage();
    const { chat, backend } = open(storage);
    await restored(chat);
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start);
    await settled();
    run.send(...text('t', 'Hello'));
    await settled();
    expect(storage.entries.get('handrail:c')).not.toContain('Hello');
    await chat.clearPersisted();
    onLeave();
    await settled();
    expect(storage.entries.size).toBe(0);
  });

  it('what is too old is not restored, and clearPersisted forgets', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    void before.chat.sendMessage('Hi');
    (await before.backend.request(0)).send(stopped);
    await settled();
    const late = open(storage, { persistence: { storage, maxAgeMs: 1000 } });
    await late.clock.advance(5000);
    await restored(late.chat);
    expect(late.chat.getState().messages).toEqual([]);

    await before.chat.clearPersisted();
    expect(storage.entries.size).toBe(0);
  });

  it('clearPersisted forgets, too, what a chat keeps that nobody used yet, and what was put aside', async () => {
    const storage = createMemoryStorage();
    await storage.save('handrail:c', 'of an older version');
    const { chat } = open(storage);
    await restored(chat);
    await storage.save('handrail:c', 'of the version after it');
    const next = open(storage);
    await next.chat.clearPersisted();
    expect(storage.entries.size).toBe(0);
    expect(next.heard).toEqual([]);
  });

  it('clearPersisted says so when the storage does not let it', async () => {
    const fault = new Error('read only');
    const storage: ChatStorage = { load: () => null, save: () => {}, remove: () => Promise.reject(fault) };
    const { chat, heard } = open(storage);
    await restored(chat);
    await expect(chat.clearPersisted()).rejects.toMatchObject({ code: 'persistence_failed', cause: fault });
    expect(heard).toEqual([]);
  });

  it('that is still writing when the chat is destroyed gets the rest: the question as it was, with what was filled in', async () => {
    const { entries, ...storage } = createMemoryStorage();
    const writes = [createDeferred(), createDeferred()];
    let begun = 0;
    const slow: ChatStorage = {
      ...storage,
      async save(key, snapshot) {
        begun += 1;
        await writes[begun - 1]?.promise;
        storage.save(key, snapshot);
      },
    };
    const before = await left(slow, { ask: 'interactive' }, undefined, 'ask');
    before.chat.getState().pendingClientTools.ask?.[0]?.saveDraft({ size: 'L' });
    before.chat.destroy();
    expect(begun).toBe(1);
    for (const { resolve } of writes) {
      resolve();
      await settled();
    }
    expect(begun).toBe(2);
    const after = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(after.chat);
    expect(after.chat.getState().pendingClientTools.ask?.[0]?.getDraft()).toEqual({ size: 'L' });
  });

  it('that is still writing when the chat is destroyed is read by the next one of the page after that', async () => {
    const { entries, ...storage } = createMemoryStorage();
    const writing = createDeferred();
    const save: ChatStorage['save'] = (key, text) => writing.promise.then(() => storage.save(key, text));
    const before = await left({ ...storage, save }, { ask: 'interactive' }, undefined, 'ask');
    before.chat.destroy();
    const after = open(storage, { clientTools: { ask: 'interactive' } });
    await restored(after.chat);
    writing.resolve();
    await settled();
    expect(after.chat.getState().pendingClientTools.ask).toHaveLength(1);
  });

  it('that is still writing when the chat is destroyed is cleared after that', async () => {
    const { entries, ...storage } = createMemoryStorage();
    const writing = createDeferred();
    const save: ChatStorage['save'] = (key, text) => writing.promise.then(() => storage.save(key, text));
    const before = await left({ ...storage, save }, { ask: 'interactive' }, undefined, 'ask');
    before.chat.destroy();
    const cleared = open(storage).chat.clearPersisted();
    await settled();
    writing.resolve();
    await cleared;
    await settled();
    expect(entries.size).toBe(0);
  });

  it('that is still reading when the chat is destroyed keeps what it has', async () => {
    const onLeave = pageLeft();
    const { entries, ...storage } = createMemoryStorage();
    const before = await left(storage, { ask: 'interactive' }, undefined, 'ask');
    before.chat.destroy();
    await settled();
    const kept = entries.get('handrail:c');
    const reading = createDeferred();
    const slow: ChatStorage = { ...storage, load: (key) => reading.promise.then(() => storage.load(key)) };
    const brief = open(slow, { clientTools: { ask: 'interactive' } });
    await restored(brief.chat);
    brief.chat.destroy();
    reading.resolve();
    await settled();
    onLeave();
    await settled();
    expect(kept).toContain('"ask"');
    expect(entries.get('handrail:c')).toBe(kept);
  });

  it('that never answers is no concern of a chat that is gone, and one that has answered is not waited for', async () => {
    const storage = createMemoryStorage();
    const gone = open({ ...storage, load: () => new Promise<never>(() => {}) });
    await restored(gone.chat);
    gone.chat.destroy();
    await gone.clock.advance(10_000);
    expect(gone.heard).toEqual([]);

    const { chat, clock } = open(storage);
    await restored(chat);
    expect(clock.waiting).toBe(0);
  });

  it('is written to by a page that is left only where something happened: another page may have gone on', async () => {
    const onLeave = pageLeft();
    const storage = createMemoryStorage();
    const save = vi.fn(storage.save);
    const say = async (content: string) => {
      const page = open({ ...storage, save });
      await restored(page.chat);
      void page.chat.sendMessage(content);
      (await page.backend.request(0)).send(start, stopped);
      await settled();
    };
    await say('one');
    const server = createFakeServer();
    const clock = createManualClock();
    const transport = createSocketTransport({ connect: server.connect, clock });
    const idle = open({ ...storage, save }, { transport, clock });
    await restored(idle.chat);
    expect(idle.chat.getState().messages).toHaveLength(1);
    await say('two');
    save.mockClear();
    await idle.chat.connect?.();
    await clock.advance(1000);
    onLeave();
    await settled();
    expect(idle.chat.getState().connectionState).toBe('connected');
    expect(save).not.toHaveBeenCalled();
    expect(storage.entries.get('handrail:c')).toContain('two');
  });

  it('streaming text is kept now and then, not per delta; what came last when the chat is destroyed', async () => {
    let saves = 0;
    let kept = '';
    const save: ChatStorage['save'] = (_, text) => {
      saves += 1;
      kept = text;
    };
    const storage: ChatStorage = { load: () => null, save, remove: () => {} };
    const { chat, backend, clock } = open(storage);
    await restored(chat);
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    await settled();
    const before = saves;
    run.send(...text('t', 'a'));
    for (let count = 0; count < 100; count += 1) run.send({ type: 'text-delta', id: 't', delta: 'b' });
    await settled();
    expect(saves - before).toBe(0);
    await clock.advance(500);
    expect(saves - before).toBe(1);
    run.send({ type: 'text-delta', id: 't', delta: 'the end' });
    await settled();
    expect(kept).not.toContain('the end');
    chat.destroy();
    expect(kept).toContain('the end');
  });

  it('has the name of a run as soon as it has begun: without it nobody could read on', async () => {
    const storage = createMemoryStorage();
    const before = open(storage);
    await restored(before.chat);
    void before.chat.sendMessage('Hi');
    const run = await before.backend.request(0);
    await settled();
    run.send({ ...start, cursor: '1' });
    await settled();
    const after = open(storage);
    await restored(after.chat);
    expect(after.backend.commands).toMatchObject([{ type: 'resume', executionId: 'run-1', cursor: '1' }]);
  });

  it('that cannot be opened is reported, and the chat goes on without', async () => {
    const openChannel = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    const tabs = { ...createFakeBrowser().openTab().environment, openChannel };
    const { chat, backend, heard } = open(createMemoryStorage(), {
      persistence: { storage: createMemoryStorage(), tabs },
    });
    await restored(chat);
    void chat.sendMessage('Hi');
    expect((await backend.request(0)).command.type).toBe('trigger');
    expect(heard).toEqual(['error persistence_failed']);
  });

  it('answers given in one go are one write, also where the storage is slow; the last write is the whole', async () => {
    const kept = createMemoryStorage();
    const writes: { text: string; done: () => void }[] = [];
    const slow: ChatStorage = {
      ...kept,
      save(key, text) {
        const { promise, resolve } = createDeferred();
        writes.push({ text, done: () => [kept.save(key, text), resolve()] });
        return promise;
      },
    };
    const answered = (text: string) =>
      (JSON.parse(text).calls as { answer?: object }[]).filter(({ answer }) => answer !== undefined).length;
    const { chat, backend } = open(slow, {
      clientTools: { ask: 'interactive', now: () => new Promise(() => {}) },
    });
    await restored(chat);
    void chat.sendMessage('order');
    const asks = ['1', '2', '3'].map((id) => call(id, 'ask'));
    (await backend.request(0)).send(start, request(...asks, call('4', 'now')), handedOver);
    await settled();
    // One is on its way, and whatever else happened has to follow it.
    expect(writes.map(({ text }) => answered(text))).toEqual([0]);
    const [first, second, third] = chat.getState().pendingClientTools.ask ?? [];
    first?.submit(1);
    second?.submit(2);
    writes[0]?.done();
    await settled();
    expect(writes.map(({ text }) => answered(text))).toEqual([0, 2]);
    writes[1]?.done();
    await settled();
    third?.submit(3);
    third?.submit(4);
    await settled();
    expect(writes.map(({ text }) => answered(text))).toEqual([0, 2, 3]);
    writes[2]?.done();
    await settled();
    expect(writes).toHaveLength(3);
    expect(answered(kept.entries.get('handrail:c') ?? '')).toBe(3);
  });

  it('answers given in one go are one write on an idle storage too, and are kept at once when the page is left', async () => {
    const storage = createMemoryStorage();
    const writes: string[] = [];
    const counted: ChatStorage = {
      ...storage,
      save(key, text) {
        writes.push(text);
        storage.save(key, text);
      },
    };
    const { chat, backend } = open(counted, {
      clientTools: { ask: 'interactive', now: () => new Promise(() => {}) },
    });
    await restored(chat);
    void chat.sendMessage('order');
    (await backend.request(0)).send(
      start,
      request(call('1', 'ask'), call('2', 'ask'), call('3', 'now')),
      handedOver,
    );
    await settled();
    const before = writes.length;
    const [first, second] = chat.getState().pendingClientTools.ask ?? [];
    first?.submit(1);
    second?.submit(2);
    expect(writes.length - before).toBe(0);
    chat.destroy();
    expect(writes.length - before).toBe(1);
    await settled();
    expect(writes.length - before).toBe(1);
    expect(writes.at(-1)).toMatch(/"result":1.*"result":2/);
  });

  it('needs a name', () => {
    expect(() => scriptedChat({ persistence: { storage: createMemoryStorage() } })).toThrow(/pass id/);
  });
});

describe('arguments a schema makes something of that JSON cannot carry', () => {
  const input = z.object({ at: z.coerce.date(), count: z.coerce.bigint() });
  const clientTools = { ask: defineClientTool({ input, interactive: true }) };
  const given = { at: '2026-01-02T03:04:05.000Z', count: '9007199254740993' };
  const made = { at: new Date(given.at), count: 9_007_199_254_740_993n };
  const asks = request({ toolCallId: 'c0', toolName: 'ask', args: given });

  it('are made again after a reload', async () => {
    const storage = createMemoryStorage();
    const before = open(storage, { clientTools });
    await restored(before.chat);
    void before.chat.sendMessage('order');
    (await before.backend.request(0)).send(start, asks, handedOver);
    await settled();
    expect(before.chat.getState().pendingClientTools.ask?.[0]?.args).toEqual(made);
    expect(before.heard).toEqual([]);

    const after = open(storage, { clientTools });
    await restored(after.chat);
    expect(after.chat.getState().pendingClientTools.ask?.[0]?.args).toEqual(made);
  });

  it('that no longer fit the schema of a newer page are told to the agent', async () => {
    const storage = createMemoryStorage();
    const before = open(storage, { clientTools });
    await restored(before.chat);
    void before.chat.sendMessage('order');
    (await before.backend.request(0)).send(start, asks, handedOver);
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
