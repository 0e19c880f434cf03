/** Rows and frames of a thread (Standard Agents, sections "Messages and content" and "Provider-executed tools"). */
import { describe, expect, it } from 'vitest';
import { toMilliseconds } from '../../../src/backends/standard-agents/thread-row.ts';
import { calling, chunk, openThread, partsOf, STARTED_AT } from './support/thread-double.ts';

const pending = { id: 'a', role: 'assistant', status: 'pending', content: null };

describe('texts', () => {
  it('shows chunks in the order of their index: one behind a gap waits', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put(pending);
    await server.send(chunk('a', 0, 'one '), chunk('a', 2, 'three'));
    expect(partsOf(chat)).toMatchObject([{ text: 'one ' }]);
    await server.send(chunk('a', 1, 'two '), chunk('a', 1, 'two '), chunk('a', 0, 'one '));
    expect(partsOf(chat)).toMatchObject([{ type: 'text', text: 'one two three', status: 'streaming' }]);
  });

  it('shows chunks that arrive before the thread was read', async () => {
    const { server, chat } = openThread();
    server.answer = ({ method, path }) => {
      if (method === 'GET' && path.endsWith('/messages')) {
        server.answer = () => undefined;
        server.rows.push({ ...pending, created_at: STARTED_AT + 1 });
      }
      if (method === 'POST' && path.endsWith('/messages')) server.push(chunk('a', 0, 'Early '));
      return undefined;
    };
    chat.sendMessage('Hi').catch(() => {});
    await server.send(chunk('a', 1, 'bird'));
    expect(partsOf(chat)).toMatchObject([{ text: 'Early bird' }]);
  });

  it('replaces the text of the chunks by that of the row', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.send(chunk('a', 0, 'Hel'), chunk('a', 2, 'xx'));
    await server.put({ id: 'a', role: 'assistant', content: 'Hello.' });
    await server.send(chunk('a', 1, 'late'));
    expect(partsOf(chat)).toEqual([{ type: 'text', text: 'Hello.', status: 'done' }]);
  });

  it('shows reasoning in a part of its own, and the rest of it with the row', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.send(chunk('a', 0, 'Let ', 'reasoning'));
    await server.put({ id: 'a', role: 'assistant', content: 'Yes.', reasoning_content: 'Let me see' });
    expect(partsOf(chat)).toEqual([
      { type: 'reasoning', text: 'Let me see', status: 'done' },
      { type: 'text', text: 'Yes.', status: 'done' },
    ]);
  });

  it('hides silent rows, and rows of people and of the system', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put({ id: 's', role: 'assistant', content: 'secret', silent: true });
    await server.send(chunk('s', 0, 'secret'));
    await server.put({ id: 'u', role: 'user', content: 'of another page' });
    await server.put({ id: 'y', role: 'system', content: 'instructions' });
    await server.put({ id: 'a', role: 'assistant', content: 'Shown.' });
    expect(partsOf(chat)).toMatchObject([{ text: 'Shown.' }]);
  });

  it('shows nothing of the runs before its message', async () => {
    const { server, chat, start } = openThread();
    server.rows = [{ id: 'old', role: 'assistant', content: 'Before', status: 'completed', created_at: 1 }];
    await start();
    await server.send(chunk('old', 0, 'Before'));
    await server.put({ id: 'old', role: 'assistant', content: 'Before' });
    await server.put({ id: 'a', role: 'assistant', content: 'Now' });
    expect(partsOf(chat)).toMatchObject([{ text: 'Now' }]);
  });

  it('shows nothing while its message waits in the queue behind another run', async () => {
    const { server, chat, start } = openThread();
    server.answer = ({ method, path, body }) => {
      if (method !== 'POST' || !path.endsWith('/messages')) return undefined;
      server.rows.push({ ...body, status: 'pending', created_at: STARTED_AT });
      server.status = 'running';
      return Response.json({ id: body?.id }, { status: 202 });
    };
    const id = await start();
    await server.put({ id: 'other', role: 'assistant', content: 'Of the other run' });
    await server.put({ id, role: 'user', content: 'Hi' });
    await server.put({ id: 'a', role: 'assistant', content: 'Mine' });
    expect(partsOf(chat)).toMatchObject([{ text: 'Mine' }]);
  });
});

