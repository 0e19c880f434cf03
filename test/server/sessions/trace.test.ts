import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Agent } from '../../../src/server/agent.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
} from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionTraceStep } from '../../../src/server/store/session-trace.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { createDeferred } from '../../support/deferred.ts';
import { calls, createListAgent, createTestClock, hello, requestIn, run, settle, text } from '../support.ts';

function traced(agent: Agent, options: Partial<AgentSessionOptions> = {}) {
  const steps: SessionTraceStep[] = [];
  let ids = 0;
  const session = createAgentSession({
    ...{ id: 's', agent, clock: createTestClock(), createId: () => `id-${++ids}` },
    trace: (step) => steps.push(step),
    ...options,
  });
  return { session, steps };
}

const answerTo = (executionId: string, toolResults: readonly object[]) => ({
  ...{ type: 'continue', executionId },
  toolResults,
});
const ofType = <Type extends SessionTraceStep['type']>(steps: readonly SessionTraceStep[], type: Type) =>
  steps.filter((step): step is Extract<SessionTraceStep, { type: Type }> => step.type === type);

/** Asks with a form that has a secret field, and pays in a step. */
const transfer = (pay: () => unknown = () => 'paid') =>
  defineServerTool({
    description: 'Transfers money',
    input: z.object({ of: z.string() }),
    async execute(_args, { ask, once }) {
      await ask({ key: 'pin of Ada', message: 'Your PIN of Ada?', output: z.object({ pin: z.string() }) });
      return once('pay Ada', pay);
    },
  });

