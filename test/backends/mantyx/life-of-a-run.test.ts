/** Runs and sessions from start to end: stops, answers of other pages, and reloads. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMantyxTransport } from '../../../src/backends/mantyx/create-mantyx-transport.ts';
import {
  type AgentChat,
  type AgentChatState,
  createAgentChat,
  createPersistence,
} from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { collect, createIO, respond } from '../../core/transport/support.ts';
import { createGate, findPending, isAwaiting, readStatuses, readText } from '../../integration/open-chat.ts';
import { createDeferred } from '../../support/deferred.ts';
import type { MantyxPlatformOptions } from '../../support/mantyx-platform.ts';
import type { MantyxScript } from '../../support/mantyx-platform-script.ts';
import { asking, bodiesOf, clientTools, connectMantyx, openMantyx } from './open-mantyx.ts';

describe("variants of the platform's wire format", () => {
  const variants: readonly MantyxPlatformOptions[] = [
    {},
    {
      envelope: 'flat',
      createStatus: 201,
      postStatus: 200,
      resultShape: 'subtype',
      toolResultShape: 'summary',
    },
    { eventLine: false, resultInShape: 'result', usage: false },
  ];
  it.each(variants.map((variant) => [variant] as const))(
    'a platform with %j leads to the same message',
    async (variant) => {
      const { chat, until } = await openMantyx(
        {
          ...variant,
          script: function* ({ answers }) {
            yield { thinking: 'Hm. ' };
            yield { text: 'Let me se', message: 'Let me see.' };
            yield { serverTool: 'recall', input: { topic: 'time' }, result: 'nothing' };
            yield { serverTool: 'recall', result: 'down', ok: false };
            yield { calls: [{ call: 'now' }] };
            yield `It is ${answers.get('tu_3')?.result ?? answers.get('tu_1')?.result}.`;
          },
        },
        { clientTools },
      );
      await chat.sendMessage('Hi');
      const state = await until(({ status }) => status === 'idle');
      expect(state.messages[1]?.parts.map((part) => ('text' in part ? part.text : part.type))).toEqual([
        'Hm. ',
        'Let me see.',
        'tool-call',
        'tool-call',
        'tool-call',
        'It is noon.',
      ]);
      expect(readStatuses(state)).toEqual([
        'done',
        variant.toolResultShape === 'summary' ? 'error' : 'done',
        'done',
      ]);
      expect(state.usage?.model).toBe(variant.usage === false ? undefined : 'platform:demo');
    },
  );
});

describe('a session', () => {
  it('a session is created once, remembers, and accepts overrides with a message', async () => {
    const made: string[] = [];
    const { chat, platform } = await openMantyx(
      {},
      {
        spec: { systemPrompt: 'Be short.', metadata: { app: 'a' } },
        session: { onCreated: (id) => made.push(id) },
        message: ({ input }) => ({
          prompt: String(input?.USER_MESSAGE),
          reasoningLevel: 'low',
          toolBudgets: {},
        }),
      },
    );
    await chat.sendMessage('One');
    await chat.sendMessage('Two');
    expect(made).toEqual(['ses_1']);
    expect(bodiesOf(platform, 'create-session')).toEqual([
      { systemPrompt: 'Be short.', metadata: { app: 'a' } },
    ]);
    expect(bodiesOf(platform, 'message')).toEqual([
      { prompt: 'One', reasoningLevel: 'low', toolBudgets: {} },
      { prompt: 'Two', reasoningLevel: 'low', toolBudgets: {} },
    ]);
  });

  it('an existing session is continued', async () => {
    const first = await openMantyx({}, { session: true });
    await first.chat.sendMessage('One');
    const chat = createAgentChat({ transport: connectMantyx(first.platform, { session: { id: 'ses_1' } }) });
    await chat.sendMessage('Two');
    chat.destroy();
    expect(first.platform.requests.map(({ route }) => route)).toEqual([
      ...['create-session', 'message', 'stream'],
      ...['message', 'stream'],
    ]);
  });

  it('messages during the creation of a session share it, even if onCreated throws', async () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (thrown: unknown) => reported.push(thrown));
    onTestFinished(() => void vi.unstubAllGlobals());
    const onCreated = () => {
      throw new Error('of the app');
    };
    const { chat, platform } = await openMantyx({}, { session: { onCreated } });
    await Promise.all(['One', 'Two'].map((text) => chat.sendMessage(text)));
    expect(bodiesOf(platform, 'create-session')).toHaveLength(1);
    expect(readText(chat.getState())).toBe('Hello!');
    expect(reported).toEqual([new Error('of the app')]);
  });

  it('a session that could not be created is created by the next message', async () => {
    const { chat, platform } = await openMantyx({}, { session: true });
    platform.failNext('create-session', { status: 503, body: { error: 'overloaded' } });
    await chat.sendMessage('Hi');
    expect(chat.getState().error).toMatchObject({ code: 'http_error', status: 503, retryable: true });
    await chat.retry();
    expect(readText(chat.getState())).toBe('Hello!');
  });
});

describe('stop()', () => {
  it('stop() cancels the run', async () => {
    const gate = createGate();
    const { chat, platform } = await openMantyx({ script: () => ['One ', { hold: gate.hold }] });
    void chat.sendMessage('Hi');
    await gate.reached;
    chat.stop();
    await gate.abandoned;
    await platform.run().ended;
    expect(platform.run().status).toBe('cancelled');
  });

  it('stop() before the run has an id cancels it as soon as it has one', async () => {
    const gate = createGate();
    const { chat, platform } = await openMantyx(
      { script: () => [{ hold: gate.hold }] },
      {
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          if (String(input).endsWith('/agent-runs')) chat.stop();
          return response;
        },
      },
    );
    await chat.sendMessage('Hi');
    await gate.abandoned;
    await platform.run().ended;
    expect(platform.run().status).toBe('cancelled');
    expect(chat.getState().status).toBe('idle');
  });

  it('a run that is cancelled elsewhere ends with a notice', async () => {
    const { chat } = await openMantyx({
      script: () => ['One ', { event: 'cancelled', payload: { reason: 'quota' } }],
    });
    await chat.sendMessage('Hi');
    expect(chat.getState().notices).toEqual([{ code: 'cancelled', text: 'The run was cancelled: quota.' }]);
    expect(chat.getState().status).toBe('idle');
  });
});

describe('an answer', () => {
  it('an answer of another page ends the question', async () => {
    const { chat, platform, until } = await openMantyx({ script: asking }, { clientTools });
    void chat.sendMessage('Hi');
    const tool = findPending(await until(isAwaiting), 'ask');
    platform.answerElsewhere('tu_1', { result: 'yes, by phone' });
    await until(({ status }) => status === 'idle');
    expect(tool.submit('late')).toEqual({ settled: false, reason: 'expired' });
    expect(readText(chat.getState())).toBe('Answer: yes, by phone');
    expect(bodiesOf(platform, 'results')).toEqual([]);
    expect(chat.getState().notices).toMatchObject([{ code: 'answered_elsewhere', toolCallId: 'tu_1' }]);
  });

  it('a second answer that gets 404 expires and makes a notice', async () => {
    const { chat, platform, until, callbacks } = await openMantyx({ script: asking }, { clientTools });
    void chat.sendMessage('Hi');
    const tool = findPending(await until(isAwaiting), 'ask');
    platform.failNext('results', { status: 404, body: { error: 'unknown_tool_use' } });
    expect(tool.submit('second')).toEqual({ settled: true });
    const { notices, messages } = await until((state) => state.notices.length > 0);
    expect(notices).toMatchObject([{ code: 'answered_elsewhere', toolCallId: 'tu_1' }]);
    expect(messages.at(-1)?.parts).toMatchObject([{ outcome: 'expired', status: 'cancelled' }]);
    expect(bodiesOf(platform, 'results')).toHaveLength(1);
    expect(callbacks).toEqual([]);
  });

  it('an answer that is refused because the run has ended meanwhile is recorded as expired', async () => {
    const refused = createDeferred<void>();
    const settledCalls: string[] = [];
    const { platform } = await openMantyx({ script: asking, overStatus: 404 });
    const transport = connectMantyx(platform, {
      async fetch(url, init) {
        if (String(url).endsWith('/tool-results')) {
          platform.answerElsewhere('tu_1', { result: 'yes, by phone' });
          await refused.promise;
        }
        return fetch(url, init);
      },
    });
    const chat = createAgentChat({
      transport,
      clientTools,
      onCallSettled: ({ outcome, answeredBy }) => settledCalls.push(`${outcome} by ${answeredBy}`),
    });
    onTestFinished(() => chat.destroy());
    void chat.sendMessage('Hi');
    await until(chat, isAwaiting);
    const ended = until(chat, ({ status }) => status === 'idle');
    findPending(chat.getState(), 'ask').submit('late');
    await ended;
    const told = until(chat, ({ notices }) => notices.length > 0);
    refused.resolve();
    await told;
    const { messages, notices } = chat.getState();
    expect(notices).toMatchObject([{ code: 'answer_expired', toolCallId: 'tu_1' }]);
    expect(messages.at(-1)?.parts[0]).toMatchObject({ outcome: 'expired', status: 'cancelled' });
    expect(messages.at(-1)?.parts[0]).not.toHaveProperty('result');
    expect(settledCalls).toEqual(['submitted by person', 'expired by nobody']);
  });

  it('retry() after a refused answer sends it again and reads the run to its end', async () => {
    const { chat, platform } = await openMantyx(
      {
        script: ({ answers }) =>
          (function* () {
            yield { calls: [{ call: 'now' }] };
            yield `Answer: ${answers.get('tu_1')?.result}`;
          })(),
      },
      { clientTools },
    );
    platform.failNext('results', { status: 403, body: { error: 'forbidden' } });
    await chat.sendMessage('Hi');
    expect(chat.getState()).toMatchObject({ status: 'error', error: { code: 'http_error', status: 403 } });
    await chat.retry();
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(readText(chat.getState())).toBe('Answer: noon');
    expect(readStatuses(chat.getState())).toEqual(['done']);
    expect(bodiesOf(platform, 'results')).toHaveLength(2);
  });

  const json = (status: number, body: object = {}) => Response.json(body, { status });
  it.each<[string, Response, Response, string]>([
    ['its run has succeeded', json(404), json(200, { status: 'succeeded' }), 'answer_expired'],
    ['its run goes on', json(404), json(200, { status: 'running' }), 'answered_elsewhere'],
    ['its run is gone', json(404), json(404), 'answer_expired'],
    ['a proxy hides the state of its run', json(404), json(403), 'answered_elsewhere'],
    ['the state of its run is unavailable', json(404), json(503), 'answered_elsewhere'],
    ['the platform answers 409', json(409), json(500), 'answer_expired'],
  ])('a refused answer makes a notice when %s', async (_case, answered, run, code) => {
    const posts: string[] = [];
    const transport = createMantyxTransport({
      baseUrl: 'https://mantyx.test',
      workspace: 'w',
      reconnect: { initialDelayMs: 0 },
      async fetch(url, init) {
        if (init?.method === 'POST') posts.push(String(url));
        return (init?.method === 'POST' ? answered : run).clone();
      },
    });
    const events = await collect(transport.run(respond, createIO()));
    expect(events).toMatchObject([
      { type: 'tool-result-acknowledged', toolCallId: 'c1', status: 'expired' },
      { type: 'notice', code, toolCallId: 'c1' },
    ]);
    expect(posts).toHaveLength(1);
  });

  it.each([
    ['the request', { lose: 'request' }],
    ['the response', { lose: 'response' }],
    ['the request to a proxy timeout', { status: 502 }],
  ] as const)(
    'an answer is sent again under its id and accepted once after the loss of %s',
    async (_case, fault) => {
      const { chat, platform } = await openMantyx(
        {
          script: ({ answers }) =>
            (function* () {
              yield { calls: [{ call: 'now' }] };
              yield `Answer: ${answers.get('tu_1')?.result}`;
            })(),
        },
        { clientTools },
      );
      platform.failNext('results', fault);
      await chat.sendMessage('Hi');
      expect(bodiesOf(platform, 'results').length).toBeLessThanOrEqual(2);
      expect(platform.transcript.filter((line) => 'answer' in line)).toEqual([
        { answer: 'tu_1', result: 'noon' },
      ]);
      expect(readText(chat.getState())).toBe('Answer: noon');
      expect(readStatuses(chat.getState())).toEqual(['done']);
    },
  );

  it('an answer that is too large becomes an error for the model and a notice for the person', async () => {
    const { chat, platform } = await openMantyx(
      { script: () => [{ calls: [{ call: 'big' }, { call: 'wordy' }] }, 'Ok.'] },
      {
        clientTools: {
          big: () => 'é'.repeat(1024 * 1024 + 1),
          wordy: () => {
            throw new Error('ä'.repeat(8 * 1024));
          },
        },
      },
    );
    await chat.sendMessage('Hi');
    expect(platform.refusals).toEqual([]);
    const errors = new Map(
      bodiesOf(platform, 'results').map(({ toolUseId, error }) => [toolUseId, String(error)]),
    );
    expect(errors.get('tu_1')).toContain('2097154 bytes');
    expect(errors.get('tu_2')?.replace(/ä+/, 'ä')).toBe('ä…');
    expect(new TextEncoder().encode(errors.get('tu_2')).byteLength).toBeLessThanOrEqual(8 * 1024);
    expect(chat.getState().notices).toMatchObject([{ code: 'tool_result_too_large', toolCallId: 'tu_1' }]);
  });
});

/** Resolves once the state of the chat matches. */
function until(chat: AgentChat, fits: (state: AgentChatState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = chat.subscribe(() => {
      if (!fits(chat.getState())) return;
      unsubscribe();
      resolve();
    });
  });
}

