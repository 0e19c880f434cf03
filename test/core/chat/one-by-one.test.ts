/** Runs that stay open and take answers one at a time: who answered, which answer counted, and what a reload sends. */
import { describe, expect, it, vi } from 'vitest';
import type { RespondCommand } from '../../../src/core/protocol/commands.ts';
import type { AgentTransport } from '../../../src/core/transport/agent-transport.ts';
import {
  AgentChatError,
  type AgentChatOptions,
  type ChatStorage,
  createPersistence,
  defineClientTool,
} from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { settledIn } from '../../support/asked-calls.ts';
import { restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { call, request, start, stopped } from '../../support/scripted-events.ts';

const acknowledged = (toolCallId: string, status: 'accepted' | 'expired' | 'duplicate') =>
  ({ type: 'tool-result-acknowledged', toolCallId, status }) as const;

async function open(options: Partial<AgentChatOptions>, more: Partial<AgentTransport> = {}) {
  const transport = Object.assign(createScriptedTransport({ results: 'one-by-one' }), more);
  const scripted = scriptedChat(options, transport);
  await restored(scripted.chat);
  return { ...scripted, answers: () => transport.requests.flatMap(({ command }) => answersOf(command)) };
}

const answersOf = (command: { readonly type: string }) =>
  command.type === 'respond' ? (command as RespondCommand).answers : [];

it('send and retry resolve when the run waits for a person, whose stream stays open', async () => {
  const { chat, backend } = await open({ clientTools: { ask: 'interactive', now: () => 'noon' } });
  let sent = false;
  const sending = chat.sendMessage('Hi').then(() => {
    sent = true;
  });
  const run = await backend.request(0);
  run.send({ ...start, cursor: '0' }, { ...request(call('1', 'ask'), call('2', 'now')), cursor: '1' });
  const answer = await backend.request(1);
  await settled();
  expect([chat.getState().status, sent]).toEqual(['awaiting-input', false]);
  answer.send(acknowledged('2', 'accepted'));
  answer.end();
  await sending;
  expect(chat.getState().status).toBe('awaiting-input');

  run.fail(new AgentChatError({ code: 'connection_lost', message: 'Cut', retryable: true }));
  await settled();
  await chat.retry();
  expect(backend.commands.at(-1)).toMatchObject({ type: 'resume', cursor: '1' });
  expect(chat.getState().status).toBe('awaiting-input');
});

describe('a question that another client answers', () => {
  const asked = async () => {
    const page = await open({ clientTools: { ask: 'interactive' } });
    void page.chat.sendMessage('Hi');
    const run = await page.backend.request(0);
    run.send({ ...start, cursor: '0' }, { ...request(call('1', 'ask')), cursor: '1' });
    await settled();
    return { ...page, run, tool: page.chat.getState().pendingClientTools.ask?.[0] };
  };

  it('a question that another client answered closes with a reason, and a late answer is refused', async () => {
    const { chat, run, tool, answers, notified } = await asked();
    run.send(acknowledged('1', 'accepted'), acknowledged('1', 'accepted'));
    await settled();
    expect(notified).toEqual(['notice answered_elsewhere']);
    expect(chat.getState().notices).toEqual([
      { code: 'answered_elsewhere', text: 'Answered elsewhere', toolCallId: '1' },
    ]);
    expect(chat.getState().pendingClientTools).toEqual({});
    expect(chat.getState().status).toBe('streaming');
    expect(tool?.submit('late')).toEqual({ settled: false, reason: 'expired' });
    run.send(stopped);
    await settled();
    expect(chat.getState().messages[1]?.parts).toMatchObject([{ status: 'cancelled', outcome: 'expired' }]);
    expect(answers()).toEqual([]);
  });

  it('a question that another client answered is not asked again when the stream is cut and resumed', async () => {
    const { chat, run, backend } = await asked();
    run.send({ ...acknowledged('1', 'accepted'), cursor: '2' });
    await settled();
    run.end();
    await settled();
    void chat.retry();
    await backend.request(1);
    await settled();
    expect(chat.getState().pendingClientTools).toEqual({});
  });
});

it('an answer that the backend dropped as too late leaves an expired part', async () => {
  const { chat, backend } = await open({ clientTools: { now: () => 'noon' } });
  void chat.sendMessage('Hi');
  const run = await backend.request(0);
  run.send(start, request(call('1', 'now')));
  (await backend.request(1)).send(acknowledged('1', 'expired'));
  (await backend.request(1)).end();
  await settled();
  run.send(stopped);
  await settled();
  const [part] = chat.getState().messages[1]?.parts ?? [];
  expect(part).toMatchObject({ status: 'cancelled', outcome: 'expired' });
  expect(part).not.toHaveProperty('result');
  expect(chat.getState().status).toBe('idle');
});

it.each(['accepted', 'duplicate'] as const)(
  'an answer the backend says is %s stays as it was given',
  async (status) => {
    const { chat, backend } = await open({ clientTools: { now: () => 'noon' } });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('1', 'now')));
    (await backend.request(1)).send(acknowledged('1', status));
    await settled();
    run.send(acknowledged('2', 'expired'), stopped);
    await settled();
    expect(chat.getState().messages[1]?.parts).toMatchObject([
      { status: 'done', outcome: 'submitted', result: 'noon' },
    ]);
  },
);

