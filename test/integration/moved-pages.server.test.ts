/** Pages of the AI SDK and of AG-UI's client, and the same pages moved by the tables of docs/migrate-from-*.md: the server and the person notice no difference. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ModelMessage, type ToolSet, tool } from 'ai';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, createAgentRoute, interrupted, resultsOf, text } from '../backends/ag-ui/agent-route.ts';
import { type ChatRouteOptions, createChatRoute } from '../backends/ai-sdk/chat-route.ts';
import { type PageServer, type Pages, startPages } from './serve-page.ts';

const closing: (() => Promise<unknown>)[] = [];
let pages: Pages;
beforeAll(async () => {
  pages = await startPages('use-chat', 'moved-from-use-chat', 'http-agent', 'copilot-kit', 'moved-to-ag-ui');
  return () => pages.stop();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(...args: Parameters<Pages['serve']>): Promise<PageServer> {
  const server = await pages.serve(...args);
  closing.push(() => server.close());
  return server;
}

/** Replaces ids that a page has drawn by their number, so that two pages can be compared. */
function numberIds(value: unknown): unknown {
  const known = new Map<string, string>();
  const number = (id: string) => known.get(id) ?? known.set(id, `#${known.size + 1}`).get(id);
  const isDrawn = (key: string, id: unknown): id is string =>
    typeof id === 'string' && /^(id|messageId|runId|parentRunId)$/.test(key) && /^[\w-]{16,}$/.test(id);
  return JSON.parse(JSON.stringify(value, (key, id) => (isDrawn(key, id) ? number(id) : id)));
}

const lastUserText = (prompt: readonly ModelMessage[]): string =>
  JSON.stringify(prompt.findLast(({ role }) => role === 'user')?.content);

const say: ChatRouteOptions['say'] = (prompt) => {
  const said = lastUserText(prompt);
  const latest = prompt.at(-1);
  if (latest?.role === 'tool') return [`Got ${JSON.stringify(latest.content)}.`];
  if (said.includes('Pay'))
    return ['Let me pay. ', { call: 'pay', id: `pay-${prompt.length}`, args: { amount: 3 } }];
  if (said.includes('Where')) return ['Let me see. ', { call: 'locate', id: `locate-${prompt.length}` }];
  return [{ reasoning: 'Easy.' }, 'Hello. ', 'Goodbye.'];
};

const inputSchema = z.object({}).loose();

interface ChatServer {
  readonly server: PageServer;
  readonly route: ReturnType<typeof createChatRoute>;
  readonly paid: unknown[];
  readonly resumed: string[];
}

/** @param stored the messages that the app has stored. `stalls`: the response to a POST stays open behind its first text */
async function serveChat(stored: readonly object[] = [], stalls = false): Promise<ChatServer> {
  const paid: unknown[] = [];
  const resumed: string[] = [];
  const pay = tool({ inputSchema, needsApproval: true, execute: async (args) => paid.push(args) });
  const tools = { pay, locate: tool({ inputSchema }) } as unknown as ToolSet;
  const route = createChatRoute({ say, tools, keepsStreams: true, forgetsEnded: !stalls });
  const server = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/stored') return Response.json(stored);
    if (request.method === 'GET') resumed.push(pathname);
    const response = await route.handle(request);
    return stalls && request.method === 'POST' ? stalledBehind('Hello. ', response) : response;
  });
  return { server, route, paid, resumed };
}

/** Passes a response on as far as a text, and then nothing, as a slow model does. */
async function stalledBehind(said: string, response: Response): Promise<Response> {
  const [before] = (await response.text()).split(said);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`${before}${said}"}\n\n`)),
  });
  return new Response(body, response);
}

