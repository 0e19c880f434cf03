/** The client's half of the adapter (Standard Agents, section "Adapter proposal"): calls, answers, ends and stops. */
import { describe, expect, it } from 'vitest';
import { createIO } from '../../core/transport/support.ts';
import { calling, chunk, openThread, partsOf, STARTED_AT } from './support/thread-double.ts';

const tools = { confirm: 'interactive' } as const;
const question = { id: 'c1', name: 'confirm', args: { action: 'Order' } };
const waiting = { id: 'w', role: 'tool', tool_call_id: 'c1', content: 'Waiting for the user.' };

/** A run that asks, and rests until it is answered. */
async function openQuestion(clientTools: Parameters<typeof openThread>[0] = tools) {
  const thread = openThread(clientTools);
  const messageId = await thread.start();
  await thread.server.put(calling('a', 'c1', 'confirm', question.args));
  await thread.server.ask(question);
  await thread.server.put(waiting);
  await thread.server.rest();
  return { ...thread, messageId };
}

describe('messages', () => {
  it('creates a thread with the first message, and uses it for the next one', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put({ id: 'a', role: 'assistant', content: 'Hello.' });
    await server.rest();
    await start('Again');
    expect(server.requestsTo('POST', '')[0]).toMatchObject({ path: '', body: { agent_id: 'helper' } });
    expect(server.requests.filter(({ method, path }) => method === 'POST' && path === '')).toHaveLength(1);
    expect(server.requestsTo('POST', '/messages').map(({ path }) => path)).toEqual([
      '/t1/messages',
      '/t1/messages',
    ]);
    chat.destroy();
  });

  it('opens the thread that the app names', async () => {
    const { server, start } = openThread({}, { threadId: 'mine' });
    await start();
    expect(server.requestsTo('POST', '/messages').map(({ path }) => path)).toEqual(['/mine/messages']);
  });

  it('posts a message that is sent again under the same id', async () => {
    const { server, chat, start } = openThread();
    server.answer = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/messages')) return undefined;
      server.answer = () => undefined;
      return new Response(null, { status: 503 });
    };
    await start();
    expect(chat.getState().error).toMatchObject({ code: 'http_error', retryable: true });
    chat.retry().catch(() => {});
    await server.settle();
    const [first, second] = server.requestsTo('POST', '/messages').map(({ body }) => body?.id);
    expect(first).toBeTruthy();
    expect(second).toBe(first);
  });

  it('sends the token of a function with each request, and in the address of the stream', async () => {
    let count = 0;
    const { server, start } = openThread({}, { token: async () => `t${++count}` });
    await start();
    expect(new Set(server.requests.map(({ authorization }) => authorization)).size).toBe(
      server.requests.length,
    );
    expect(server.streams).toEqual([
      expect.stringMatching(/^ws:\/\/agents\.example\/api\/threads\/t1\/stream\?token=t\d$/),
    ]);
  });

  it('reports a login that ran out as an authentication error', async () => {
    const { server, chat, start } = openThread();
    server.answer = () => Response.json({ error: 'Log in', code: 'unauthorized' }, { status: 401 });
    await start();
    expect(chat.getState().error).toMatchObject({
      errorType: 'authentication_error',
      backendCode: 'unauthorized',
    });
  });

  it('tells why a stream was refused by the same request over HTTP', async () => {
    const refused = () => {
      throw new Error('closed');
    };
    const { server, chat, start } = openThread({}, { threadId: 'gone', connect: refused });
    server.answer = () => Response.json({ error: 'No thread', code: 'unknown_thread' }, { status: 404 });
    await start();
    expect(chat.getState().error).toMatchObject({ status: 404, message: 'No thread' });
    expect(server.requestsTo('POST', '/messages')).toEqual([]);
  });
});