it('an answer that the backend took without a response is not sent again before the next message', async () => {
  const { chat, backend } = await open({ clientTools: { now: () => 'noon' } });
  void chat.sendMessage('Hi');
  (await backend.request(0)).send(start, request(call('1', 'now')));
  (await backend.request(1)).end();
  await settled();
  void chat.sendMessage('Next');
  await settled();
  expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond', 'stop', 'trigger']);
});

it('answers to one request count as one round', async () => {
  const { chat, backend, answers } = await open({ clientTools: { now: () => 'noon' }, maxToolRounds: 1 });
  void chat.sendMessage('Hi');
  (await backend.request(0)).send(start, request(call('1', 'now'), call('2', 'now')));
  await settled();
  expect(answers().map(({ toolCallId }) => toolCallId)).toEqual(['1', '2']);
  expect(chat.getState().error).toBeNull();
});

describe('a reload', () => {
  const reload = async (storage: ChatStorage) => {
    const page = await open({
      id: 'c',
      persistence: createPersistence({ storage }),
      clientTools: { now: () => 'again' },
    });
    await page.backend.request(0);
    return page;
  };

  it('a reload during a delivery sends the answer again, marked as repeated, and runs no handler', async () => {
    const storage = createMemoryStorage();
    const before = await open({
      id: 'c',
      persistence: createPersistence({ storage }),
      clientTools: { now: () => 'noon' },
    });
    void before.chat.sendMessage('Hi');
    const run = await before.backend.request(0);
    run.send({ ...start, cursor: '0' }, { ...request(call('1', 'now')), cursor: '1' });
    await before.backend.request(1);
    expect(before.answers()[0]).not.toHaveProperty('repeated');

    const after = await reload(storage);
    await settled();
    expect(after.backend.commands.map(({ type }) => type)).toEqual(['resume', 'respond']);
    expect(after.answers()).toMatchObject([{ toolCallId: '1', result: 'noon', repeated: true }]);
  });

  it('a reload during several deliveries sends each answer in a request of its own', async () => {
    const storage = createMemoryStorage();
    const before = await open({
      id: 'c',
      persistence: createPersistence({ storage }),
      clientTools: { now: () => 'noon' },
    });
    void before.chat.sendMessage('Hi');
    const run = await before.backend.request(0);
    run.send({ ...start, cursor: '0' }, { ...request(call('1', 'now'), call('2', 'now')), cursor: '1' });
    await before.backend.request(2);

    const after = await reload(storage);
    await settled();
    expect(after.backend.commands.map(({ type }) => type)).toEqual(['resume', 'respond', 'respond']);
    expect(after.answers().map(({ toolCallId }) => toolCallId)).toEqual(['1', '2']);
  });

  it('a reload in the middle of a text resumes the run', async () => {
    const storage = createMemoryStorage();
    const before = await open({ id: 'c', persistence: createPersistence({ storage }) });
    void before.chat.sendMessage('Hi');
    (await before.backend.request(0)).send({ ...start, cursor: '0' });
    await settled();
    const { chat, notified } = await reload(storage);
    expect([chat.getState().status, notified]).toEqual(['streaming', []]);
  });

  it('a reload after the backend took the answer sends nothing', async () => {
    const storage = createMemoryStorage();
    const before = await open({
      id: 'c',
      persistence: createPersistence({ storage }),
      clientTools: { now: () => 'noon' },
    });
    void before.chat.sendMessage('Hi');
    const run = await before.backend.request(0);
    run.send({ ...start, cursor: '0' }, { ...request(call('1', 'now')), cursor: '1' });
    (await before.backend.request(1)).send(acknowledged('1', 'accepted'));
    (await before.backend.request(1)).end();
    await settled();

    const after = await reload(storage);
    await settled();
    expect(after.backend.commands.map(({ type }) => type)).toEqual(['resume']);
  });
});