describe('after a reload', () => {
  it('after a reload, a call that was answered elsewhere is not run and shows its answer, and an open call is asked', async () => {
    const gate = createGate();
    const storage = createMemoryStorage();
    const script: MantyxScript = () => [
      'Hello ',
      { hold: gate.hold },
      {
        calls: [
          { call: 'now', id: 'a' },
          { call: 'ask', id: 'b' },
        ],
        meanwhile: [{ elsewhere: 'a', result: 'by phone' }],
      },
      'Thanks.',
    ];
    const before = await openMantyx({ script }, { clientTools });
    /** A page that was closed sends nothing more. */
    const gone = new AbortController();
    const page = (signal?: AbortSignal) =>
      createAgentChat({
        transport: connectMantyx(before.platform, {
          fetch: (input, init) =>
            fetch(input, {
              ...init,
              signal: AbortSignal.any([init?.signal, signal].flatMap((one) => one ?? [])),
            }),
        }),
        id: 'c',
        persistence: createPersistence({ storage, tabs: false }),
        clientTools,
      });
    const first = page(gone.signal);
    void first.sendMessage('Hi');
    await until(first, (state) => readText(state) === 'Hello ');
    gone.abort();
    first.destroy();
    gate.release();

    const second = page();
    await until(second, isAwaiting);
    const shown = second.getState().messages.at(-1)?.parts;
    expect(second.getState().pendingClientTools.ask).toMatchObject([{ toolCallId: 'b' }]);
    second.getState().pendingClientTools.ask?.[0]?.submit('here');
    await before.platform.run().ended;
    second.destroy();
    expect(bodiesOf(before.platform, 'results')).toEqual([{ toolUseId: 'b', result: 'here' }]);
    expect(before.platform.transcript.filter((line) => 'answer' in line)).toHaveLength(2);
    expect(shown).toMatchObject([
      {},
      { toolCallId: 'a', status: 'done' },
      { toolCallId: 'b', status: 'running' },
    ]);
  });
});