describe('calls of the page', () => {
  it('waits for the person while the thread is idle and a call is pending', async () => {
    const { server, chat } = await openQuestion();
    await server.clock.advance(60_000);
    await server.settle();
    expect(chat.getState().status).toBe('awaiting-input');
    expect(chat.getState().pendingCalls[0]?.args).toEqual({ action: 'Order' });
    expect(partsOf(chat)).toMatchObject([{ toolCallId: 'c1', status: 'running', executedBy: 'client' }]);
  });

  it('posts the answer, and shows the rest of the run in the same message', async () => {
    const { server, chat } = await openQuestion();
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await server.settle();
    expect(server.requestsTo('POST', '/client-tools/c1').map(({ body }) => body)).toEqual([
      { outcome: 'submitted', result: { confirmed: true } },
    ]);
    await server.put(calling('k', 'k1', 'client_tool_answer', { id: 'c1' }));
    await server.put({ id: 'l', role: 'tool', tool_call_id: 'k1', content: '{"confirmed":true}' });
    await server.put({ id: 'b', role: 'assistant', content: 'Ordered.' });
    await server.rest();
    expect(chat.getState().status).toBe('idle');
    expect(partsOf(chat)).toMatchObject([
      { toolCallId: 'c1', outcome: 'submitted', result: { confirmed: true } },
      { text: 'Ordered.' },
    ]);
    expect(chat.getState().messages).toHaveLength(2);
  });

  it.each([
    ['decline', { outcome: 'declined', result: { outcome: 'declined', reason: 'no' }, reason: 'no' }],
    ['cancel', { outcome: 'cancelled', reason: 'no' }],
    ['fail', { outcome: 'failed', reason: 'no' }],
  ] as const)('posts what %s settles, with the reason', async (method, body) => {
    const { server, chat } = await openQuestion();
    chat.getState().pendingCalls[0]?.[method]?.('no');
    await server.settle();
    expect(server.requestsTo('POST', '/client-tools/c1').map((request) => request.body)).toEqual([body]);
  });

  it('takes a call once, from its event and from the list', async () => {
    let runs = 0;
    const { server } = await openQuestion({ confirm: () => ++runs });
    await server.ask(question);
    await server.cut();
    expect(runs).toBe(1);
    expect(server.requestsTo('POST', '/client-tools/c1')).toHaveLength(1);
  });

  it('asks for a call that was made while the stream was cut', async () => {
    const { server, chat, start } = openThread(tools);
    await start();
    server.calls.push({ ...question, requestedAt: STARTED_AT / 1_000 + 1 });
    await server.cut();
    expect(chat.getState().pendingCalls.map(({ toolCallId }) => toolCallId)).toEqual(['c1']);
  });

  it('does not ask for a call of an earlier run whose stop the server did not hear', async () => {
    const { server, chat, start } = openThread(tools);
    server.calls.push({ ...question, requestedAt: STARTED_AT / 1_000 - 1 });
    await start();
    expect(chat.getState().pendingCalls).toEqual([]);
  });

  it('expires a call at its deadline, which may be in microseconds', async () => {
    const { server, chat, start } = openThread(tools);
    await start();
    await server.ask({ ...question, deadline: (server.clock.now() + 500) * 1_000 });
    expect(chat.getState().pendingCalls).toHaveLength(1);
    await server.clock.advance(501);
    expect(chat.getState().pendingCalls).toEqual([]);
    expect(partsOf(chat)).toMatchObject([{ outcome: 'expired' }]);
  });

  it('closes a question that was answered on another page', async () => {
    const { server, chat, log } = await openQuestion();
    server.calls = [];
    await server.send({
      type: 'custom',
      eventType: 'client_tool_answered',
      data: { id: 'c1', outcome: 'submitted' },
    });
    expect(chat.getState().pendingCalls).toEqual([]);
    expect(partsOf(chat)).toMatchObject([{ outcome: 'expired' }]);
    expect(log).toEqual(['answered_elsewhere']);
  });
});

describe('answers that the server refuses', () => {
  const answerWith = async (...responses: readonly (() => Response)[]) => {
    const thread = await openQuestion();
    const left = [...responses];
    thread.server.answer = ({ method, path }) =>
      method === 'POST' && path.endsWith('/c1') ? left.shift()?.() : undefined;
    thread.chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await thread.server.settle();
    await thread.server.clock.advance(1);
    await thread.server.settle();
    return thread;
  };
  const conflict = (outcome: string) => () =>
    Response.json({ code: 'already_answered', outcome }, { status: 409 });
  const broken = () => new Response('bad gateway', { status: 502 });

  it('expires an answer that came after that of another page', async () => {
    const { chat, log } = await answerWith(conflict('submitted'));
    expect(partsOf(chat)).toMatchObject([{ outcome: 'expired' }]);
    expect(log).toEqual(['answered_elsewhere']);
  });

  it('keeps an answer that is refused because its first attempt arrived', async () => {
    const { server, chat, log } = await answerWith(broken, conflict('submitted'));
    expect(server.requestsTo('POST', '/client-tools/c1')).toHaveLength(2);
    expect(partsOf(chat)).toMatchObject([{ outcome: 'submitted' }]);
    expect(log).toEqual([]);
  });

  it('expires an answer that was sent again and is not the one that the server has', async () => {
    const { chat, log } = await answerWith(broken, conflict('declined'));
    expect(partsOf(chat)).toMatchObject([{ outcome: 'expired' }]);
    expect(log).toEqual(['answered_elsewhere']);
  });

  it('expires an answer to a call that the server does not know', async () => {
    const unknown = () => Response.json({ code: 'unknown_call' }, { status: 404 });
    const { chat, log } = await answerWith(unknown);
    expect(partsOf(chat)).toMatchObject([{ outcome: 'expired' }]);
    expect(log).toEqual(['answer_expired']);
  });

  it('names the kit when the server has no route for answers, and sends the answer again on retry', async () => {
    const { server, chat } = await answerWith(() => new Response(null, { status: 404 }));
    expect(chat.getState().error?.message).toMatch(/standardAgentsKit\(\{ tools \}\)/);
    chat.retry().catch(() => {});
    await server.settle();
    expect(server.requestsTo('POST', '/client-tools/c1')).toHaveLength(2);
    expect(partsOf(chat)).toMatchObject([{ outcome: 'submitted' }]);
  });
});