describe('a run that is cut, or repeats its rounds', () => {
  const unavailable = new AgentChatError({
    code: 'connection_failed',
    message: 'No network',
    retryable: true,
  });
  const begun = async (options: Partial<AgentChatOptions>) => {
    const page = await open(options);
    void page.chat.sendMessage('Hi');
    return { ...page, run: await page.backend.request(0) };
  };

  it('retry() delivers an answer again whose delivery failed', async () => {
    const { chat, backend, answers, run } = await begun({ clientTools: { now: () => 'noon' } });
    run.send({ ...start, cursor: 'p1' }, request(call('1', 'now')));
    (await backend.request(1)).fail(unavailable);
    await settled();
    expect(chat.getState().error?.code).toBe('connection_failed');
    const retried = chat.retry();
    await settled();
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond', 'resume', 'respond']);
    expect(answers()).toMatchObject([{ result: 'noon' }, { result: 'noon' }]);
    (await backend.request(3)).end();
    (await backend.request(2)).send(stopped);
    await retried;
    expect(chat.getState().status).toBe('idle');
  });

  it('retry() after a lost delivery does not wait for ever when the run has no cursor', async () => {
    const { chat, backend, answers, run } = await begun({ clientTools: { now: () => 'noon' } });
    run.send(start, request(call('1', 'now')));
    (await backend.request(1)).fail(unavailable);
    await settled();
    const retried = chat.retry();
    (await backend.request(2)).end();
    await retried;
    expect(chat.getState().error).toMatchObject({ code: 'stream_interrupted' });
    expect(answers()).toMatchObject([{ result: 'noon' }, { result: 'noon' }]);
  });

  it('a call that expired with a cut stream is pending again when the run requests it again', async () => {
    const { chat, backend, answers, run } = await begun({ clientTools: { ask: 'interactive' } });
    run.send({ ...start, cursor: 'p1' }, request(call('1', 'ask')));
    await settled();
    const [before] = chat.getState().pendingClientTools.ask ?? [];
    run.end();
    await settled();
    expect(chat.getState().error?.code).toBe('stream_interrupted');
    expect(before?.submit('late')).toEqual({ settled: false, reason: 'expired' });
    void chat.retry();
    (await backend.request(1)).send(request(call('1', 'ask')));
    await settled();
    expect(chat.getState().status).toBe('awaiting-input');
    expect(chat.getState().messages[1]?.parts).toMatchObject([{ status: 'running' }]);
    expect(chat.getState().pendingClientTools.ask?.[0]?.submit('yes')).toEqual({ settled: true });
    await settled();
    expect(answers()).toMatchObject([{ toolCallId: '1', result: 'yes' }]);
  });

  it('a message that a handler sends when the run ends starts a turn of its own', async () => {
    const { chat, backend, run, notified } = await begun({
      clientTools: {
        slow: (_args, { signal }) =>
          new Promise(() => signal.addEventListener('abort', () => void chat.sendMessage('Next'))),
      },
    });
    run.send(start, request(call('1', 'slow')));
    await settled();
    run.send(stopped);
    const next = await backend.request(1);
    expect(next.command).toMatchObject({ type: 'trigger', input: { USER_MESSAGE: 'Next' } });
    expect(chat.getState().status).toBe('streaming');
    next.send(start, { type: 'text-delta', id: 't', delta: 'Hello' }, stopped);
    await settled();
    expect(chat.getState().messages.at(-1)).toMatchObject({ parts: [{ text: 'Hello' }] });
    expect(notified).toEqual(['finish stop']);
  });

  it('a call whose deadline is over does not become pending again', async () => {
    const { chat, backend, run, clock } = await begun({ clientTools: { ask: 'interactive' } });
    const deadline = clock.now() + 1000;
    run.send({ ...start, cursor: 'p1' }, request({ ...call('1', 'ask'), deadline }));
    await settled();
    run.end();
    await settled();
    await clock.advance(1000);
    void chat.retry();
    await backend.request(1);
    expect(chat.getState().pendingClientTools).toEqual({});
    expect(chat.getState().messages[1]?.parts).toMatchObject([{ outcome: 'expired' }]);
  });

  it('a call that expired while it waited for approval waits for approval again', async () => {
    const execute = vi.fn();
    const pay = defineClientTool({ execute, approval: 'always' });
    const { chat, backend, run } = await begun({ clientTools: { pay } });
    const asks = () =>
      Object.values(chat.getState().pendingClientTools)
        .flat()
        .map((tool) => tool.approvalReason);
    run.send({ ...start, cursor: 'p1' }, request(call('1', 'pay')));
    await settledIn();
    expect(asks()).toEqual(['policy']);
    run.end();
    await settled();
    void chat.retry();
    await backend.request(1);
    await settledIn();
    expect(asks()).toEqual(['policy']);
    expect(execute).not.toHaveBeenCalled();
  });

  it('an automatic tool that a cut stream aborted does not run again without approval', async () => {
    const slow = vi.fn((_: unknown, { signal }: { signal: AbortSignal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    });
    const { chat, backend, run } = await begun({ clientTools: { slow } });
    run.send({ ...start, cursor: 'p1' }, request(call('1', 'slow')));
    await settled();
    run.end();
    await settled();
    void chat.retry();
    (await backend.request(1)).send(request(call('1', 'slow')));
    await settled();
    expect(slow).toHaveBeenCalledOnce();
    expect(chat.getState().pendingClientTools.slow).toMatchObject([{ approvalReason: 'interrupted' }]);
  });

  it('maxToolRounds counts rounds, not the calls of a round', async () => {
    const { chat, answers, run } = await begun({ clientTools: { now: () => 'noon' }, maxToolRounds: 2 });
    const calls = (...ids: string[]) => request(...ids.map((id) => call(id, 'now')));
    run.send(start, calls('1', '2', '3', '4'));
    await settled();
    run.send(calls('5'));
    await settled();
    expect(chat.getState().error).toBeNull();
    expect(answers()).toHaveLength(5);
    run.send(calls('6', '7'));
    await settled();
    expect(chat.getState().error?.code).toBe('tool_rounds_exceeded');
  });

  it('exceeding maxToolRounds is reported once', async () => {
    const { chat, run, notified } = await begun({
      clientTools: { now: () => 'noon', also: () => 'noon' },
      maxToolRounds: 0,
    });
    run.send(start, request(call('1', 'now'), call('2', 'also'), call('3', 'missing')));
    await settled();
    expect(chat.getState().error?.code).toBe('tool_rounds_exceeded');
    expect(notified).toEqual(['error tool_rounds_exceeded']);
  });
});

describe('retry() after the login ran out', () => {
  const refused = new AgentChatError({
    code: 'http_error',
    errorType: 'authentication_error',
    message: 'Sign in first',
    status: 401,
  });
  const begun = async () => {
    const page = await open({ clientTools: { now: () => 'noon' } });
    void page.chat.sendMessage('Hi');
    const run = await page.backend.request(0);
    run.send({ ...start, cursor: '0' });
    return { ...page, run };
  };

  it('retry() after the login ran out resumes the run instead of starting a second one', async () => {
    const { chat, backend, run } = await begun();
    run.fail(refused);
    await settled();
    void chat.retry();
    await backend.request(1);
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'resume']);
  });

  it('retry() after the login ran out resumes the run whose answer was refused, and sends the answer again', async () => {
    const { chat, backend, run, answers, notified } = await begun();
    run.send({ ...request(call('1', 'now')), cursor: '1' });
    (await backend.request(1)).fail(refused);
    await settled();
    void chat.retry();
    await backend.request(3);
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond', 'resume', 'respond']);
    expect(answers()).toMatchObject([{ result: 'noon' }, { result: 'noon' }]);
    expect(notified).toEqual(['error http_error']);
  });

  it('retry() after the login ran out triggers again when the run itself ended with that error', async () => {
    const { chat, backend, run } = await begun();
    run.send({
      type: 'error',
      message: 'No key',
      errorType: 'authentication_error',
      source: 'provider',
      retryable: false,
    });
    await settled();
    void chat.retry();
    await backend.request(1);
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'trigger']);
  });
});