describe('tools of the server', () => {
  it('shows calls of a row, whose list and arguments are JSON text, and the rows with their results', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put(calling('a', 'c1', 'lookup', { what: 'price' }));
    expect(partsOf(chat)).toMatchObject([{ toolName: 'lookup', args: { what: 'price' }, status: 'running' }]);
    await server.put({
      id: 'r',
      role: 'tool',
      tool_call_id: 'c1',
      tool_status: 'success',
      content: '{"eur":3}',
    });
    expect(partsOf(chat)).toMatchObject([{ result: { eur: 3 }, status: 'done', executedBy: 'server' }]);
  });

  it('shows a result that is no JSON as text, and an error as an error', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put(calling('a', 'c1', 'lookup'));
    await server.put(calling('b', 'c2', 'lookup'));
    await server.put({ id: 'r', role: 'tool', tool_call_id: 'c1', content: 'three euros' });
    await server.put({
      id: 's',
      role: 'tool',
      tool_call_id: 'c2',
      tool_status: 'error',
      content: 'no stock',
    });
    expect(partsOf(chat)).toMatchObject([
      { result: 'three euros', status: 'done' },
      { error: 'no stock', status: 'error' },
    ]);
  });

  it('takes lists that are no JSON for none', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put({ id: 'a', role: 'assistant', content: 'Hm.', tool_calls: '[{', attachments: 'x' });
    await server.put({ id: 'b', role: 'assistant', content: 'So.', tool_calls: '[{"id":"c"},7]' });
    expect(partsOf(chat)).toMatchObject([{ text: 'Hm.' }, { text: 'So.' }]);
  });
});

describe('tools that the provider executed', () => {
  const tool = { id: 'p1', name: 'web_search', provider: 'openai', status: 'completed' };
  const result = { actions: [{ type: 'search', query: 'x' }], input: { q: 'x' } };

  it('shows a finished tool with its record, and asks nobody to run it', async () => {
    const ran: unknown[] = [];
    const { server, chat, start } = openThread({ web_search: () => ran.push(1) });
    await start();
    await server.put(pending);
    await server.send({ type: 'provider-tool-done', messageId: 'a', tool: { ...tool, result } });
    expect(partsOf(chat)).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'p1',
        toolName: 'provider:web_search',
        args: { q: 'x' },
        status: 'done',
        executedBy: 'provider',
        result: { actions: result.actions, provider: 'openai' },
      },
    ]);
    expect([ran, server.requestsTo('POST', '/client-tools/p1')]).toEqual([[], []]);
  });

  it('shows a tool that is in progress as running, and one that failed as failed', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put(pending);
    await server.send({
      type: 'provider-tool-done',
      messageId: 'a',
      tool: { ...tool, status: 'in_progress' },
    });
    expect(partsOf(chat)).toMatchObject([{ status: 'running', executedBy: 'provider' }]);
    const failed = { ...tool, status: 'failed', result: { output: 'quota' } };
    await server.send({ type: 'provider-tool-done', messageId: 'a', tool: failed });
    expect(partsOf(chat)).toMatchObject([{ status: 'error', error: 'quota' }]);
  });

  it('reads the name from the alias type of old logs, and the tools of a row that was missed', async () => {
    const { server, chat, start } = openThread();
    await start();
    const old = { id: 'p2', type: 'provider:code', status: 'completed' };
    await server.put({ id: 'a', role: 'assistant', content: null, metadata: { providerTools: [old, tool] } });
    expect(partsOf(chat)).toMatchObject([
      { toolName: 'provider:code', status: 'done' },
      { toolName: 'provider:web_search', status: 'done' },
    ]);
  });

  it('takes a call with the reserved prefix for one of the provider', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put(calling('a', 'c1', 'provider:web_search'));
    await server.put(calling('b', 'c2', 'mcp:docs/read'));
    expect(partsOf(chat).map((part) => 'executedBy' in part && part.executedBy)).toEqual(['provider', false]);
  });
});