describe('the end of a run', () => {
  it('comes when the thread is idle after a complete message', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put({ id: 'a', role: 'assistant', content: 'Hello.' });
    expect(chat.getState().status).toBe('streaming');
    await server.rest();
    expect(chat.getState().status).toBe('idle');
    expect(server.openStreams).toBe(0);
    expect(server.clock.waiting).toBe(0);
  });

  it('comes with a complete message of a server that tells no status', async () => {
    const { server, chat, start } = openThread();
    server.status = undefined;
    await start();
    await server.put(calling('a', 'c1', 'lookup'));
    await server.put({ id: 'r', role: 'tool', tool_call_id: 'c1', content: '1' });
    expect(chat.getState().status).toBe('streaming');
    await server.put({ id: 'b', role: 'assistant', content: 'One.' });
    expect(chat.getState().status).toBe('idle');
  });

  it('does not come with the late news that the thread was idle before the answer', async () => {
    const { server, chat, start } = openThread({ confirm: () => 'yes' });
    await start();
    await server.put(calling('a', 'c1', 'confirm'));
    await server.ask(question);
    await server.put(waiting);
    // The answer is stored, and the server has not begun to go on.
    await server.rest();
    expect(chat.getState().status).toBe('streaming');
    server.status = 'running';
    await server.send({ type: 'status', status: 'running' }, chunk('b', 0, 'Go'));
    await server.clock.advance(5_000);
    await server.put({ id: 'b', role: 'assistant', content: 'Gone on.' });
    await server.rest();
    expect(partsOf(chat)).toMatchObject([{ outcome: 'submitted' }, { text: 'Gone on.' }]);
    expect(chat.getState().status).toBe('idle');
  });

  it('does not come while the server still works on an answer', async () => {
    const { server, chat } = await openQuestion();
    let release = () => {};
    server.answer = ({ path }) =>
      path.endsWith('/client-tools/c1')
        ? new Promise((resolve) => {
            release = () => resolve(Response.json({ status: 'accepted' }));
          })
        : undefined;
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    server.calls = [];
    await server.send({ type: 'custom', eventType: 'client_tool_answered', data: { id: 'c1' } });
    for (let second = 0; second < 10; second += 1) {
      await server.clock.advance(1_000);
      await server.settle();
    }
    expect(chat.getState().status).toBe('streaming');
    server.status = 'running';
    release();
    await server.put({ id: 'b', role: 'assistant', content: 'Ordered.' });
    await server.rest();
    expect(chat.getState().status).toBe('idle');
    expect(partsOf(chat).at(-1)).toMatchObject({ text: 'Ordered.' });
  });

  it('comes two seconds after a stop tool, which leaves no message', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put(calling('a', 'c1', 'end_session'));
    await server.put({ id: 'r', role: 'tool', tool_call_id: 'c1', content: 'bye' });
    await server.rest();
    expect(chat.getState().status).toBe('streaming');
    await server.clock.advance(2_000);
    await server.settle();
    expect(chat.getState().status).toBe('idle');
  });

  it('is an error for a row that failed, and a retry posts the message under another id', async () => {
    const { server, chat, start } = openThread();
    const messageId = await start();
    const failed = { id: 'a', role: 'assistant', status: 'failed', content: null };
    await server.put({ ...failed, metadata: { error: 'The model is overloaded' } });
    await server.rest();
    expect(chat.getState().error).toMatchObject({
      code: 'backend_error',
      message: 'The model is overloaded',
    });
    chat.retry().catch(() => {});
    await server.settle();
    const retried = String(server.requestsTo('POST', '/messages')[1]?.body?.id);
    expect(retried).not.toBe(messageId);
    await server.put({ id: 'b', role: 'assistant', content: 'Hello.' });
    await server.rest();
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(partsOf(chat)).toMatchObject([{ text: 'Hello.' }]);
  });
});

