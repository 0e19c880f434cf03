/** Agents of Mastra whose tools suspend, behind its AG-UI bridge: `POST /outcome/<agent>` (its default), and `POST /legacy/<agent>` by custom events alone. */
import { MastraAgent } from '@ag-ui/mastra';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { z } from 'zod';
import { serveAgents } from '../serve-agents.mjs';

/** Pays only what a person has allowed. */
const refund = createTool({
  id: 'refund',
  description: 'Pays money back.',
  inputSchema: z.object({ amount: z.number() }),
  suspendSchema: z.object({ question: z.string() }),
  resumeSchema: z.object({ approved: z.boolean() }),
  execute: async ({ amount }, { agent }) => {
    if (agent?.resumeData === undefined) return agent?.suspend({ question: `Pay ${amount} back?` });
    return agent.resumeData.approved ? { paid: amount } : { paid: 0 };
  },
});

/** Asks for a text, and for a choice. */
const book = createTool({
  id: 'book',
  description: 'Books a room.',
  inputSchema: z.object({ nights: z.number() }),
  suspendSchema: z.object({ message: z.string() }),
  resumeSchema: z.object({ name: z.string(), bed: z.enum(['single', 'double']) }),
  execute: async ({ nights }, { agent }) => {
    if (agent?.resumeData === undefined) return agent?.suspend({ message: 'Who sleeps where?' });
    return { nights, ...agent.resumeData };
  },
});

/** Suspends, and says in no schema what it waits for. */
const wait = createTool({
  id: 'wait',
  description: 'Waits for a person.',
  inputSchema: z.object({}),
  execute: async (_, { agent }) => {
    if (agent?.resumeData === undefined)
      return agent?.suspend({ question: 'Anything else?', options: ['tea', 'cake'] });
    return { heard: agent.resumeData };
  },
});

const tools = { refund, book, wait };
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};

/** @param {readonly { readonly id: string, readonly name: keyof typeof tools, readonly args: object }[]} calls */
function createModel(...calls) {
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      const since = prompt.slice(prompt.findLastIndex(({ role }) => role === 'user') + 1);
      const outputs = since
        .flatMap(({ role, content }) => (role === 'tool' ? content : []))
        .map((part) => JSON.stringify(part.output?.value));
      const turn = prompt.filter(({ role }) => role === 'user').length;
      const isOver = outputs.length > 0;
      const says = isOver ? `Results: ${outputs.join(' ')}` : 'Let me see. ';
      const chunks = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: says },
        { type: 'text-end', id: 't' },
        ...(isOver ? [] : calls).map(({ id, name, args }) => ({
          type: 'tool-call',
          toolCallId: `${id}-${turn}`,
          toolName: name,
          input: JSON.stringify(args),
        })),
        { type: 'finish', finishReason: { unified: isOver ? 'stop' : 'tool-calls', raw: '' }, usage },
      ];
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
}

/** @type {Readonly<Record<string, Parameters<typeof createModel>>>} */
const calls = {
  refund: [{ id: 'refund', name: 'refund', args: { amount: 3 } }],
  book: [{ id: 'book', name: 'book', args: { nights: 2 } }],
  wait: [{ id: 'wait', name: 'wait', args: {} }],
  both: [
    { id: 'refund', name: 'refund', args: { amount: 3 } },
    { id: 'book', name: 'book', args: { nights: 2 } },
  ],
};

const mastra = new Mastra({
  logger: false,
  storage: new InMemoryStore(),
  agents: Object.fromEntries(
    Object.entries(calls).map(([name, scripted]) => [
      name,
      new Agent({ id: name, name, instructions: 'Help.', model: createModel(...scripted), tools }),
    ]),
  ),
});

await serveAgents(
  Object.fromEntries(
    Object.keys(calls).flatMap((name) => {
      const agent = mastra.getAgent(name);
      return [
        [`outcome/${name}`, () => new MastraAgent({ agent })],
        [`legacy/${name}`, () => new MastraAgent({ agent, emitInterruptOutcome: false })],
      ];
    }),
  ),
);
