import { runInNewContext } from 'node:vm';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { RespondCommand } from '../../../src/core/protocol/commands.ts';
import type { PendingToolCall } from '../../../src/core/protocol/events.ts';
import {
  AgentChatError,
  type AgentChatOptions,
  type ClientTools,
  defineClientTool,
} from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createDeferred } from '../../support/deferred.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../support/scripted-events.ts';

/** A chat whose agent has just asked for these calls. */
async function asked(
  clientTools: ClientTools,
  calls: PendingToolCall[],
  options: Partial<AgentChatOptions> = {},
) {
  const scripted = scriptedChat({ clientTools, ...options });
  const sent = scripted.chat.sendMessage('Hi');
  const run = await scripted.backend.request(0);
  run.send(start, request(...calls), awaitingAnswers);
  run.end();
  await settled();
  return { ...scripted, sent, run };
}

/** The answers that the agent got, in order. */
function answersOf(commands: readonly { type: string }[]) {
  return commands
    .filter((command): command is RespondCommand => command.type === 'respond')
    .map(({ answers }) =>
      answers.map(({ toolCallId, outcome, result, error }) => ({ toolCallId, outcome, result, error })),
    );
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('automatic tools', () => {
  it('automatic tools run concurrently, and their results have the order of the request', async () => {
    const slow = createDeferred<string>();
    const started: string[] = [];
    const { backend } = await asked(
      {
        a: () => {
          started.push('a');
          return slow.promise;
        },
        b: () => {
          started.push('b');
          return 'B';
        },
      },
      [call('1', 'a'), call('2', 'b')],
    );
    expect(started).toEqual(['a', 'b']);
    expect(backend.commands).toHaveLength(1);
    slow.resolve('A');
    await settled();
    expect(answersOf(backend.commands)).toMatchObject([[{ result: 'A' }, { result: 'B' }]]);
  });

  it.each([
    ['an Error', new Error('denied'), 'denied'],
    ['a string', 'plain', 'plain'],
    ['an object with a message', { code: 1, message: 'User denied Geolocation' }, 'User denied Geolocation'],
    ['nothing', undefined, 'Tool execution failed'],
    ['an Error without a message', new TypeError(''), 'TypeError'],
    ['a revoked proxy', revokedProxy(), 'Tool execution failed'],
  ])('a handler that throws %s gives the agent a non-empty message', async (_, thrown, message) => {
    const { backend } = await asked({ a: () => Promise.reject(thrown) }, [call('1', 'a')]);
    expect(answersOf(backend.commands)).toMatchObject([[{ outcome: 'failed', error: message }]]);
  });

  it('an AgentChatError from a handler reaches onError as well, but not after the handler was cancelled', async () => {
    const lost = new AgentChatError({ code: 'connection_failed', message: 'The tool server is gone' });
    const slow = createDeferred<never>();
    const { backend, chat, notified, sent } = await asked(
      {
        a: () => Promise.reject(lost),
        b: (_args: unknown, { signal }) => {
          signal.addEventListener('abort', () => slow.reject(lost));
          return slow.promise;
        },
      },
      [call('1', 'a')],
    );
    expect(answersOf(backend.commands)).toMatchObject([
      [{ outcome: 'failed', error: 'The tool server is gone' }],
    ]);
    expect(notified).toEqual(['error connection_failed']);
    (await backend.request(1)).send(start, request(call('2', 'b')), awaitingAnswers);
    await settled();
    chat.stop();
    await sent;
    await settled();
    expect(notified).toEqual(['error connection_failed', 'stop']);
  });

  it('arguments that cannot be copied fail their own call alone', async () => {
    // Parsed JSON can fail too: copying a value with thousands of levels overflows the stack.
    const uncopied = { now: () => 'noon' };
    const checked = defineClientTool({ input: z.looseObject({}), execute: () => 'checked' });
    const { backend } = await asked({ a: () => 'A', checked, b: () => 'B' }, [
      call('1', 'a', uncopied),
      call('2', 'checked', uncopied),
      call('3', 'b'),
    ]);
    const why = expect.stringContaining('could not be cloned');
    expect(answersOf(backend.commands)).toMatchObject([
      [{ outcome: 'failed', error: why }, { outcome: 'failed', error: why }, { result: 'B' }],
    ]);
  });

  it('a call whose handler passes its timeout settles as timed-out, aborts its signal and drops the late result', async () => {
    const slow = createDeferred<string>();
    let signal: AbortSignal | undefined;
    const { backend, clock, chat } = await asked(
      {
        a: (_args: unknown, context) => {
          signal = context.signal;
          return slow.promise;
        },
      },
      [call('1', 'a')],
    );
    await clock.advance(59_999);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    slow.resolve('late');
    await settled();
    expect(signal?.aborted).toBe(true);
    expect(answersOf(backend.commands)).toMatchObject([
      [{ outcome: 'timed-out', error: 'Timed out after 60 s without an answer', result: undefined }],
    ]);
    expect(chat.getState().messages[1]?.parts).toMatchObject([{ status: 'error', outcome: 'timed-out' }]);
  });

  it('the signal of a handler that has returned does not abort afterwards', async () => {
    let signal: AbortSignal | undefined;
    const a: ClientTools[string] = (_args, context) => {
      signal = context.signal;
    };
    const { backend, chat } = await asked({ a }, [call('1', 'a')]);
    (await backend.request(1)).send(start, stopped);
    await settled();
    expect([chat.getState().status, signal?.aborted]).toEqual(['idle', false]);
  });

  it('a handler gets its own copy of the arguments, which it may change', async () => {
    const { chat, backend } = await asked(
      {
        a: (args: { list: number[]; first?: number | undefined }) => {
          args.first = args.list.sort()[0];
          return args;
        },
      },
      [call('1', 'a', { list: [2, 1] })],
    );
    expect(answersOf(backend.commands)).toMatchObject([[{ result: { list: [1, 2], first: 1 } }]]);
    expect(chat.getState().messages[1]?.parts).toMatchObject([{ args: { list: [2, 1] } }]);
  });

  it('a handler gets parsed arguments as the schema made them, also values that cannot be copied', async () => {
    const input = z.object({ at: z.string().transform((at) => ({ at, shout: () => at.toUpperCase() })) });
    const clientTools = { say: defineClientTool({ input, execute: (args) => args.at.shout() }) };
    const { chat, backend } = scriptedChat({ clientTools });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'say', { at: 'noon' })), awaitingAnswers);
    expect((await backend.request(1)).command).toMatchObject({ answers: [{ result: 'NOON' }] });
  });

  it('a result that JSON cannot carry, or that does not match output, is an error for the agent', async () => {
    const { backend } = await asked(
      {
        a: () => 1n,
        b: defineClientTool({ output: z.object({ n: z.number() }), execute: () => ({ n: 'x' }) as never }),
      },
      [call('1', 'a'), call('2', 'b')],
    );
    expect(answersOf(backend.commands)).toMatchObject([
      [
        { outcome: 'failed', error: expect.stringContaining('bigint') },
        { outcome: 'failed', error: expect.stringContaining('n: ') },
      ],
    ]);
  });

  it('a call without a handler, or with a name that only the prototype has, fails with an error for the agent', async () => {
    const calls = [call('1', 'nobody'), call('2', 'toString'), call('3', '__proto__')];
    const { backend, clock } = await asked({}, calls);
    await clock.advance(1000);
    expect(answersOf(backend.commands)).toMatchObject([
      [
        { outcome: 'failed', error: 'No client handler for tool: nobody' },
        { error: 'No client handler for tool: toString' },
        { error: 'No client handler for tool: __proto__' },
      ],
    ]);
  });

  it.each([
    ['null', null],
    ['a number', 7],
    ['an object that neither runs nor waits', { title: 'Pay' }],
    ['execute that is no function', { execute: 'pay' }],
    ['interactive that is not true', { interactive: 'yes' }],
  ])('a tool declared as %s fails with an error for the agent, and the other tools run', async (_, tool) => {
    const tools = { a: tool, b: () => 'B' } as unknown as ClientTools;
    const { backend } = await asked(tools, [call('1', 'a'), call('2', 'b')]);
    expect(answersOf(backend.commands)).toMatchObject([
      [
        { outcome: 'failed', error: expect.stringContaining('Tool a has no usable client handler') },
        { result: 'B' },
      ],
    ]);
  });

  it('a plain object with a handler checks its arguments and results like a defined tool', async () => {
    const tool = {
      execute: ({ city }: { city: string }) => city.length,
      input: z.object({ city: z.string() }),
    };
    const { backend } = await asked({ a: tool }, [
      call('1', 'a', { city: 'Graz' }),
      call('2', 'a', { city: 1 }),
    ]);
    expect(answersOf(backend.commands)).toMatchObject([
      [{ result: 4 }, { error: expect.stringMatching(/^Invalid arguments for tool a: city: /) }],
    ]);
  });

  it('a plain object whose input is no schema is refused before any call', async () => {
    const execute = vi.fn();
    const asking = asked({ a: { execute, input: {} as never } }, [call('1', 'a')]);
    await expect(asking).rejects.toThrow('clientTools.a: input of a client tool must be a Standard Schema');
    expect(execute).not.toHaveBeenCalled();
  });

  it('a plain object with an approval asks before its handler runs', async () => {
    const execute = vi.fn(() => 'paid');
    const { chat } = await asked({ pay: { execute, approval: 'always' } }, [call('1', 'pay')]);
    expect(chat.getState().status).toBe('awaiting-input');
    expect(execute).not.toHaveBeenCalled();
  });

  it('the arguments of a call are parsed once, however often they are read', async () => {
    const parse = vi.fn((value: unknown) => ({ value }));
    const input: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'test', validate: parse } };
    const { chat } = await asked({ ask: { interactive: true, input } }, [call('1', 'ask', { size: 'L' })]);
    expect(chat.getState().pendingClientTools.ask?.[0]?.args).toEqual({ size: 'L' });
    expect(parse).toHaveBeenCalledOnce();
  });

  it('a definition that was copied and changed is checked by its new schemas', async () => {
    const tool = defineClientTool({ input: z.object({ city: z.string() }), execute: () => 'old' });
    const changed = { ...tool, input: z.object({ city: z.number() }), execute: () => 'new' };
    const { backend } = await asked({ a: changed }, [
      call('1', 'a', { city: 1 }),
      call('2', 'a', { city: 'x' }),
    ]);
    expect(answersOf(backend.commands)).toMatchObject([
      [{ result: 'new' }, { error: expect.stringMatching(/^Invalid arguments for tool a: city: /) }],
    ]);
  });

  it('arguments that do not match input never reach the handler or a person', async () => {
    let ran = false;
    const input = z.object({ city: z.string(), days: z.number() });
    const { backend, chat } = await asked(
      {
        a: defineClientTool({
          input,
          execute: () => {
            ran = true;
          },
        }),
        b: defineClientTool({ input, interactive: true }),
      },
      [call('1', 'a', { city: 1 }), call('2', 'b', {})],
    );
    expect(ran).toBe(false);
    expect(chat.getState().pendingClientTools).toEqual({});
    const [[first] = []] = answersOf(backend.commands);
    expect(first?.error).toMatch(/^Invalid arguments for tool a: city: .*; days: /);
  });

  it('parsed arguments, defaults applied, reach the handler and the person', async () => {
    const input = z.object({ unit: z.string().default('km') });
    const { backend, chat } = await asked(
      {
        a: defineClientTool({ input, execute: ({ unit }) => unit }),
        b: defineClientTool({ input, interactive: true }),
      },
      [call('1', 'a'), call('2', 'b')],
    );
    expect(chat.getState().pendingClientTools.b?.[0]?.args).toEqual({ unit: 'km' });
    chat.getState().pendingClientTools.b?.[0]?.submit(null);
    await settled();
    expect(answersOf(backend.commands)).toMatchObject([[{ result: 'km' }, { result: null }]]);
  });

  it('a repeated request runs no handler again', async () => {
    let runs = 0;
    const { backend, run } = await asked({ a: () => ++runs }, [call('1', 'a')]);
    run.send(request(call('1', 'a')));
    const next = await backend.request(1);
    next.send(start, request(call('1', 'a')), awaitingAnswers);
    const again = await backend.request(2);
    again.send(start, stopped);
    await settled();
    expect(runs).toBe(1);
    expect(answersOf(backend.commands)).toMatchObject([[{ result: 1 }], [{ result: 1 }]]);
  });
});