describe('stops', () => {
  it('posts a stop to the thread', async () => {
    const { server, chat, start } = openThread();
    await start();
    chat.stop();
    await server.settle();
    expect(server.requestsTo('POST', '/stop').map(({ path }) => path)).toEqual(['/t1/stop']);
    expect(server.openStreams).toBe(0);
  });

  it('sends a message only after the stop of the run before, which would end the new run', async () => {
    const { server, chat, start } = openThread();
    await start();
    let release = () => {};
    server.answer = ({ path }) =>
      path.endsWith('/stop')
        ? new Promise((resolve) => {
            release = () => resolve(new Response(null, { status: 202 }));
          })
        : undefined;
    chat.stop();
    await start('Next');
    expect(server.requestsTo('POST', '/messages')).toHaveLength(1);
    release();
    await server.settle();
    expect(server.requestsTo('POST', '/messages')).toHaveLength(2);
  });

  it('sends a stop that failed once more before the next message', async () => {
    const { server, chat, start } = openThread();
    await start();
    server.answer = ({ path }) => (path.endsWith('/stop') ? new Response(null, { status: 503 }) : undefined);
    chat.stop();
    await server.settle();
    await start('Next');
    await server.put({ id: 'a', role: 'assistant', content: 'Hello.' });
    await server.rest();
    await start('Last');
    const order = server.requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
    expect(order.slice(2)).toEqual(['/t1/stop', '/t1/stop', '/t1/messages', '/t1/messages']);
  });

  it('stops a run whose message is still being posted, after the message', async () => {
    const { server, chat, start } = openThread();
    let release = () => {};
    server.answer = ({ method, path }) =>
      method === 'POST' && path.endsWith('/messages')
        ? new Promise((resolve) => {
            release = () => resolve(Response.json({ id: 'x' }, { status: 202 }));
          })
        : undefined;
    await start();
    chat.stop();
    await server.settle();
    expect(server.requestsTo('POST', '/stop')).toEqual([]);
    release();
    await server.settle();
    expect(server.requestsTo('POST', '/stop')).toHaveLength(1);
  });
});

describe('the stream', () => {
  it('is closed when the run is left at its first event', async () => {
    const { server, transport } = openThread();
    const io = createIO();
    const command = { type: 'trigger', triggerName: 'user-message', input: { USER_MESSAGE: 'Hi' } } as const;
    for await (const [event] of transport.run(command, io)) {
      expect(event?.type).toBe('start');
      expect(server.openStreams).toBe(1);
      break;
    }
    expect(server.openStreams).toBe(0);
  });

  it('answers a ping with a pong', async () => {
    const { server, start } = openThread();
    await start();
    await server.send({ type: 'ping' });
    expect(server.received).toEqual([{ type: 'pong' }]);
  });

  it('is opened again when a server that pings falls silent', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.send({ type: 'ping' });
    server.rows.push({
      id: 'a',
      role: 'assistant',
      content: 'Missed.',
      status: 'completed',
      created_at: STARTED_AT + 1,
    });
    await server.clock.advance(36_000);
    await server.settle();
    await server.clock.advance(1);
    await server.settle();
    expect(server.streams).toHaveLength(2);
    expect(partsOf(chat)).toMatchObject([{ text: 'Missed.' }]);
  });

  it('goes on with a text after a cut where it was, and shows nothing twice', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put({ id: 'z', role: 'assistant', content: 'First.' });
    await server.put({ id: 'a', role: 'assistant', status: 'pending', content: null });
    await server.send(chunk('a', 0, 'one '));
    await server.cut();
    await server.send(chunk('a', 0, 'one '), chunk('a', 1, 'two'));
    expect(partsOf(chat)).toMatchObject([{ text: 'First.' }, { text: 'one two' }]);
  });

  it('takes back the text of a message that a server lost in a crash and writes anew', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put({ id: 'a', role: 'assistant', status: 'pending', content: null });
    await server.send(chunk('a', 0, 'Half of'));
    server.rows = server.rows.filter(({ id }) => id !== 'a');
    await server.cut();
    await server.put({ id: 'b', role: 'assistant', content: 'Whole.' });
    const texts = partsOf(chat).map((part) => 'text' in part && part.text);
    expect(texts).toEqual(['', 'Whole.']);
  });

  it('shows the whole text of a message that its server does not list before it is complete', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.send(chunk('a', 0, 'Half '));
    await server.cut();
    await server.put({ id: 'a', role: 'assistant', content: 'Half and whole.' });
    const texts = partsOf(chat).map((part) => 'text' in part && part.text);
    expect(texts.join('')).toBe('Half and whole.');
  });

  it('passes custom events that are not of the kit to onUnknownEvent, and resources to onResourceUpdate', async () => {
    const { server, log, start } = openThread();
    await start();
    const progress = { type: 'custom', eventType: 'progress', data: 7 };
    const unusable = { type: 'custom', eventType: 'client_tool_request', data: { id: 'x' } };
    await server.send(progress, unusable, { type: 'later', value: 1 });
    await server.send({ type: 'custom', eventType: 'resource-update', data: { name: 'cart', value: [1] } });
    expect(log).toEqual([progress, unusable, { type: 'later', value: 1 }, ['cart', [1]]]);
  });
});

