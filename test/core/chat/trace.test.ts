import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Tracer } from '../../../src/core/chat/trace.ts';
import {
  type AgentChatOptions,
  type ChatTraceStep,
  createAgentChat,
  createHttpTransport,
  createPersistence,
  defineClientTool,
} from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { createDeferred } from '../../support/deferred.ts';
import { createFakeBrowser } from '../../support/fake-tabs.ts';
import { createTabOpener, settledIn } from '../../support/open-tabs.ts';
import { left, restored } from '../../support/persisted-page.ts';
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

/** Creates a chat whose steps are kept. */
function tracedChat(options: Partial<AgentChatOptions> = {}, transport = createScriptedTransport()) {
  const steps: ChatTraceStep[] = [];
  const traced = scriptedChat({ trace: (step) => steps.push(step), ...options }, transport);
  return { ...traced, steps };
}

/** The steps without their times, but for the events. */
function withoutEvents(steps: readonly ChatTraceStep[]): object[] {
  return steps.filter(({ type }) => type !== 'event-received').map(({ at: _, ...entry }) => entry);
}

/** What a developer looks for: the requests that have no end, and since when they are open. */
function openRequests(steps: readonly ChatTraceStep[]) {
  const ended = steps.flatMap((step) => (step.type === 'response-ended' ? [step.request] : []));
  return steps.flatMap((step) =>
    step.type === 'request-sent' && !ended.includes(step.request)
      ? [{ request: step.request, command: step.command, since: step.at }]
      : [],
  );
}

