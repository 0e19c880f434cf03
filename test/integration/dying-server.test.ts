/** A server that dies after it saved a question and before it sent it, with a store that has records but no event log. */
import { expect, test } from 'vitest';
import { createHttpTransport } from '../../src/core/transport/create-http-transport.ts';
import { createNodeHandler } from '../../src/server/http/create-node-handler.ts';
import { createScriptedAgent } from '../../src/server/scripted/create-scripted-agent.ts';
import { createAgentSession } from '../../src/server/sessions/create-agent-session.ts';
import type { SessionStore } from '../../src/server/store/session-store.ts';
import { createDeferred } from '../support/deferred.ts';
import { reconnect, SESSION } from './connect.ts';
import { listen } from './listen.ts';
import { findPending, isAwaiting, openChat, readStatuses, readText } from './open-chat.ts';

/** Sends nothing more once it has saved its question. */
async function openDyingServer() {
  const rows = new Map<string, string>();
  const saved = createDeferred();
  const answers: unknown[] = [];
  const agent = createScriptedAgent([
    'Two of them.',
    { call: 'count' },
    { call: 'confirm', args: { what: 'two' } },
    ({ results }) => {
      answers.push(...results.map(({ result }) => result));
      return 'Done.';
    },
  ]);
  const openProcess = (dies: boolean) => {
    const store: SessionStore = {
      load: async (id) => JSON.parse(rows.get(id) ?? 'null'),
      async save(id, record) {
        rows.set(id, JSON.stringify(record));
        if (!dies || record.execution?.state !== 'waiting') return true;
        saved.resolve();
        return new Promise(() => {});
      },
    };
    return createAgentSession({ id: SESSION, agent, store, tools: { count: () => 2 } });
  };
  let session = openProcess(true);
  const server = await listen(createNodeHandler(() => session));
  return {
    ...server,
    answers,
    saved: saved.promise,
    /** Starts another process. */
    die() {
      session = openProcess(false);
      server.cut();
    },
  };
}

/** The first response is cut after this text. */
function createLossyFetch(lostFrom = '\0'): typeof fetch {
  let isLossy = true;
  return async (...args) => {
    const response = await fetch(...args);
    if (!isLossy || response.body === null) return response;
    isLossy = false;
    let isLost = false;
    const lose = new TransformStream<string, string>({
      transform(chunk, controller) {
        const [sent = '', ...rest] = isLost ? [] : chunk.split(lostFrom);
        isLost ||= rest.length > 0;
        controller.enqueue(sent);
      },
    });
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(lose)
      .pipeThrough(new TextEncoderStream());
    return new Response(body, response);
  };
}

test.each([
  ['the client has all earlier events', undefined, 'Two of them.', ['done', 'running'], []],
  ['the client missed earlier events', '"them.', 'Two of ', ['running'], ['events_lost']],
])(
  'the next process asks the saved question, and it is answered once, when %s',
  async (_, lostFrom, words, statuses, notices) => {
    const server = await openDyingServer();
    const transport = createHttpTransport({
      url: `http://127.0.0.1:${server.port}/api/agent`,
      body: { sessionId: SESSION },
      fetch: createLossyFetch(lostFrom),
      reconnect,
    });
    const { chat, callbacks, until } = openChat(
      { transport, close: server.close },
      { confirm: 'interactive' },
    );
    void chat.sendMessage('Order');
    await Promise.all([server.saved, until((state) => readText(state) === words)]);
    server.die();
    const asked = await until(isAwaiting);
    expect([readText(asked), readStatuses(asked), asked.notices.map(({ code }) => code)]).toEqual([
      words,
      statuses,
      notices,
    ]);
    const question = findPending(asked, 'confirm');
    expect(question.args).toEqual({ what: 'two' });
    question.submit('yes');
    const done = await until(({ status }) => status === 'idle');
    expect(readText(done)).toBe(`${words}Done.`);
    expect(server.answers).toEqual([2, 'yes']);
    expect(callbacks).toEqual(['finish stop']);
  },
);