/** Does the same with both pages, each with a server of its own, and returns what the person and the server saw. */
async function onBothChats<Seen>(
  act: (chat: ChatServer, open: () => ReturnType<PageServer['open']>) => Promise<Seen>,
  ...args: Parameters<typeof serveChat>
) {
  const results = [];
  for (const name of ['use-chat', 'moved-from-use-chat']) {
    const chat = await serveChat(...args);
    const seen = await act(chat, () => chat.server.open(name));
    const { route, paid, resumed } = chat;
    results.push({ seen, bodies: numberIds(route.bodies), paid, resumed });
  }
  const [before, moved] = results;
  if (before === undefined || moved === undefined) throw new Error('A page is missing.');
  return { before, moved };
}

describe('a page that is moved from useChat', () => {
  it('shows and posts the same messages under the id of the chat, with the metadata of the server', async () => {
    const { before, moved } = await onBothChats(async (_, open) => {
      const page = await open();
      await page.send('Hi');
      await page.untilShown('Goodbye.');
      await page.send('Hi again');
      await page.page.locator('li').nth(3).waitFor();
      return page.untilShown('Goodbye.');
    });
    expect(moved).toEqual(before);
    expect(before.bodies).toMatchObject([{ id: 'chat-7' }, { id: 'chat-7', messages: { length: 3 } }]);
    expect(before.seen[1]?.metadata).toHaveProperty('usage');
  });

  it('begins with what the app has stored, and posts it', async () => {
    const stored = [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'My name is Ann.' }] },
      {
        id: 'm2',
        role: 'assistant',
        metadata: { rating: 5 },
        parts: [{ type: 'step-start' }, { type: 'text', text: 'Hello Ann.', state: 'done' }],
      },
    ];
    const { before, moved } = await onBothChats(async (_, open) => {
      const page = await open();
      const first = await page.untilShown('Hello Ann.');
      await page.send('What is my name?');
      return [first, await page.untilShown('Goodbye.')];
    }, stored);
    expect(moved).toEqual(before);
    expect(before.bodies).toMatchObject([{ messages: [...stored, { role: 'user' }] }]);
  });

  it('goes on with an answer that streams while the page is opened', async () => {
    const stored = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }];
    const { before, moved } = await onBothChats(
      async ({ route }, open) => {
        await route.fetch('/api/chat', {
          method: 'POST',
          body: JSON.stringify({ id: 'chat-7', messages: stored, trigger: 'submit-message' }),
        });
        const page = await open();
        const seen = await page.untilShown('Goodbye.');
        await page.send('Hi again');
        await page.page.locator('li').nth(3).waitFor();
        return seen;
      },
      stored,
      true,
    );
    expect(moved).toEqual(before);
    expect(before.resumed.at(-1)).toBe('/api/chat/chat-7/stream');
    expect(before.seen.map(({ text: said }) => said)).toEqual(['Hi', 'Hello. Goodbye.']);
  });

  it.each(['Allow', 'Decline'] as const)('answers an approval with %s', async (button) => {
    const { before, moved } = await onBothChats(async (_, open) => {
      const page = await open();
      await page.send('Pay');
      await page.untilShown('pay {"amount":3}');
      await page.press(button);
      return page.untilShown('Got ');
    });
    expect(moved).toEqual(before);
    expect(before.paid).toEqual(button === 'Allow' ? [{ amount: 3 }] : []);
  });

  it('asks an approval that is open in what the app has stored', async () => {
    const stored = [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Pay' }] },
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
    const { before, moved } = await onBothChats(async (_, open) => {
      const page = await open();
      await page.untilShown('pay {"amount":3}');
      await page.press('Allow');
      return page.untilShown('Got ');
    }, stored);
    // The moved page asks for no stream: its question says that none goes on.
    expect({ ...moved, resumed: before.resumed }).toEqual(before);
    expect(before.paid).toEqual([{ amount: 3 }]);
  });

  it('runs a tool of the page, and posts its output', async () => {
    const { before, moved } = await onBothChats(async (_, open) => {
      const page = await open();
      await page.send('Where am I?');
      return page.untilShown('Got ');
    });
    expect(moved).toEqual(before);
    expect(before.bodies).toHaveLength(2);
  });

  it('posts and shows files as data URLs', async () => {
    const file = path.join(tmpdir(), `handrail-note-${process.pid}.txt`);
    writeFileSync(file, 'A note.');
    const { before, moved } = await onBothChats(async (_, open) => {
      const page = await open();
      await page.send('Look', [file]);
      return page.untilShown('Goodbye.');
    });
    expect(moved).toEqual(before);
    expect(before.seen[0]?.files).toEqual([`data:text/plain;base64,${btoa('A note.')}`]);
  });
});