describe('destroy()', () => {
  const leave = async (options: Partial<AgentChatOptions>) => {
    const page = await open({ id: 'c', clientTools: { ask: 'interactive' }, ...options });
    void page.chat.sendMessage('Hi');
    const run = await page.backend.request(0);
    run.send({ ...start, cursor: '0' }, { ...request(call('1', 'ask')), cursor: '1' });
    await settled();
    page.chat.destroy();
    await settled();
    return page.backend.commands.map(({ type }) => type);
  };

  it('destroy() ends the run on the server', async () => {
    expect(await leave({})).toEqual(['trigger', 'stop']);
  });

  it('destroy() of a persisted conversation leaves the run open for the next page', async () => {
    const storage = createMemoryStorage();
    expect(await leave({ persistence: createPersistence({ storage }) })).toEqual(['trigger']);
    const after = await open({
      id: 'c',
      persistence: createPersistence({ storage }),
      clientTools: { ask: 'interactive' },
    });
    await after.backend.request(0);
    expect(after.backend.commands).toMatchObject([{ type: 'resume', cursor: '1' }]);
    expect(after.chat.getState().pendingClientTools.ask).toHaveLength(1);
  });
});

describe('a tool the transport brings', () => {
  const clientTool: AgentTransport['clientTool'] = (pending) =>
    'peer' in pending
      ? {
          execute: async ({ text }) => {
            if (text === 'fail') throw new Error('The peer is away');
            return `peer heard ${String(text)}`;
          },
        }
      : undefined;

  it('a tool of the transport runs for its own calls, and the tools of the app for the others', async () => {
    const { chat, backend, answers } = await open({ clientTools: { tell: () => 'the app' } }, { clientTool });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('1', 'tell', { text: 'hello' })));
    const ofPeer = { ...call('2', 'tell', { text: 'hello' }), peer: 'p' };
    run.send(request(ofPeer, { ...ofPeer, toolCallId: '3', args: { text: 'fail' } }));
    await settled();
    expect(answers()).toMatchObject([
      { toolCallId: '1', result: 'the app' },
      { toolCallId: '2', result: 'peer heard hello' },
      { toolCallId: '3', error: 'The peer is away' },
    ]);
  });
});