describe('a reload', () => {
  it('shows nothing twice, and what the run said meanwhile', async () => {
    const { server, start, reload } = openThread();
    await start();
    await server.put({
      id: 'z',
      role: 'assistant',
      content: 'First.',
      attachments: '[{"path":"/attachments/f"}]',
    });
    await server.put(calling('y', 'c0', 'lookup'));
    await server.put({ id: 'x', role: 'tool', tool_call_id: 'c0', content: '1' });
    await server.put({ id: 'n', role: 'assistant', content: 'Sub.', depth: 1, parent_id: 'p', name: 'sub' });
    const writing = { depth: 1, parent_id: 'q', name: 'other', status: 'pending', content: null };
    await server.put({ id: 'o', role: 'assistant', ...writing });
    await server.send(chunk('o', 0, 'Other '));
    await server.put({ id: 'a', role: 'assistant', status: 'pending', content: null });
    await server.send(chunk('a', 0, 'think', 'reasoning'), chunk('a', 1, 'one '));
    const chat = await reload();
    await server.send(chunk('a', 1, 'one '), chunk('a', 2, 'two'));
    await server.put({ id: 'o', role: 'assistant', ...writing, status: 'completed', content: 'Other sub.' });
    await server.put({ id: 'a', role: 'assistant', content: 'one two.', reasoning_content: 'thinking' });
    await server.put({ id: 'm', role: 'assistant', content: 'More.', depth: 1, parent_id: 'p', name: 'sub' });
    await server.put({ id: 'b', role: 'assistant', content: 'End.' });
    await server.rest();
    expect(chat.getState().status).toBe('idle');
    expect(partsOf(chat).map((part) => ('text' in part ? part.text : part.type))).toEqual([
      ...[
        'First.',
        'file',
        'tool-call',
        'operation',
        'Sub.',
        'operation',
        'Other sub.',
        'thinking',
        'one two.',
        'More.',
        'End.',
      ],
    ]);
  });

  it('keeps an open question, and asks once', async () => {
    const { server, reload } = await openQuestion();
    const chat = await reload();
    expect(chat.getState().status).toBe('awaiting-input');
    expect(chat.getState().pendingCalls).toHaveLength(1);
    chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    await server.settle();
    expect(server.requestsTo('POST', '/client-tools/c1')).toHaveLength(1);
  });

  it('does not ask again for a call that was answered, and runs no handler twice', async () => {
    let runs = 0;
    const { server, reload } = await openQuestion({ confirm: () => ++runs });
    const chat = await reload();
    expect([runs, chat.getState().pendingCalls.length]).toEqual([1, 0]);
    expect(server.requestsTo('POST', '/client-tools/c1')).toHaveLength(1);
  });

  it('closes a question that another page answered meanwhile', async () => {
    const { server, reload } = await openQuestion();
    server.calls = [];
    const chat = await reload();
    expect(chat.getState().pendingCalls).toEqual([]);
    expect(partsOf(chat)).toMatchObject([{ outcome: 'expired' }]);
  });

  it('goes on with the thread of the conversation', async () => {
    const { server, start, reload } = openThread();
    await start();
    await server.put({ id: 'a', role: 'assistant', content: 'Hello.' });
    await server.rest();
    const chat = await reload();
    chat.sendMessage('Again').catch(() => {});
    await server.settle();
    expect(server.requestsTo('POST', '/messages').map(({ path }) => path)).toEqual([
      '/t1/messages',
      '/t1/messages',
    ]);
  });
});