describe('the trace of a session', () => {
  it('the trace of a session shows the request, the runs, the agent and the saves of a turn without tools', async () => {
    const { session, steps } = traced(createListAgent(text('Hello')));
    await run(session, { ...hello, idempotencyKey: 'm-1' });
    const shared = { at: 1_000, sessionId: 's', executionId: 'id-1' };
    expect(steps).toEqual([
      {
        ...{ at: 1_000, sessionId: 's', type: 'request-received' },
        request: 'trigger',
        idempotencyKey: 'm-1',
      },
      { at: 1_000, sessionId: 's', type: 'request-handled', request: 'trigger', revision: 0 },
      { ...shared, type: 'saved', revision: 1, status: 'running' },
      { ...shared, type: 'run-started', lastSeq: 0 },
      { ...shared, type: 'agent-invoked', round: 0 },
      { ...shared, type: 'agent-ended', status: 'finished', finishReason: 'stop', calls: 0 },
      { ...shared, type: 'saved', revision: 2, status: 'done' },
      { ...shared, type: 'run-ended', lastSeq: 5, status: 'done', finishReason: 'stop' },
    ]);
  });

  it('the trace of a session shows which tool does not return, and since when', async () => {
    const stuck = createDeferred<void>();
    const { session, steps } = traced(createListAgent(calls('fast', 'stuck')), {
      tools: { fast: () => 1, stuck: () => stuck.promise },
    });
    const running = run(session, hello);
    await settle();
    const ended = ofType(steps, 'tool-ended').map(({ toolCallId }) => toolCallId);
    expect(ofType(steps, 'tool-started').filter(({ toolCallId }) => !ended.includes(toolCallId))).toEqual([
      {
        ...{ type: 'tool-started', at: 1_000, sessionId: 's', executionId: 'id-1' },
        ...{ toolCallId: 'stuck-id', toolName: 'stuck' },
      },
    ]);
    expect(ofType(steps, 'run-ended')).toEqual([]);
    stuck.resolve();
    await running;
    expect(ofType(steps, 'run-ended')).toHaveLength(1);
  });

  it('the trace of a session shows which step of a tool was begun and not done, after the answer to its question', async () => {
    const [began, stuck] = [createDeferred<void>(), createDeferred<string>()];
    const pay = () => {
      began.resolve();
      return stuck.promise;
    };
    const { session, steps } = traced(createListAgent(calls('transfer'), text('Done')), {
      tools: { transfer: transfer(pay) },
    });
    const { executionId, toolCalls } = requestIn(await run(session, hello));
    const question = toolCalls[0]?.toolCallId ?? '';
    const running = run(session, answerTo(executionId, [{ toolCallId: question, result: { pin: '1' } }]));
    await began.promise;
    expect(
      ofType(steps, 'call-changed').map(({ toolCallId, stage, outcome }) => [toolCallId, stage, outcome]),
    ).toEqual([
      ['transfer-id', 'called', undefined],
      [question, 'asked', undefined],
      [question, 'answered', 'submitted'],
    ]);
    expect(ofType(steps, 'tool-ended').map(({ status }) => status)).toEqual(['asks']);
    expect(ofType(steps, 'step-changed').map(({ step, status }) => [step, status])).toEqual([
      [1, 'asked'],
      [2, 'started'],
    ]);
    stuck.resolve('paid');
    await running;
    expect(ofType(steps, 'step-changed').at(-1)).toMatchObject({ step: 2, status: 'done' });
  });

  it('the trace of a session has the code of a refusal and the source of a failure', async () => {
    const { session, steps } = traced(createListAgent(calls('broken'), text('Sorry')), {
      tools: { broken: () => Promise.reject(new Error('no')) },
    });
    await run(session, answerTo('nothing', []));
    await run(session, { type: 'nonsense' });
    await run(session, hello);
    expect(ofType(steps, 'request-refused').map(({ request, code }) => [request, code])).toEqual([
      ['continue', 'unknown_execution'],
      [undefined, 'invalid_request'],
    ]);
    expect(ofType(steps, 'error-reported')).toMatchObject([{ source: 'tool', toolCallId: 'broken-id' }]);
  });

  it('the traces of two processes show which of them saved first', async () => {
    const store = createMemorySessionStore();
    const go = createDeferred<void>();
    const slow: Agent = async function* () {
      await go.promise;
      yield* text('late');
    };
    const first = traced(slow, { store: { load: store.load, save: store.save } });
    const second = traced(createListAgent(text('Hello')), { store: { load: store.load, save: store.save } });
    const running = run(first.session, hello);
    await settle();
    await run(second.session, hello);
    go.resolve();
    await running;
    expect(ofType(first.steps, 'save-refused').map(({ revision }) => revision)).toEqual([2]);
    expect(ofType(second.steps, 'saved').map(({ revision }) => revision)).toEqual([2, 3]);
  });

  it('no step of the trace of a session has an argument, a result, a text, a key or the name of a person', async () => {
    const secret = 'Ada';
    const principal = { id: 'p-1', name: secret, roles: [secret] };
    const agent = createListAgent(
      [
        ...text(secret),
        {
          type: 'tool-request',
          toolCalls: [{ toolCallId: 'c', toolName: 'transfer', args: { of: secret } }],
        },
        { type: 'finish', finishReason: 'tool-calls' },
      ],
      text(secret),
    );
    const { session, steps } = traced(agent, { tools: { transfer: transfer(() => secret) } });
    const read = async (payload: unknown) => {
      const events = [];
      for await (const event of session.execute(payload, { principal })) events.push(event);
      return events;
    };
    const { executionId, toolCalls } = requestIn(await read({ ...hello, input: { USER_MESSAGE: secret } }));
    const answer = { toolCallId: toolCalls[0]?.toolCallId ?? '', result: { pin: secret }, reason: secret };
    await read(answerTo(executionId, [answer]));
    expect(ofType(steps, 'step-changed').at(-1)).toMatchObject({ status: 'done' });
    expect(JSON.stringify(steps)).not.toContain(secret);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken trace');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('broken trace');
      },
    ],
  ] as const)('a trace that %s is reported to onError and changes nothing', async (_, trace) => {
    const failures: unknown[] = [];
    const events = await run(
      createAgentSession({ id: 's', agent: createListAgent(text('Hello')), createId: () => 'x' }),
      hello,
    );
    const { session } = traced(createListAgent(text('Hello')), {
      ...{ trace, createId: () => 'x' },
      onError: (thrown, failure) => failures.push([(thrown as Error).message, failure]),
    });
    expect(await run(session, hello)).toEqual(events);
    await settle();
    expect(failures[0]).toEqual(['broken trace', { source: 'trace', sessionId: 's' }]);
  });
});
