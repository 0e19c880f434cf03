/** The migration guides show the pages that are played in a browser, and a server that takes over stored histories. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { afterEach, expect, test, vi } from 'vitest';
import * as zod from 'zod';
import { root } from '../../.scripts/package-entries.mjs';
import { type AgentChat, createAgentChat, createHttpTransport } from '../../src/core.ts';
import * as server from '../../src/server.ts';
import { listFiles } from '../support/list-files.ts';
import { isMigrationGuide, readDocs, readPage } from '../support/read-docs.ts';
import { createSampleHttp, runSample } from '../support/run-samples.ts';

const PAGES = 'test/agents/pages';
const guides = readDocs().filter(isMigrationGuide);
const played = listFiles(PAGES, /\.tsx$/).map((file) => path.basename(file));

/** Returns a page as a guide shows it: with its file name in place of the comment about the tests. */
function asShown(name: string): string {
  const source = readFileSync(path.join(root, PAGES, name), 'utf8');
  return `// src/${name}\n${source.replace(/^\/\*\*[\s\S]*?\*\/\n/, '')}`;
}

test.each(guides.map(({ document }) => document))(
  '%s shows a page before and after as they are played',
  (document) => {
    const { snippets } = readPage(document);
    const shown = snippets.filter(({ file = '' }) => played.includes(path.basename(file)));
    for (const { file = '', code } of shown) expect(code).toBe(asShown(path.basename(file)));
    const names = shown.map(({ file = '' }) => path.basename(file, '.tsx'));
    expect(names).toContain('view');
    expect(names.filter((name) => name.startsWith('moved-'))).toHaveLength(1);
    expect(names.length).toBeGreaterThan(2);
  },
);

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const run of cleanUp.splice(0)) run();
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** Starts the server of step two with a stored chat, and a model that says what it was told last. */
async function startStepTwo(stored: readonly object[]) {
  const http = createSampleHttp();
  const prompts: string[] = [];
  const model = new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      prompts.push(JSON.stringify(prompt));
      return {
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: 'Noted.' },
            { type: 'text-end', id: 't' },
            { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
          ],
          chunkDelayInMs: null,
          initialDelayInMs: null,
        }),
      };
    },
  });
  cleanUp.push(http.close);
  const readChat = async (id: string) => (id === 'chat-7' ? stored : undefined);
  runSample(readPage('docs/migrate-from-use-chat.md'), 'server.ts', {
    'node:http': http.module,
    'handrail/server': server,
    '@ai-sdk/openai-compatible': { createOpenAICompatible: () => () => model },
    zod,
    './chats.ts': { readChat },
  });
  const url = `http://${await http.address()}`;
  const open = (sessionId: string): AgentChat => {
    const transport = createHttpTransport({ url, body: { sessionId } });
    const chat = createAgentChat({
      id: sessionId,
      transport,
      clientTools: { locate: () => 'here' },
      openOnStart: true,
    });
    cleanUp.push(chat.destroy);
    return chat;
  };
  return { open, prompts };
}

/** Resolves once the state of the chat is as it should be. */
function until(
  chat: AgentChat,
  isReached: (state: ReturnType<AgentChat['getState']>) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isReached(chat.getState())) return;
      stop();
      resolve();
    };
    const stop = chat.subscribe(look);
    look();
  });
}

const STORED = [
  { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Pay 3' }] },
  {
    id: 'm2',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      {
        type: 'tool-pay',
        toolCallId: 'c1',
        state: 'approval-requested',
        input: { amount: 3 },
        approval: { id: 'a1' },
      },
    ],
  },
];

test('the server of step two goes on with a chat that was stored for useChat, and pays after a yes', async () => {
  const { open, prompts } = await startStepTwo(STORED);
  const chat = open('chat-7');
  await until(chat, ({ status }) => status === 'awaiting-input');
  expect(chat.getState().messages.map(({ id }) => id)).toEqual(['m1', 'm2']);
  const [call] = chat.getState().pendingCalls;
  expect(call?.args).toEqual({ amount: 3 });
  expect(call?.definition?.title).toBe('Pay');
  call?.submit({ confirmed: true });
  await until(
    chat,
    ({ messages, status }) => status === 'idle' && JSON.stringify(messages).includes('Noted.'),
  );
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toContain('Paid 3 EUR.');
});

test('the server of step two names what it could not take over, and imports a chat once', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const told = { id: 's1', role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] };
  const { open } = await startStepTwo([told, ...STORED]);
  for (const _ of [1, 2]) await until(open('chat-7'), ({ status }) => status === 'awaiting-input');
  expect(warn.mock.calls).toEqual([[expect.stringContaining('chat-7 s1 system: Left out')]]);
});

test('the server of step two begins a chat that nobody has stored', async () => {
  const { open } = await startStepTwo(STORED);
  const chat = open('chat-8');
  await chat.sendMessage('Hi');
  expect(chat.getState().messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
});

test('a chat says "streaming" behind the message of the person while useChat says "submitted"', async () => {
  let respond = (_: Response) => {};
  const request = () => new Promise<Response>((resolve) => (respond = resolve));
  const chat = createAgentChat({ transport: createHttpTransport({ request }) });
  cleanUp.push(chat.destroy);
  void chat.sendMessage('Hi').catch(() => {});
  await until(chat, ({ status }) => status === 'streaming');
  expect(chat.getState().messages.at(-1)?.role).toBe('user');
  respond(new Response());
});
