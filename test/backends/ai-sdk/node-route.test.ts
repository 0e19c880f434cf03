/** Pages of one conversation over a chat route on a node:http server: questions, approvals and reloads, as the server tells them. */
import { type ModelMessage, type ToolSet, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { pickQuestion } from '../../../src/components/client-tools/pick-question.ts';
import { type AgentChat, createAgentChat, createPersistence } from '../../../src/core.ts';
import { toNodeHandler } from '../../../src/server.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { type Listening, listen } from '../../integration/listen.ts';
import { untilAsked } from '../../support/until-question.ts';
import { untilStatus } from '../../support/until-status.ts';
import { type ChatRouteOptions, createChatRoute, type ModelStep } from './chat-route.ts';

const inputSchema = z.object({}).loose();
const clientTools = { choose: 'interactive' } as const;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A conversation on a server, and the pages that a person opens of it. */
async function visit(options: Pick<ChatRouteOptions, 'say'> & { paid?: unknown[] }) {
  const { say, paid = [] } = options;
  const pay = tool({ inputSchema, needsApproval: true, execute: async (args) => paid.push(args) });
  const tools = { choose: tool({ inputSchema }), pay } as unknown as ToolSet;
  const route = createChatRoute({ say, tools, keepsStreams: true });
  const server: Listening = await listen(toNodeHandler((request) => route.handle(request)));
  closing.push(() => server.close());
  const storage = createMemoryStorage();
  const open = (): AgentChat => {
    const page = createAgentChat({
      id: 'chat-7',
      transport: createAiSdkTransport({
        api: `http://127.0.0.1:${server.port}/api/chat`,
        resume: true,
        reconnect: { initialDelayMs: 1, maxDelayMs: 1 },
      }),
      clientTools,
      persistence: createPersistence({ storage, tabs: false }),
    });
    closing.push(() => page.destroy());
    return page;
  };
  return { open, bodies: route.bodies };
}

/** The results of tools that the model was told of since the last message of the person. */
function resultsIn(prompt: readonly ModelMessage[]): unknown[] {
  const since = prompt.slice(prompt.findLastIndex(({ role }) => role === 'user'));
  return since.flatMap(({ role, content }) =>
    role === 'tool' ? content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])) : [],
  );
}

/** Makes the calls of each step, one step after the other, and says at the end what came of them. */
const inSteps =
  (...steps: ModelStep[]): ChatRouteOptions['say'] =>
  (prompt) => {
    const results = resultsIn(prompt);
    const made = steps.findIndex((_, index) => results.length < steps.slice(0, index + 1).flat().length);
    return steps[made] ?? [`Got ${JSON.stringify(results)}`];
  };

const choose = (id: string, args: object = { question: 'Which size?', options: ['S', 'L'] }) => ({
  call: 'choose',
  id,
  args,
});
const pay = (id: string, amount: number) => ({ call: 'pay', id, args: { amount } });

const textOf = (page: AgentChat) =>
  (page.getState().messages.at(-1)?.parts ?? []).flatMap((part) => (part.type === 'text' ? part.text : []));

describe('a route of the AI SDK on node:http', () => {
  it('gets the id of the chat', async () => {
    const { open, bodies } = await visit({ say: () => ['Hello.'] });
    await open().sendMessage('Hi');
    expect(bodies[0]?.id).toBe('chat-7');
  });

  it('is told what the person picked of the options', async () => {
    const { open } = await visit({ say: inSteps([choose('c1')]) });
    const page = open();
    void page.sendMessage('Hi');
    const question = await untilAsked(page, 'c1');
    expect(pickQuestion(question)).toMatchObject({ kind: 'choice' });
    await question.submit({ selected: 'L' });
    await untilStatus(page, 'idle');
    expect(textOf(page).join('')).toContain('{"selected":"L"}');
  });

  it('runs the one of two calls that was allowed, and is told why not the other', async () => {
    const paid: unknown[] = [];
    const { open, bodies } = await visit({ say: inSteps([pay('c1', 1), pay('c2', 2)]), paid });
    const page = open();
    void page.sendMessage('Hi');
    await (await untilAsked(page, 'c1')).submit({ confirmed: true });
    expect(bodies).toHaveLength(1);
    (await untilAsked(page, 'c2')).decline('too much');
    await untilStatus(page, 'idle');
    expect(paid).toEqual([{ amount: 1 }]);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]?.messages.at(-1)?.parts.filter(({ type }) => type === 'tool-pay')).toMatchObject([
      { toolCallId: 'c1', approval: { approved: true } },
      { toolCallId: 'c2', approval: { approved: false, reason: 'too much' } },
    ]);
  });

  it('is answered together, where a choice and an approval are open at once', async () => {
    const paid: unknown[] = [];
    const { open, bodies } = await visit({ say: inSteps([choose('c1'), pay('c2', 2)]), paid });
    const page = open();
    void page.sendMessage('Hi');
    await (await untilAsked(page, 'c1')).submit({ selected: 'S' });
    await (await untilAsked(page, 'c2')).submit({ confirmed: true });
    await untilStatus(page, 'idle');
    expect(paid).toEqual([{ amount: 2 }]);
    expect(bodies).toHaveLength(2);
    expect(textOf(page).join('')).toContain('{"selected":"S"}');
  });

  it('goes on step by step over a reload with an open choice and one with an open approval', async () => {
    const paid: unknown[] = [];
    const { open, bodies } = await visit({ say: inSteps([choose('c1')], [pay('c2', 2)]), paid });
    const first = open();
    void first.sendMessage('Hi');
    await untilAsked(first, 'c1');
    first.destroy();
    const second = open();
    const question = await untilAsked(second, 'c1');
    expect(question.args).toEqual({ question: 'Which size?', options: ['S', 'L'] });
    await question.submit({ selected: 'L' });
    await untilAsked(second, 'c2');
    second.destroy();
    const third = open();
    await (await untilAsked(third, 'c2')).submit({ confirmed: true });
    await untilStatus(third, 'idle');
    expect(paid).toEqual([{ amount: 2 }]);
    expect(textOf(third).join('')).toContain('{"selected":"L"}');
    expect(third.getState().messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(bodies.map(({ id }) => id)).toEqual(['chat-7', 'chat-7', 'chat-7']);
  });

  it('gets an answer of before a reload together with the one of after it', async () => {
    const paid: unknown[] = [];
    const { open, bodies } = await visit({ say: inSteps([pay('c1', 1), pay('c2', 2)]), paid });
    const before = open();
    void before.sendMessage('Hi');
    await (await untilAsked(before, 'c1')).submit({ confirmed: true });
    before.destroy();
    const page = open();
    await (await untilAsked(page, 'c2')).submit({ confirmed: true });
    await untilStatus(page, 'idle');
    expect(paid).toEqual([{ amount: 1 }, { amount: 2 }]);
    expect(bodies).toHaveLength(2);
  });
});