/** An agent that pays what was allowed, and asks the page where it is. */
const agent: Parameters<typeof createAgentRoute>[0] = ({ messages, resume = [] }) => {
  const [answer] = resume;
  const turn = messages.filter(({ role }) => role === 'user').length;
  if (answer !== undefined) {
    const content = JSON.stringify(answer.payload ?? answer.status);
    return [
      { type: 'TOOL_CALL_RESULT', messageId: `r${turn}`, toolCallId: `pay-${turn}`, content },
      ...text(`t${turn}`, `Got ${content}.`),
    ];
  }
  const said = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
  const results = resultsOf({ messages } as Parameters<typeof resultsOf>[0]);
  if (messages.at(-1)?.role === 'tool') return text(`t${turn}`, `Got ${JSON.stringify(results)}.`);
  if (said.includes('Where'))
    return [...text(`w${turn}`, 'Let me see. '), ...call(`locate-${turn}`, 'locate')];
  if (!said.includes('Pay')) return text(`t${turn}`, 'Hello.');
  const responseSchema = {
    type: 'object',
    properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
    required: ['approved'],
  };
  return [
    ...text(`p${turn}`, 'Let me pay. '),
    ...call(`pay-${turn}`, 'pay', { amount: 3 }, `p${turn}`),
    interrupted({
      id: `int-${turn}`,
      reason: 'tool_call',
      toolCallId: `pay-${turn}`,
      message: 'Pay 3?',
      responseSchema,
    }),
  ];
};

async function onBothAgents<Seen>(
  act: (open: () => ReturnType<PageServer['open']>) => Promise<Seen>,
  stored: readonly object[] = [],
  original: 'http-agent' | 'copilot-kit' = 'http-agent',
) {
  const results = [];
  for (const name of [original, 'moved-to-ag-ui']) {
    const route = createAgentRoute(agent);
    const server = await serve(async (request) =>
      request.url.endsWith('/stored') ? Response.json(stored) : route.handle(request),
    );
    const seen = await act(() => server.open(name));
    results.push({ seen, inputs: route.inputs });
  }
  const [before, moved] = results;
  if (before === undefined || moved === undefined) throw new Error('A page is missing.');
  return { before, moved };
}

/** What both pages must post alike. Each names the results of its tools; the moved one says its version, and which run it resumes. */
const posted = (inputs: ReturnType<typeof createAgentRoute>['inputs']) =>
  numberIds(
    inputs.map(({ messages, threadId, tools, context, state, forwardedProps, resume }) => ({
      messages: messages.map((message) => (message.role === 'tool' ? { ...message, id: 'result' } : message)),
      ...{ threadId, tools, context, state, forwardedProps, resume },
    })),
  );