describe('interactive tools', () => {
  it('interactive calls are pending as soon as the request arrives, even when the connection drops before finish', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { ask: 'interactive' } });
    let sawPendingTool = false;
    chat.subscribe(() => {
      sawPendingTool ||= chat.getState().pendingClientTools.ask !== undefined;
    });
    const sent = chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('1', 'ask', { q: 1 })));
    await settled();
    expect(sawPendingTool).toBe(true);
    expect(chat.getState().status).toBe('awaiting-input');
    run.fail(new Error('cut'));
    await sent;
    expect(chat.getState()).toMatchObject({ status: 'awaiting-input', error: null });
    expect(chat.getState().pendingClientTools.ask?.[0]?.submit('yes')).toEqual({ settled: true });
    (await backend.request(1)).send(stopped);
    await settled();
    expect(chat.getState().status).toBe('idle');
  });

  it('interactive calls carry the declaration of their tool, and calls of a bare tool carry none', async () => {
    const tools = {
      ask: 'interactive',
      rate: defineClientTool({ interactive: true, title: 'Rate it' }),
    } as const;
    const { chat } = await asked(tools, [call('1', 'ask'), call('2', 'rate')]);
    const { ask, rate } = chat.getState().pendingClientTools;
    expect(ask?.[0]).not.toHaveProperty('definition');
    expect(rate?.[0]?.definition).toBe(tools.rate);
  });

  it('a call object of an earlier turn is settled and takes no answer', async () => {
    const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
    const tool = chat.getState().pendingClientTools.ask?.[0];
    chat.stop();
    void chat.sendMessage('Next');
    tool?.saveInput('late');
    const settlements = [tool?.submit('late'), tool?.cancel(), tool?.decline()];
    expect(settlements).toEqual(Array(3).fill({ settled: false, reason: 'already-settled' }));
    expect([tool?.status, tool?.getSavedInput()]).toEqual(['acknowledged', undefined]);
    await settled();
    expect(answersOf(backend.commands)).toEqual([]);
  });

  it('an answer given while an automatic call still runs is delivered together with its result', async () => {
    const slow = createDeferred<string>();
    const { chat, backend } = await asked({ a: () => slow.promise, ask: 'interactive' }, [
      call('1', 'a'),
      call('2', 'ask'),
    ]);
    chat.getState().pendingClientTools.ask?.[0]?.submit(false);
    await settled();
    expect(chat.getState().status).toBe('streaming');
    expect(backend.commands).toHaveLength(1);
    slow.resolve('A');
    await settled();
    expect(answersOf(backend.commands)).toMatchObject([[{ result: 'A' }, { result: false }]]);
    expect(chat.getState().error).toBeNull();
  });

  it.each([[0], [false], [''], [null]])('the falsy result %j is delivered as a result', async (result) => {
    const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
    chat.getState().pendingClientTools.ask?.[0]?.submit(result);
    await settled();
    expect(answersOf(backend.commands)).toEqual([
      [{ toolCallId: '1', outcome: 'submitted', result, error: undefined }],
    ]);
  });

  it('an undefined result is delivered as null, and one that JSON cannot carry leaves the call pending', async () => {
    const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
    const tool = chat.getState().pendingClientTools.ask?.[0];
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    for (const result of [() => 1, 1n, cycle, Number.NaN, new Map()]) {
      expect(tool?.submit(result)).toMatchObject({
        settled: false,
        reason: 'not-serializable',
        issues: [{}],
      });
    }
    expect(chat.getState().pendingClientTools.ask?.[0]).toBe(tool);
    expect(tool?.submit(undefined)).toEqual({ settled: true });
    await settled();
    expect(answersOf(backend.commands)).toMatchObject([[{ result: null }]]);
  });

  it('a result that does not match output leaves the call pending, with issues', async () => {
    const rate = defineClientTool({ output: z.object({ rating: z.number().max(5) }), interactive: true });
    const { chat, backend } = await asked({ rate }, [call('1', 'rate')]);
    const tool = chat.getState().pendingClientTools.rate?.[0];
    expect(tool?.submit({ rating: 9 })).toMatchObject({
      settled: false,
      reason: 'invalid-result',
      issues: [{ path: ['rating'] }],
    });
    expect(chat.getState().status).toBe('awaiting-input');
    expect(tool?.submit({ rating: 5 })).toEqual({ settled: true });
    await settled();
    expect(answersOf(backend.commands)).toMatchObject([[{ result: { rating: 5 } }]]);
  });

  it('a schema that validates asynchronously leaves the call pending, with an error', async () => {
    const rate = defineClientTool({ output: z.string().refine(async () => true), interactive: true });
    const { chat } = await asked({ rate }, [call('1', 'rate')]);
    const settlement = chat.getState().pendingClientTools.rate?.[0]?.submit('x');
    expect(settlement).toMatchObject({ settled: false, reason: 'invalid-result' });
    expect(JSON.stringify(settlement)).toMatch(/synchron/);
  });

  it('a schema that validates with a promise of another realm leaves the call pending, with an error', async () => {
    const validate = () => runInNewContext('Promise.resolve({ value: 1 })');
    const output: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'test', validate } };
    const { chat } = await asked({ rate: defineClientTool({ output, interactive: true }) }, [
      call('1', 'rate'),
    ]);
    const settlement = chat.getState().pendingClientTools.rate?.[0]?.submit('x');
    expect(settlement).toMatchObject({ settled: false, reason: 'invalid-result' });
    expect(JSON.stringify(settlement)).toMatch(/synchron/);
  });

  it('an answered call leaves the pending calls at once, not with the next frame', async () => {
    const { chat } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
    const seen: unknown[] = [];
    chat.subscribe(() => seen.push(chat.getState().pendingClientTools.ask));
    chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
    expect(seen).toEqual([undefined]);
  });

  it('a call settles exactly once: a second submit, cancel or decline changes nothing and is refused', async () => {
    const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
    const tool = chat.getState().pendingClientTools.ask?.[0];
    expect(tool?.submit('first')).toEqual({ settled: true });
    const refused = { settled: false, reason: 'already-settled' };
    expect([tool?.submit('second'), tool?.cancel(), tool?.decline()]).toEqual([refused, refused, refused]);
    await settled();
    expect(answersOf(backend.commands)).toMatchObject([[{ result: 'first' }]]);
  });

  it('decline gives a result and cancel an error, both with the reason', async () => {
    const { chat, backend } = await asked({ ask: 'interactive' }, [
      call('1', 'ask'),
      call('2', 'ask'),
      call('3', 'ask'),
      call('4', 'ask'),
    ]);
    const [a, b, c, d] = chat.getState().pendingClientTools.ask ?? [];
    a?.decline('too expensive', { confirmed: false });
    b?.decline();
    c?.cancel();
    d?.cancel('not now');
    await settled();
    expect(answersOf(backend.commands)).toMatchObject([
      [
        {
          outcome: 'declined',
          result: { confirmed: false, outcome: 'declined', reason: 'too expensive' },
          error: undefined,
        },
        { outcome: 'declined', result: { outcome: 'declined' } },
        { outcome: 'cancelled', result: undefined, error: 'User cancelled' },
        { outcome: 'cancelled', error: 'not now' },
      ],
    ]);
    expect(chat.getState().messages[1]?.parts.map((part) => 'status' in part && part.status)).toEqual([
      'done',
      'done',
      'cancelled',
      'cancelled',
    ]);
  });

  it('a blank reason counts as no reason', async () => {
    const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask'), call('2', 'ask')]);
    const [a, b] = chat.getState().pendingClientTools.ask ?? [];
    a?.decline(' ');
    b?.cancel('');
    await settled();
    expect(answersOf(backend.commands)).toEqual([
      [
        { toolCallId: '1', outcome: 'declined', result: { outcome: 'declined' }, error: undefined },
        { toolCallId: '2', outcome: 'cancelled', result: undefined, error: 'User cancelled' },
      ],
    ]);
  });

  it('the earlier limit counts, and only the limit of timeoutMs is reported to the agent', async () => {
    const ask = defineClientTool({ interactive: true, timeoutMs: 120_000 });
    const { chat, backend, clock } = await asked({ ask, bare: 'interactive' }, [call('1', 'ask')]);
    const first = chat.getState().pendingClientTools.ask?.[0];
    expect(first?.expiresAt).toEqual(new Date(clock.now() + 120_000));
    await clock.advance(120_000);
    expect(first?.submit(1)).toEqual({ settled: false, reason: 'expired' });
    expect(answersOf(backend.commands)).toMatchObject([
      [{ outcome: 'timed-out', error: 'Timed out after 120 s without an answer' }],
    ]);
    (await backend.request(1)).send(
      start,
      request({ ...call('2', 'ask'), deadline: clock.now() + 5_000 }, call('3', 'bare')),
      awaitingAnswers,
    );
    await settled();
    const late = chat.getState().pendingClientTools.ask?.[0];
    await clock.advance(5_000);
    expect(late?.submit(1)).toEqual({ settled: false, reason: 'expired' });
    chat.getState().pendingClientTools.bare?.[0]?.submit(3);
    await settled();
    expect(answersOf(backend.commands)[1]).toMatchObject([{ toolCallId: '3', result: 3 }]);
  });

  it.each([
    ['as long as numbers go', { timeoutMs: Number.MAX_SAFE_INTEGER }, {}],
    ['without end', { timeoutMs: Infinity }, {}],
    ['of the backend that no date can hold', {}, { deadline: Number.MAX_VALUE }],
  ])('a limit %s never expires', async (_, limit, deadline) => {
    const ask = defineClientTool({ interactive: true, ...limit });
    const { chat } = await asked({ ask }, [{ ...call('1', 'ask'), ...deadline }]);
    const [tool] = chat.getState().pendingClientTools.ask ?? [];
    expect(tool).not.toHaveProperty('expiresAt');
    expect(tool?.submit(1)).toEqual({ settled: true });
  });

  it('a call takes no answer past its limit, also when the timer slept with the machine', async () => {
    const awake = createManualClock();
    let slept = 0;
    const ask = defineClientTool({ interactive: true, timeoutMs: 120_000 });
    const clock = { ...awake, now: () => awake.now() + slept };
    const { chat, backend } = await asked({ ask }, [call('1', 'ask')], { clock });
    slept = 120_000;
    expect(chat.getState().pendingClientTools.ask?.[0]?.submit(1)).toEqual({
      settled: false,
      reason: 'expired',
    });
    await settled();
    expect(answersOf(backend.commands)).toMatchObject([[{ outcome: 'timed-out', result: undefined }]]);
  });

  it('pendingClientTools has no prototype, so a tool may be named __proto__', async () => {
    const tools = Object.create(null) as ClientTools & Record<string, unknown>;
    Object.defineProperty(tools, '__proto__', { value: 'interactive', enumerable: true });
    const { chat } = await asked(tools, [
      call('1', '__proto__', JSON.parse('{"__proto__":{"polluted":true}}')),
    ]);
    const { pendingClientTools } = chat.getState();
    expect(Object.getPrototypeOf(pendingClientTools)).toBeNull();
    expect(Object.keys(pendingClientTools)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('a result repeats the keys of the request that it has to repeat', async () => {
    const pending = {
      ...call('1', 'ask'),
      outputVariable: 'PLACE',
      blockIndex: 2,
      workerId: 'w',
    } as PendingToolCall;
    const { chat, backend } = await asked({ ask: 'interactive' }, [pending]);
    chat.getState().pendingClientTools.ask?.[0]?.submit(1);
    await settled();
    expect(backend.commands[1]).toMatchObject({
      answers: [{ echo: { outputVariable: 'PLACE', blockIndex: 2, workerId: 'w' } }],
    });
  });
});

it('a call has the stages asked, answered, sent and taken', async () => {
  const { chat, backend } = await asked({ ask: 'interactive' }, [call('1', 'ask'), call('2', 'ask')]);
  const [first, second] = chat.getState().pendingClientTools.ask ?? [];
  const stages = () => [first?.status, second?.status];
  expect(stages()).toEqual(['waiting', 'waiting']);
  first?.submit(1);
  expect(stages()).toEqual(['settled', 'waiting']);
  second?.cancel();
  expect(stages()).toEqual(['delivered', 'delivered']);
  (await backend.request(1)).send(start);
  await settled();
  expect(stages()).toEqual(['acknowledged', 'acknowledged']);
  void chat.sendMessage('more');
  await backend.request(2);
  expect(stages()).toEqual(['acknowledged', 'acknowledged']);
});

it('a change of the stage of a call does not change published states', async () => {
  const { chat } = await asked({ ask: 'interactive' }, [call('1', 'ask')]);
  const before = chat.getState();
  const copy = JSON.stringify(before);
  const tool = before.pendingClientTools.ask?.[0];
  tool?.submit(1);
  expect(tool?.status).toBe('delivered');
  expect(JSON.stringify(before)).toBe(copy);
});