describe('the trace of a chat', () => {
  it('the trace shows which request is open and since when, if a response never ends', async () => {
    const { chat, backend, clock, steps } = tracedChat({ clientTools: { now: () => 1 } });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send({ ...start, cursor: '1' }, request(call('c1', 'now')), { ...awaitingAnswers, cursor: '4' });
    run.end();
    await clock.advance(5_000);
    const sentAt = clock.now() - 5_000;
    await clock.advance(60_000);
    expect(openRequests(steps)).toEqual([{ request: 2, command: 'respond', since: sentAt }]);
    expect(steps.findLast(({ type }) => type === 'event-received')).toMatchObject({
      request: 1,
      event: 'finish',
      cursor: '4',
      finishReason: 'client-tool-calls',
    });
    expect(steps.at(-1)).toMatchObject({ type: 'response-ended', request: 1, status: 'finished' });
  });

  it('the trace has every step of a turn in which a person answers a question', async () => {
    const { chat, backend, steps } = tracedChat({ clientTools: { ask: 'interactive' } });
    const resting = chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, ...text('t', 'One'), request(call('c1', 'ask')), awaitingAnswers);
    run.end();
    await resting;
    chat.getState().pendingCalls[0]?.submit('yes');
    (await backend.request(1)).send(start, stopped);
    backend.requests[1]?.end();
    await settled();
    const ofCall = { type: 'call-changed', toolCallId: 'c1', toolName: 'ask', executionId: 'run-1' };
    expect(withoutEvents(steps)).toEqual([
      { type: 'turn-started', cause: 'message' },
      { type: 'request-sent', request: 1, command: 'trigger', idempotencyKey: 'id-1' },
      { ...ofCall, stage: 'announced' },
      { ...ofCall, stage: 'waiting' },
      { type: 'turn-waiting', calls: 1 },
      { type: 'response-ended', request: 1, status: 'finished' },
      { ...ofCall, stage: 'settled', outcome: 'submitted' },
      { ...ofCall, stage: 'delivered', outcome: 'submitted' },
      { type: 'request-sent', request: 2, command: 'respond', executionId: 'run-1', toolCallIds: ['c1'] },
      { ...ofCall, stage: 'acknowledged', outcome: 'submitted' },
      { type: 'turn-ended', ending: 'finished', finishReason: 'stop' },
      { type: 'response-ended', request: 2, status: 'finished' },
    ]);
    expect(steps.flatMap((step) => (step.type === 'event-received' ? [step.event] : []))).toEqual([
      ...['start', 'text-start', 'text-delta', 'client-tool-request', 'finish', 'start', 'finish'],
    ]);
  });

  it('the trace says why a turn failed, and that a retry began', async () => {
    const { chat, backend, steps } = tracedChat();
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, failure);
    await settled();
    backend.requests[0]?.end();
    await settled();
    void chat.retry();
    (await backend.request(1)).end();
    await settled();
    expect(withoutEvents(steps)).toMatchObject([
      { type: 'turn-started', cause: 'message' },
      { type: 'request-sent', request: 1 },
      { type: 'turn-ended', ending: 'failed', code: 'backend_error' },
      { type: 'response-ended', request: 1, status: 'left' },
      { type: 'turn-started', cause: 'retry' },
      { type: 'request-sent', request: 2, idempotencyKey: 'id-1' },
      { type: 'response-ended', request: 2, status: 'ended' },
      { type: 'turn-ended', ending: 'failed', code: 'stream_interrupted' },
    ]);
  });

  it('the trace has the code of an answer that the server refused, and the call that waits again', async () => {
    const { chat, backend, steps } = tracedChat({ clientTools: { ask: 'interactive' } });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('c1', 'ask')), awaitingAnswers);
    await settled();
    chat.getState().pendingCalls[0]?.submit('yes');
    (await backend.request(1)).send({ ...failure, code: 'invalid_result' });
    await settled();
    const at = steps.findIndex(({ type }) => type === 'answer-refused');
    expect(steps[at]).toMatchObject({ toolCallIds: ['c1'], code: 'invalid_result' });
    expect(steps.findLast(({ type }) => type === 'call-changed')).toMatchObject({ stage: 'waiting' });
    expect(steps.at(-1)).toMatchObject({ type: 'turn-waiting', calls: 1 });
  });

  it('the trace has the request with leftover answers, and the stop of their run', async () => {
    const { chat, backend, steps } = tracedChat({ clientTools: { ask: 'interactive' } });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('c1', 'ask')), awaitingAnswers);
    run.end();
    await settled();
    void chat.sendMessage('Never mind', { whilePending: 'cancel' });
    (await backend.request(1)).send(start);
    await settled();
    const before = steps.findIndex(({ type }) => type === 'turn-ended');
    expect(withoutEvents(steps.slice(before))).toMatchObject([
      { type: 'turn-ended', ending: 'interrupted' },
      { type: 'turn-started', cause: 'message' },
      { type: 'request-sent', request: 2, command: 'respond', toolCallIds: ['c1'] },
      { type: 'response-ended', request: 2, status: 'left' },
      { type: 'stop-sent', executionId: 'run-1' },
      { type: 'request-sent', request: 3, command: 'trigger' },
    ]);
  });

  it('the trace has the cuts of a response that the transport resumes by itself', async () => {
    const clock = createManualClock();
    const bodies = [
      ['id: 1\ndata: {"type":"start","executionId":"e1"}\n\n'],
      ['id: 2\ndata: {"type":"finish","finishReason":"stop"}\n\n'],
    ];
    const transport = createHttpTransport({
      request: async () => new Response(bodies.shift()?.join('') ?? ''),
      clock,
      random: () => 1,
    });
    const cut = createDeferred();
    const ended = createDeferred();
    const steps: ChatTraceStep[] = [];
    const trace = (step: ChatTraceStep) => {
      steps.push(step);
      if (step.type === 'response-cut') cut.resolve();
      if (step.type === 'response-ended') ended.resolve();
    };
    const resting = createAgentChat({ transport, trace, clock, createId: () => 'id' }).sendMessage('Hi');
    await cut.promise;
    await clock.advance(60_000);
    await resting;
    await ended.promise;
    expect(withoutEvents(steps).slice(2)).toEqual([
      { type: 'response-cut', request: 1, failedAttempts: 0 },
      { type: 'response-resumed', request: 1, command: 'resume', executionId: 'e1', cursor: '1' },
      { type: 'turn-ended', ending: 'finished', finishReason: 'stop' },
      { type: 'response-ended', request: 1, status: 'finished' },
    ]);
  });

  it('the trace has the tab that owns the conversation, and what the storage holds', async () => {
    const steps: { readonly tab: string; readonly step: ChatTraceStep }[] = [];
    const setting = { browser: createFakeBrowser(), storage: createMemoryStorage() };
    const openTab = (tab: string) =>
      createTabOpener({ trace: (step) => steps.push({ tab, step }) }, setting)();
    const a = await openTab('a');
    void a.chat.sendMessage('Hi');
    await settledIn();
    a.backend.requests[0]?.send(start, ...text('t', 'Hello'), stopped);
    await settledIn();
    await openTab('b');
    a.chat.destroy();
    a.tab.crash();
    await settledIn();
    await openTab('c');
    const size = setting.storage.entries.get('handrail:c')?.length;
    const around = steps.filter(({ step }) => /^(tab|snapshot)/.test(step.type));
    expect(around.map(({ tab, step: { at: _, ...entry } }) => ({ tab, ...entry }))).toEqual([
      { tab: 'a', type: 'tab-role-changed', role: 'owner' },
      { tab: 'a', type: 'snapshot-saved', size: expect.any(Number) },
      { tab: 'a', type: 'snapshot-saved', size },
      { tab: 'b', type: 'tab-role-changed', role: 'follower' },
      { tab: 'b', type: 'tab-role-changed', role: 'owner' },
      { tab: 'c', type: 'tab-role-changed', role: 'follower' },
    ]);
  });

  it('the trace has the size of a restored conversation, and the turn that goes on', async () => {
    const storage = createMemoryStorage();
    const clientTools = { ask: 'interactive' } as const;
    const before = await left(storage, clientTools, undefined, 'ask');
    before.chat.getState();
    const persistence = createPersistence({ storage });
    const { chat, steps } = tracedChat({ id: 'c', persistence, clientTools });
    await restored(chat);
    expect(withoutEvents(steps)).toMatchObject([
      { type: 'snapshot-restored', size: storage.entries.get('handrail:c')?.length, messages: 1, calls: 1 },
      { type: 'call-changed', toolCallId: 'c0', stage: 'waiting' },
      { type: 'turn-started', cause: 'restore' },
      { type: 'turn-waiting', calls: 1 },
    ]);
  });
});

