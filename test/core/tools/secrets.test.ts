/** Fields marked secret reach the agent only: no message, no storage, no other tab. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type AgentChat,
  type AgentChatOptions,
  type ClientTools,
  createPersistence,
  defineClientTool,
  type UIMessage,
} from '../../../src/core.ts';
import { createId } from '../../../src/shared/ids.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { createFakeBrowser } from '../../support/fake-tabs.ts';
import { restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../../support/scripted-events.ts';

const SECRET = 'hunter2';
const login = { user: 'ada', password: SECRET };
const shown = { user: 'ada' };
const clientTools: ClientTools = {
  login: defineClientTool({
    output: z.object({ user: z.string(), password: z.string().meta({ format: 'password' }) }),
    interactive: true,
  }),
  ask: 'interactive',
};

/** A storage that records everything that was ever saved. */
function createWatchedStorage() {
  const storage = createMemoryStorage();
  const written: string[] = [];
  return {
    ...storage,
    written,
    save(key: string, text: string) {
      written.push(text);
      storage.save(key, text);
    },
  };
}
type Storage = ReturnType<typeof createWatchedStorage>;

async function openPage(storage: Storage, options: Partial<AgentChatOptions> = {}) {
  const page = scriptedChat(
    { id: 'c', persistence: createPersistence({ storage, tabs: false }), clientTools, ...options },
    createScriptedTransport({ resume: true }),
  );
  await restored(page.chat);
  return page;
}

const pending = (chat: AgentChat, name: string) => chat.getState().pendingClientTools[name]?.[0];
const resultOf = (messages: readonly UIMessage[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.result] : [])));

/** A page whose run asks for these tools. */
async function ask(storage: Storage, names: readonly string[], cursor?: string, tools = clientTools) {
  const page = await openPage(storage, { clientTools: tools });
  void page.chat.sendMessage('order');
  const run = await page.backend.request(0);
  run.send({ ...start, ...(cursor === undefined ? {} : { cursor }) }, ...text('t', 'One moment. '));
  run.send(request(...names.map((name, index) => call(`c${index}`, name))), awaitingAnswers);
  await settled();
  return page;
}