describe('subagents and files', () => {
  it('shows rows at a depth in a thread of their own below the name of the subagent', async () => {
    const { server, chat, start } = openThread();
    await start();
    await server.put(pending);
    const nested = { depth: 1, parent_id: 'a', name: 'researcher' };
    await server.put({ id: 'n', role: 'assistant', content: 'Found it.', ...nested });
    await server.put({ id: 'm', role: 'assistant', content: 'Done.', ...nested });
    await server.put({ id: 'a', role: 'assistant', content: 'Here.' });
    expect(partsOf(chat)).toMatchObject([
      { type: 'operation', name: 'researcher', thread: 'a' },
      { text: 'Found it.', thread: 'a' },
      { text: 'Done.', thread: 'a' },
      { text: 'Here.' },
    ]);
    expect(partsOf(chat).at(-1)).not.toHaveProperty('thread');
  });

  it('shows rows below the call that started their subagent, and names it in a question', async () => {
    const { server, chat, start } = openThread({ confirm: 'interactive' });
    await start();
    await server.put(calling('a', 'c1', 'subagent_create', { name: 'researcher' }));
    await server.put(calling('n', 'c2', 'confirm', {}, { depth: 1, parent_id: 'c1', name: 'researcher' }));
    await server.ask({ id: 'c2', name: 'confirm' });
    expect(partsOf(chat)).toMatchObject([{ toolCallId: 'c1' }, { toolCallId: 'c2', thread: 'c1' }]);
    expect(chat.getState().pendingCalls[0]?.origin).toBe('researcher');
  });

  it('shows attachments of rows as files, and sends files of a message as attachments', async () => {
    const { server, chat } = openThread();
    const own = { id: 'f', mediaType: 'image/png', filename: 'a b.png', size: 3 };
    const url = 'http://agents.example/api/threads/t1/files/a%20b.png';
    const web = { id: 'w', mediaType: 'text/plain', url: 'https://f.example/x' };
    chat.sendMessage({ content: 'Look', files: [{ ...own, url }, web] }).catch(() => {});
    await server.settle();
    expect(server.requestsTo('POST', '/messages')[0]?.body?.attachments).toEqual([
      {
        id: 'f',
        type: 'file',
        path: '/attachments/a b.png',
        name: 'a b.png',
        mimeType: 'image/png',
        size: 3,
      },
      { id: 'w', type: 'file', path: 'https://f.example/x', name: 'w', mimeType: 'text/plain' },
    ]);
    const file = {
      id: 'f',
      type: 'file',
      path: '/attachments/a b.png',
      name: 'a b.png',
      mimeType: 'image/png',
    };
    await server.put({ id: 'a', role: 'assistant', content: null, attachments: JSON.stringify([file]) });
    expect(partsOf(chat)).toEqual([
      { type: 'file', id: 'f', mediaType: 'image/png', filename: 'a b.png', url },
    ]);
  });
});

describe('times and usage', () => {
  it('takes a time above 1e14 for microseconds, and any other for milliseconds', () => {
    expect([1_767_225_600_000_000, 1_767_225_600_000, 1e14].map(toMilliseconds)).toEqual([
      1_767_225_600_000, 1_767_225_600_000, 1e14,
    ]);
    expect(['1', Number.NaN, undefined].map(toMilliseconds)).toEqual([undefined, undefined, undefined]);
  });

  it('adds up the tokens of all requests of the run', async () => {
    const { server, chat, start } = openThread();
    await start();
    const telemetry = {
      type: 'telemetry',
      model: 'm',
      inputTokens: 10,
      outputTokens: 2,
      cost: 0.1,
      cached: 4,
    };
    await server.send(telemetry, { ...telemetry, cached: undefined });
    expect(chat.getState().usage).toEqual({
      model: 'm',
      inputTokens: 20,
      outputTokens: 4,
      totalTokens: 24,
      cachedInputTokens: 4,
      turns: 2,
    });
  });
});