describe("a page that is moved from AG-UI's client", () => {
  it('shows and posts the same messages under the id of the chat', async () => {
    const { before, moved } = await onBothAgents(async (open) => {
      const page = await open();
      await page.send('Hi');
      await page.untilShown('Hello.');
      await page.send('Hi again');
      await page.page.locator('li').nth(3).waitFor();
      return page.untilShown('Hello.');
    });
    expect(moved.seen).toEqual(before.seen);
    expect(posted(moved.inputs)).toEqual(posted(before.inputs));
    expect(before.inputs).toMatchObject([{ threadId: 'chat-7' }, { threadId: 'chat-7' }]);
  });

  it('begins with what the app has stored, and posts it', async () => {
    const stored = [
      { id: 'm1', role: 'user', content: 'My name is Ann.' },
      { id: 'm2', role: 'assistant', content: 'Hello Ann.' },
    ];
    const { before, moved } = await onBothAgents(async (open) => {
      const page = await open();
      const first = await page.untilShown('Hello Ann.');
      await page.send('What is my name?');
      await page.page.locator('li').nth(3).waitFor();
      return [first, await page.untilShown('Hello.')];
    }, stored);
    expect(moved.seen).toEqual(before.seen);
    expect(posted(moved.inputs)).toEqual(posted(before.inputs));
  });

  it.each(['Allow', 'Decline'] as const)('answers an interrupt with %s', async (button) => {
    const { before, moved } = await onBothAgents(async (open) => {
      const page = await open();
      await page.send('Pay');
      await page.untilShown('Pay 3?');
      await page.press(button);
      return page.untilShown('Got ');
    });
    expect(moved.seen).toEqual(before.seen);
    expect(posted(moved.inputs)).toEqual(posted(before.inputs));
    expect(before.inputs[1]?.resume).toMatchObject([{ interruptId: 'int-1', status: 'resolved' }]);
  });

  it('runs a tool of the page, and posts its result', async () => {
    const { before, moved } = await onBothAgents(async (open) => {
      const page = await open();
      await page.send('Where am I?');
      return page.untilShown('Got ');
    });
    expect(moved.seen).toEqual(before.seen);
    expect(posted(moved.inputs)).toEqual(posted(before.inputs));
    expect(before.inputs).toHaveLength(2);
  });
});

/**
 * What both pages must post alike. CopilotKit describes tools and contexts in words of its own, and posts what a person answered twice: as
 * `resume`, and as the result of the call.
 */
const postedByHooks = (inputs: ReturnType<typeof createAgentRoute>['inputs']) =>
  numberIds(
    inputs.map(({ messages, threadId, tools, context, resume }) => ({
      messages: messages
        .filter(({ role }) => role !== 'tool' || resume === undefined)
        .map(({ id: _, ...message }) => message),
      tools: tools.map(({ name, description }) => [name, description]),
      context: context.map(({ description, value }) => [description, String(value).replaceAll('"', '')]),
      ...{ threadId, resume },
    })),
  );

describe('a page that is moved from CopilotKit', () => {
  it.each([
    ['talks', ['Hi', 'Hi again'], 'Hello.', undefined],
    ['runs a tool of the page', ['Where am I?'], 'Got ', undefined],
    ['allows what the agent asks', ['Pay'], 'Pay 3?', 'Allow'],
    ['declines what the agent asks', ['Pay'], 'Pay 3?', 'Decline'],
  ] as const)('%s, and posts the same', async (_, said, shown, button) => {
    const { before, moved } = await onBothAgents(
      async (open) => {
        const page = await open();
        for (const [index, text] of said.entries()) {
          await page.send(text);
          await page.page
            .locator('li')
            .nth(2 * index + 1)
            .waitFor();
          await page.untilShown(shown);
        }
        if (button === undefined) return page.untilShown(shown);
        await page.press(button);
        return page.untilShown('Got ');
      },
      [],
      'copilot-kit',
    );
    expect(moved.seen).toEqual(before.seen);
    expect(postedByHooks(moved.inputs)).toEqual(postedByHooks(before.inputs));
    expect(before.inputs.map(({ threadId }) => threadId)).toEqual(before.inputs.map(() => 'chat-7'));
  });

  it('begins with what the app has stored, and posts it', async () => {
    const stored = [
      { id: 'm1', role: 'user', content: 'My name is Ann.' },
      { id: 'm2', role: 'assistant', content: 'Hello Ann.' },
    ];
    const { before, moved } = await onBothAgents(
      async (open) => {
        const page = await open();
        const first = await page.untilShown('Hello Ann.');
        await page.send('What is my name?');
        await page.page.locator('li').nth(3).waitFor();
        return [first, await page.untilShown('Hello.')];
      },
      stored,
      'copilot-kit',
    );
    expect(moved.seen).toEqual(before.seen);
    expect(postedByHooks(moved.inputs)).toEqual(postedByHooks(before.inputs));
  });
});