it('details of a backend failure become the cause of the error', async () => {
  const { chat, backend } = await open({});
  void chat.sendMessage('Hi');
  const raw = { errorClass: 'truncation', partialText: 'half' };
  (await backend.request(0)).send({
    type: 'error',
    errorType: 'execution_error',
    message: 'Cut off',
    retryable: false,
    source: 'provider',
    raw,
  });
  await settled();
  expect(chat.getState().error).toBeInstanceOf(AgentChatError);
  expect(chat.getState().error?.cause).toBe(raw);
});

describe('an answer that the backend drops after the run has ended', () => {
  const ended = async () => {
    const calls: string[] = [];
    const page = await open({
      clientTools: { now: () => 'noon' },
      onCallSettled: ({ outcome, answeredBy }) => calls.push(`${outcome} by ${answeredBy}`),
    });
    void page.chat.sendMessage('Hi');
    const run = await page.backend.request(0);
    run.send(start, request(call('1', 'now')));
    const delivery = await page.backend.request(1);
    run.send(stopped);
    await settled();
    return { ...page, calls, delivery };
  };
  const notice = { type: 'notice', code: 'answer_expired', text: 'Too late', toolCallId: '1' } as const;

  it('an answer that is dropped after the run has ended is recorded as expired in the message and in onCallSettled', async () => {
    const { chat, calls, delivery, notified } = await ended();
    delivery.send(acknowledged('1', 'expired'), notice);
    await settled();
    const [part] = chat.getState().messages[1]?.parts ?? [];
    expect(part).toMatchObject({ status: 'cancelled', outcome: 'expired' });
    expect(part).not.toHaveProperty('result');
    expect(calls).toEqual(['submitted by automatic', 'expired by nobody']);
    expect(notified).toEqual(['finish stop', 'notice answer_expired']);
  });

  it('an answer that is dropped after the next message has begun changes nothing of the next turn', async () => {
    const { chat, backend, calls, delivery } = await ended();
    void chat.sendMessage('Next');
    const next = await backend.request(2);
    next.send(
      { type: 'start', executionId: 'run-2' },
      { type: 'client-tool-request', executionId: 'run-2', toolCalls: [call('1', 'now')] },
    );
    await settled();
    delivery.send(acknowledged('1', 'expired'), notice);
    await settled();
    expect(calls).toEqual(['submitted by automatic', 'submitted by automatic']);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ status: 'done', outcome: 'submitted' }]);
  });
});

it('retry() after an answer that was refused for good resumes the run and sends the answer again', async () => {
  const { chat, backend } = await open({ clientTools: { now: () => 'noon' } });
  void chat.sendMessage('Hi');
  (await backend.request(0)).send({ ...start, cursor: '0' }, { ...request(call('1', 'now')), cursor: '1' });
  const refusal = {
    code: 'http_error',
    errorType: 'permission_error',
    message: 'No',
    retryable: false,
  } as const;
  (await backend.request(1)).fail(new AgentChatError(refusal));
  await settled();
  void chat.retry();
  await settled();
  expect(backend.commands.slice(2).map(({ type }) => type)).toEqual(['resume', 'respond']);
});