describe('what a trace must not do', () => {
  it('no step has a secret of arguments, results, typed input, messages, errors or unknown events', async () => {
    const secret = 'hunter2';
    const { chat, backend, steps } = tracedChat({
      id: 'c',
      persistence: createPersistence({ storage: createMemoryStorage(), tabs: false }),
      clientTools: {
        ask: defineClientTool({ interactive: true, input: z.object({ key: z.string() }) }),
        read: () => ({ secret }),
        fail: () => Promise.reject(new Error(secret)),
      },
    });
    await restored(chat);
    void chat.sendMessage(secret);
    const run = await backend.request(0);
    const args = { key: secret };
    run.send(start, ...text('t', secret), { type: 'tool-input-start', toolCallId: 'c1', toolName: 'ask' });
    run.send({ type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: JSON.stringify(args) });
    run.send({ type: 'tool-output-available', toolCallId: 's1', output: args });
    run.send({ type: 'resource-update', name: 'token', value: secret });
    run.send({ type: 'notice', code: 'n', text: secret });
    run.sendUnknown({ secret });
    run.send(request(call('c1', 'ask', args), call('c2', 'read', args), call('c3', 'fail', args)));
    run.send(awaitingAnswers);
    run.end();
    await settled();
    const [tool] = chat.getState().pendingCalls;
    tool?.saveInput({ secret });
    tool?.decline(secret, { secret });
    (await backend.request(1)).send({ ...failure, message: secret, raw: { secret } });
    await settled();
    expect(JSON.stringify(backend.commands)).toContain(secret);
    expect(new Set(steps.map(({ type }) => type)).size).toBeGreaterThan(6);
    expect(JSON.stringify(steps)).not.toContain(secret);
  });

  it('a trace that throws is reported each time, and the conversation goes on as without it', async () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (thrown: unknown) => reported.push(thrown));
    const broken = new Error('trace');
    const converse = async (options: Partial<AgentChatOptions>) => {
      const { chat, backend, notified, clock } = scriptedChat({
        clientTools: { now: () => 1, ask: 'interactive' },
        ...options,
      });
      const resting = chat.sendMessage('Hi');
      const run = await backend.request(0);
      run.send(start, ...text('t', 'One'), request(call('c1', 'now'), call('c2', 'ask')), awaitingAnswers);
      run.end();
      await resting;
      chat.getState().pendingCalls[0]?.submit('yes');
      (await backend.request(1)).send(start, ...text('u', 'Two'), stopped);
      backend.requests[1]?.end();
      await settled();
      return { state: chat.getState(), commands: backend.commands, notified, waiting: clock.waiting };
    };
    let steps = 0;
    const trace = () => {
      steps += 1;
      throw broken;
    };
    expect(await converse({ trace })).toEqual(await converse({}));
    expect(steps).toBeGreaterThan(10);
    expect(reported).toEqual(Array.from({ length: steps }, () => broken));
  });

  it('a chat without a trace makes no step: a tracer has nothing that takes one', () => {
    const tracer = new Tracer(() => ({}), createManualClock());
    expect(tracer.step).toBeUndefined();
    expect([tracer.sent({ type: 'open' }), tracer.sent({ type: 'open' })]).toEqual([1, 2]);
  });
});
