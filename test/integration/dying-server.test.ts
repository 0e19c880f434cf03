/** A server that dies after it kept a question and before it told anybody, with a store that keeps records alone. */
import { expect, test } from 'vitest';
import { createNodeHandler } from '../../src/server/http/create-node-handler.ts';
import { createScriptedAgent } from '../../src/server/scripted/create-scripted-agent.ts';
import { createAgentSession } from '../../src/server/sessions/create-agent-session.ts';
import type { SessionStore } from '../../src/server/sessions/session-store.ts';
import { createHttpTransport } from '../../src/transport/create-http-transport.ts';
import { createDeferred } from '../support/deferred.ts';
import { reconnect, SESSION } from './connect.ts';
import { listen } from './listen.ts';
import { findPending, isAwaiting, openChat, readStatuses, readText } from './open-chat.ts';

/** Says no more as soon as it has kept its question. */
async function openDyingServer() {
  const rows = new Map<string, string>();
  const kept = createDeferred();
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
        if (!dies || record.execution?.state !== 'waiting') return;
        kept.resolve();
        await new Promise(() => {});
      },
    };
    return createAgentSession({ id: SESSION, agent, store, tools: { count: () => 2 } });
  };
  let session = openProcess(true);
  const server = await listen(createNodeHandler(() => session));
  return {
    ...server,
    answers,
    kept: kept.promise,
    /** Another process takes over. */
    die() {
      session = openProcess(false);
      server.cut();
    },
  };
}

/** What comes after these words in the first response never arrives. */
function createLossyFetch(lostFrom = '\0'): typeof fetch {
  let isLossy = true;
  return async (...args) => {
    const response = await fetch(...args);
    if (!isLossy || response.body === null) return response;
    isLossy = false;
    let isLost = false;
    const lose = new TransformStream<string, string>({
      transform(chunk, controller) {
        const [heard = '', ...rest] = isLost ? [] : chunk.split(lostFrom);
        isLost ||= rest.length > 0;
        controller.enqueue(heard);
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
  ['everything before it was heard', undefined, 'Two of them.', ['done', 'running'], []],
  ['words before it are lost', '"them.', 'Two of ', ['running'], ['events_lost']],
])(
  'the question is asked by the next process, and answered once, where %s',
  async (_, lostFrom, words, statuses, notices) => {
    const server = await openDyingServer();
    const transport = createHttpTransport({
      url: `http://127.0.0.1:${server.port}/api/agent`,
      body: { sessionId: SESSION },
      fetch: createLossyFetch(lostFrom),
      reconnect,
    });
    const { chat, heard, until } = openChat({ transport, close: server.close }, { confirm: 'interactive' });
    void chat.sendMessage('Order');
    await Promise.all([server.kept, until((state) => readText(state) === words)]);
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
    expect(heard).toEqual(['finish stop']);
  },
);