describe('a secret that was submitted', () => {
  it('a submitted secret reaches the agent, and messages and snapshots have only the other fields', async () => {
    const storage = createWatchedStorage();
    const { chat, backend, clock } = await ask(storage, ['login']);
    expect(pending(chat, 'login')?.submit(login)).toEqual({ settled: true });
    const answer = await backend.request(1);
    expect(answer.command).toMatchObject({ answers: [{ toolCallId: 'c0', result: login }] });
    // A transport that keeps a history keeps this form of the result.
    expect(answer.command).toHaveProperty('answers.0.redactedResult', { user: 'ada' });
    answer.send(start, ...text('u', 'Done.'), stopped);
    await clock.advance(1000);
    expect(resultOf(chat.getState().messages)).toEqual([shown]);
    expect(storage.written.length).toBeGreaterThan(2);
    expect(storage.written.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it.each<[string, ClientTools[string], object, object, object | null]>([
    [
      'a list of fields in the arguments',
      'interactive',
      { fields: [{ name: 'user' }, { name: 'password', type: 'password' }] },
      login,
      shown,
    ],
    [
      'a schema in the arguments',
      'interactive',
      { fields: null, requestedSchema: { properties: { password: { type: 'string', writeOnly: true } } } },
      login,
      shown,
    ],
    [
      'a schema in the arguments, which a form shows rather than a list beside it',
      'interactive',
      { fields: [{ name: 'user' }], requestedSchema: { properties: { password: { format: 'password' } } } },
      login,
      shown,
    ],
    [
      'input, for arguments that were edited',
      defineClientTool({
        input: z.object({ user: z.string(), password: z.string().meta({ writeOnly: true }) }),
        interactive: true,
        editable: true,
      }),
      { user: 'eve', password: '' },
      { confirmed: true, editedArgs: login, changedArgs: ['user', 'password'] },
      { confirmed: true, editedArgs: shown, changedArgs: ['user', 'password'] },
    ],
    [
      'output, also where it makes something else of it',
      defineClientTool({
        output: z.object({ pin: z.string().meta({ format: 'password' }) }).transform(({ pin }) => [pin]),
        interactive: true,
      }),
      {},
      { pin: SECRET },
      {},
    ],
    [
      'output, also of what JSON cannot carry before it made something else of it',
      defineClientTool({
        output: z
          .object({ pin: z.string().meta({ format: 'password' }), size: z.bigint() })
          .transform(({ pin, size }) => [pin, Number(size)]),
        interactive: true,
      }),
      {},
      { pin: SECRET, size: 1n },
      null,
    ],
  ])('a secret field is declared by %s', async (_, tool, args, result, left) => {
    const storage = createWatchedStorage();
    const { chat, backend } = await openPage(storage, { clientTools: { tool } });
    void chat.sendMessage('order');
    (await backend.request(0)).send(
      start,
      request({ toolCallId: 'c0', toolName: 'tool', args: { ...args } }),
      awaitingAnswers,
    );
    await settled();
    expect(pending(chat, 'tool')?.submit(result)).toEqual({ settled: true });
    expect(JSON.stringify(await backend.request(1).then(({ command }) => command))).toContain(SECRET);
    expect(resultOf(chat.getState().messages)).toEqual([left]);
    await settled();
    expect(storage.written.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it.each<[string, ClientTools[string], object, object]>([
    ['the output schema', clientTools.login as ClientTools[string], {}, shown],
    [
      'a list of fields in the arguments',
      'interactive',
      { fields: [{ name: 'user' }, { name: 'password', type: 'password' }] },
      shown,
    ],
    [
      'a schema that makes all of it secret',
      defineClientTool({
        output: z.object({
          user: z.string().meta({ writeOnly: true }),
          password: z.string().meta({ writeOnly: true }),
        }),
        interactive: true,
      }),
      {},
      {},
    ],
  ])('a secret in the details of a no is left out too, where %s names it', async (_, tool, args, left) => {
    const storage = createWatchedStorage();
    const trail: unknown[] = [];
    const { chat, backend } = await openPage(storage, {
      clientTools: { tool },
      onCallSettled: ({ result }) => trail.push(result),
    });
    void chat.sendMessage('order');
    (await backend.request(0)).send(
      start,
      request({ toolCallId: 'c0', toolName: 'tool', args: { ...args } }),
      awaitingAnswers,
    );
    await settled();
    expect(pending(chat, 'tool')?.decline('Not now', login)).toEqual({ settled: true });
    const no = { outcome: 'declined', reason: 'Not now' };
    expect((await backend.request(1)).command).toMatchObject({ answers: [{ result: { ...login, ...no } }] });
    expect(resultOf(chat.getState().messages)).toEqual([{ ...left, ...no }]);
    expect(trail).toEqual([{ ...left, ...no }]);
    await settled();
    expect(storage.written.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it('the details of a no without a secret are kept whole', async () => {
    const { chat, backend } = await ask(createWatchedStorage(), ['login']);
    expect(pending(chat, 'login')?.decline('Later', { user: 'ada' })).toEqual({ settled: true });
    expect((await backend.request(1)).command).not.toHaveProperty('answers.0.redactedResult');
    expect(resultOf(chat.getState().messages)).toEqual([
      { user: 'ada', outcome: 'declined', reason: 'Later' },
    ]);
  });

  it('a secret field is declared by the caller of submit() when no schema declares it', async () => {
    const storage = createWatchedStorage();
    const { chat, backend } = await ask(storage, ['ask']);
    pending(chat, 'ask')?.submit(login, { redactedResult: shown });
    expect((await backend.request(1)).command).toMatchObject({ answers: [{ result: login }] });
    expect(resultOf(chat.getState().messages)).toEqual([shown]);
    await settled();
    expect(storage.written.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it('an answer that is entirely secret is absent from saved input, messages, storages and the audit trail', async () => {
    const storage = createWatchedStorage();
    const output = z.string().meta({ format: 'password' });
    const trail: unknown[] = [];
    const { chat, backend } = await openPage(storage, {
      clientTools: { pin: defineClientTool({ output, interactive: true }) },
      onCallSettled: ({ result }) => trail.push(result),
    });
    void chat.sendMessage('order');
    (await backend.request(0)).send(start, request(call('c0', 'pin')), awaitingAnswers);
    await settled();
    pending(chat, 'pin')?.saveInput(SECRET);
    expect(pending(chat, 'pin')?.getSavedInput()).toBe(null);
    expect(pending(chat, 'pin')?.submit(SECRET)).toEqual({ settled: true });
    expect((await backend.request(1)).command).toMatchObject({ answers: [{ result: SECRET }] });
    expect(resultOf(chat.getState().messages)).toEqual([null]);
    expect(trail).toEqual([null]);
    await settled();
    expect(storage.written.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it('an answer is entirely secret when submit() gets null as the redacted form', async () => {
    const storage = createWatchedStorage();
    const { chat, backend } = await ask(storage, ['ask']);
    pending(chat, 'ask')?.submit(login, { redactedResult: null });
    expect((await backend.request(1)).command).toMatchObject({ answers: [{ result: login }] });
    expect(resultOf(chat.getState().messages)).toEqual([null]);
    await settled();
    expect(storage.written.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it('a secret is left out of the saved input of a form', async () => {
    const storage = createWatchedStorage();
    const { chat, clock } = await ask(storage, ['login']);
    pending(chat, 'login')?.saveInput(login);
    expect(pending(chat, 'login')?.getSavedInput()).toEqual(shown);
    await clock.advance(1000);
    expect(storage.written.filter((text) => text.includes('ada'))).not.toEqual([]);
    expect(storage.written.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it('a secret in the result of an automatic tool is redacted as well', async () => {
    const storage = createWatchedStorage();
    const output = z.object({ token: z.string().meta({ writeOnly: true }) });
    const tools = { token: defineClientTool({ output, execute: () => ({ token: SECRET }) }) };
    const { chat, backend } = await openPage(storage, { clientTools: tools });
    void chat.sendMessage('order');
    (await backend.request(0)).send(start, request(call('c0', 'token')), awaitingAnswers);
    expect((await backend.request(1)).command).toMatchObject({ answers: [{ result: { token: SECRET } }] });
    await settled();
    expect(resultOf(chat.getState().messages)).toEqual([{}]);
    expect(storage.written.filter((text) => text.includes(SECRET))).toEqual([]);
  });

  it('a secret is sent again by a retry on the same page', async () => {
    const { chat, backend } = await ask(createWatchedStorage(), ['login']);
    pending(chat, 'login')?.submit(login);
    (await backend.request(1)).fail(new Error('offline'));
    await settled();
    void chat.retry();
    expect((await backend.request(2)).command).toMatchObject({ answers: [{ result: login }] });
  });
});

it('an answer to a bare tool without the requested secret is persisted whole, and not requested again', async () => {
  const storage = createWatchedStorage();
  const before = await openPage(storage);
  void before.chat.sendMessage('order');
  const fields = [{ name: 'user' }, { name: 'password', type: 'password' }];
  (await before.backend.request(0)).send(start, request(call('c0', 'ask', { fields })), awaitingAnswers);
  await settled();
  pending(before.chat, 'ask')?.submit({ user: 'ada' });
  await settled();
  const after = await openPage(storage);
  expect((await after.backend.request(0)).command).toMatchObject({ answers: [{ result: { user: 'ada' } }] });
});

it('an answer without a secret is persisted whole, and not requested again after a reload', async () => {
  const tools = {
    order: defineClientTool({ input: z.object({ item: z.string() }), interactive: true, editable: true }),
  };
  const storage = createWatchedStorage();
  const before = await openPage(storage, { clientTools: tools });
  void before.chat.sendMessage('order');
  const asked = request(call('c0', 'order', { item: 'chair' }));
  (await before.backend.request(0)).send(start, asked, awaitingAnswers);
  await settled();
  const result = { confirmed: true, editedArgs: { item: 'table' }, changedArgs: ['item'] };
  pending(before.chat, 'order')?.submit(result);
  await settled();
  const after = await openPage(storage, { clientTools: tools });
  expect((await after.backend.request(0)).command).toMatchObject({ answers: [{ toolCallId: 'c0', result }] });
});

describe('after a reload, an answer whose secret was not persisted', () => {
  const answerAgain = async ({ chat, backend }: Awaited<ReturnType<typeof openPage>>, requests: number) => {
    expect(chat.getState().status).toBe('awaiting-input');
    expect(resultOf(chat.getState().messages)[0]).toBeUndefined();
    expect(pending(chat, 'login')?.submit(login)).toEqual({ settled: true });
    const answer = await backend.request(requests);
    expect(answer.command).toMatchObject({
      answers: expect.arrayContaining([expect.objectContaining({ toolCallId: 'c0', result: login })]),
    });
    answer.send(start, ...text('u', 'Done.'), stopped);
    await settled();
    expect(chat.getState().status).toBe('idle');
    expect(resultOf(chat.getState().messages)[0]).toEqual(shown);
  };

  it('after a reload an answer with a secret is requested again when it had not been sent', async () => {
    const storage = createWatchedStorage();
    const before = await ask(storage, ['login', 'ask'], '5');
    pending(before.chat, 'login')?.submit(login);
    await settled();
    const after = await openPage(storage);
    after.backend.requests[0]?.send(awaitingAnswers);
    pending(after.chat, 'ask')?.submit('yes');
    await settled();
    expect(after.backend.commands).toMatchObject([{ type: 'resume' }]);
    await answerAgain(after, 1);
    expect(after.backend.commands[1]).toMatchObject({
      answers: [{ toolCallId: 'c0' }, { toolCallId: 'c1', result: 'yes' }],
    });
  });

  it('after a reload an answer with a secret is requested again when its run still waits for it', async () => {
    const storage = createWatchedStorage();
    const before = await ask(storage, ['login'], '5');
    pending(before.chat, 'login')?.submit(login);
    await settled();
    const after = await openPage(storage);
    expect(after.chat.getState().status).toBe('streaming');
    expect(after.backend.commands).toMatchObject([{ type: 'resume', cursor: '5' }]);
    after.backend.requests[0]?.send(awaitingAnswers);
    await settled();
    await answerAgain(after, 1);
  });

  it('after a reload an answer with a secret is not requested again when its run has it', async () => {
    const storage = createWatchedStorage();
    const before = await ask(storage, ['login'], '5');
    pending(before.chat, 'login')?.submit(login);
    await settled();
    const after = await openPage(storage);
    after.backend.requests[0]?.send(...text('u', 'Done.'), stopped);
    await settled();
    expect(after.backend.commands).toMatchObject([{ type: 'resume' }]);
    expect(after.chat.getState().status).toBe('idle');
    expect(resultOf(after.chat.getState().messages)).toEqual([shown]);
  });

  it('after a reload an answer with a secret is requested again when its delivery is unknown', async () => {
    const storage = createWatchedStorage();
    const before = await ask(storage, ['login']);
    pending(before.chat, 'login')?.submit(login);
    await settled();
    const after = await openPage(storage);
    expect(after.backend.commands).toEqual([]);
    await answerAgain(after, 0);
  });

  it('after a reload an answer with a secret is not requested in a turn that a repeated handler has stopped', async () => {
    const storage = createWatchedStorage();
    let runs = 0;
    const look = defineClientTool({
      idempotent: true,
      execute: (): unknown => (runs++ > 0 ? after?.chat.stop() : new Promise(() => {})),
    });
    let after: ReturnType<typeof scriptedChat> | undefined;
    const before = await ask(storage, ['login', 'look'], undefined, { ...clientTools, look });
    pending(before.chat, 'login')?.submit(login);
    await settled();
    after = scriptedChat({
      id: 'c',
      persistence: createPersistence({ storage, tabs: false }),
      clientTools: { ...clientTools, look },
    });
    after.chat.subscribe(() => {});
    await settled();
    expect(runs).toBe(2);
    expect(after.chat.getState()).toMatchObject({ status: 'idle', pendingClientTools: {} });
  });

  it('after a reload an answer without its secret is not sent before the message that waited for it', async () => {
    const storage = createWatchedStorage();
    const before = await ask(storage, ['login']);
    pending(before.chat, 'login')?.submit(login);
    await settled();
    void before.chat.sendMessage('Next');
    await settled();
    const { chat, backend } = await openPage(storage);
    void chat.retry();
    await settled();
    expect(backend.commands).toMatchObject([
      { type: 'stop' },
      { type: 'trigger', input: { USER_MESSAGE: 'Next' } },
    ]);
  });

  it('after a reload an answer with a secret is not requested again when the agent had it before the run failed', async () => {
    const storage = createWatchedStorage();
    const before = await ask(storage, ['login']);
    pending(before.chat, 'login')?.submit(login);
    const answer = await before.backend.request(1);
    answer.send(start, ...text('u', 'You are in. '));
    answer.fail(new Error('offline'));
    await settled();
    const { chat } = await openPage(storage);
    expect(chat.getState()).toMatchObject({ status: 'error', error: { message: 'offline' } });
    expect(pending(chat, 'login')).toBeUndefined();
  });

  it('after a reload an answer with a secret is requested again when its delivery had failed', async () => {
    const storage = createWatchedStorage();
    const before = await ask(storage, ['login']);
    pending(before.chat, 'login')?.submit(login);
    (await before.backend.request(1)).fail(new Error('offline'));
    await settled();
    expect(before.chat.getState().status).toBe('error');
    const after = await openPage(storage);
    expect(after.chat.getState().error).toBeNull();
    await answerAgain(after, 0);
  });
});

describe('tabs', () => {
  function createPages() {
    const browser = createFakeBrowser();
    const storage = createWatchedStorage();
    const sentMessages: unknown[] = [];
    return {
      sentMessages,
      async open() {
        const tab = browser.openTab();
        const { locks, openChannel } = tab.environment;
        const watched = (name: string) => {
          const channel = openChannel(name);
          const post = channel.postMessage.bind(channel);
          channel.postMessage = (message: { type: string }) => {
            // The tab that has the answer asks its owner to deliver it. The other tabs are not notified.
            if (message.type !== 'ask') sentMessages.push(message);
            post(message);
          };
          return channel;
        };
        const page = await openPage(storage, {
          persistence: createPersistence({ storage, tabs: { locks, openChannel: watched } }),
          createId,
        });
        await settled();
        return { ...page, tab };
      },
    };
  }

  it('other tabs get an answer without its secret, and request it again when the owner is gone', async () => {
    const pages = createPages();
    const [a, b, c] = [await pages.open(), await pages.open(), await pages.open()];
    void a.chat.sendMessage('order');
    (await a.backend.request(0)).send(
      start,
      request(call('c0', 'login'), call('c1', 'ask')),
      awaitingAnswers,
    );
    await settled();
    pending(b.chat, 'login')?.submit(login);
    await settled();
    for (const { chat } of [a, b, c]) {
      expect(pending(chat, 'login')).toBeUndefined();
      expect(resultOf(chat.getState().messages)).toEqual([shown, undefined]);
    }
    expect(JSON.stringify(pages.sentMessages)).not.toContain(SECRET);
    a.tab.crash();
    await settled();
    expect(pending(c.chat, 'login')?.toolCallId).toBe('c0');
    expect(pending(b.chat, 'login')?.submit(login)).toEqual({ settled: true });
    pending(c.chat, 'ask')?.submit('yes');
    await settled();
    expect(b.backend.commands).toMatchObject([
      {
        answers: [
          { toolCallId: 'c0', result: login },
          { toolCallId: 'c1', result: 'yes' },
        ],
      },
    ]);
    expect([a, c].flatMap(({ backend }) => backend.commands)).toMatchObject([{ type: 'trigger' }]);
    expect(JSON.stringify(pages.sentMessages)).not.toContain(SECRET);
  });

  it('an answer that the next owner requests again can be given again in the tab that gave it before', async () => {
    const pages = createPages();
    const [a, b, c] = [await pages.open(), await pages.open(), await pages.open()];
    void a.chat.sendMessage('order');
    (await a.backend.request(0)).send(
      start,
      request(call('c0', 'login'), call('c1', 'ask')),
      awaitingAnswers,
    );
    await settled();
    pending(c.chat, 'login')?.submit(login);
    await settled();
    a.tab.crash();
    await settled();
    expect(pending(c.chat, 'login')?.submit(login)).toEqual({ settled: true });
    pending(c.chat, 'ask')?.submit('yes');
    await settled();
    expect(b.backend.commands).toMatchObject([
      {
        answers: [
          { toolCallId: 'c0', result: login },
          { toolCallId: 'c1', result: 'yes' },
        ],
      },
    ]);
  });

  it('a tab still has its answer when the owner goes before the owner received the answer', async () => {
    const pages = createPages();
    const [a, b] = [await pages.open(), await pages.open()];
    void a.chat.sendMessage('order');
    (await a.backend.request(0)).send(start, request(call('c0', 'login')), awaitingAnswers);
    await settled();
    a.tab.crash();
    pending(b.chat, 'login')?.submit(login);
    await settled();
    expect(b.backend.commands).toMatchObject([{ answers: [{ toolCallId: 'c0', result: login }] }]);
  });
});
