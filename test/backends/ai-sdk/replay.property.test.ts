/** A replay may come in other pieces than the first time: it is rebuilt, so that no text is lost and none is doubled. */
import { describe, expect, it } from 'vitest';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { createAgentChat } from '../../../src/core.ts';
import fc from '../../support/fast-check.ts';
import type { Chunk, Posted } from './scripted-route.ts';

type Item = { readonly text: string } | { readonly call: number } | { readonly data: number } | 'step';

const item: fc.Arbitrary<Item> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ text: fc.string({ minLength: 1, maxLength: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ call: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ data: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constant('step' as const) },
);

/** Writes the items as chunks. `sizes` says how long the pieces of the texts are. */
function toChunks(items: readonly Item[], sizes: readonly number[]): Chunk[] {
  let next = 0;
  const pieces = (text: string) => {
    const deltas: string[] = [];
    for (let rest = text; rest !== ''; ) {
      const size = sizes.length === 0 ? rest.length : (sizes[next++ % sizes.length] ?? 1);
      deltas.push(rest.slice(0, size));
      rest = rest.slice(size);
    }
    return deltas;
  };
  const body = items.flatMap((entry, index): Chunk[] => {
    if (entry === 'step') return [{ type: 'finish-step' }, { type: 'start-step' }];
    if ('data' in entry) return [{ type: 'data-x', id: String(entry.data), data: index }];
    if ('call' in entry) {
      const toolCallId = `c${index}`;
      return [
        { type: 'tool-input-available', toolCallId, toolName: 'search', input: { entry } },
        { type: 'tool-output-available', toolCallId, output: index },
      ];
    }
    const deltas = pieces(entry.text).map((delta) => ({ type: 'text-delta', id: `t${index}`, delta }));
    return [{ type: 'text-start', id: `t${index}` }, ...deltas, { type: 'text-end', id: `t${index}` }];
  });
  return [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, ...body, { type: 'finish' }];
}

function toResponse(chunks: readonly Chunk[], isWhole: boolean): Response {
  const frames = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  return new Response(`${frames}${isWhole ? 'data: [DONE]\n\n' : ''}`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}

/** Reads a response over its cuts, and returns the page and the message that the next request posts. */
async function read(responses: readonly Response[]) {
  const left = [...responses];
  const bodies: Posted[] = [];
  const chat = createAgentChat({
    transport: createAiSdkTransport({
      fetch: async (_, init) => {
        if (init?.body) bodies.push(JSON.parse(String(init.body)));
        return left.shift() ?? toResponse([], true);
      },
      resume: true,
      reconnect: { initialDelayMs: 0, maxDelayMs: 0, maxAttempts: 99 },
    }),
  });
  await chat.sendMessage('Hi');
  const { messages, status } = chat.getState();
  await chat.sendMessage('Again');
  const posted = bodies[1]?.messages.find(({ role }) => role === 'assistant');
  chat.destroy();
  return { status, parts: messages[1]?.parts, posted };
}

describe('a response that is cut anywhere and replayed in other pieces', () => {
  it('leaves the page and the history as if it had not been cut', async () => {
    const cut = fc.record({
      at: fc.nat(60),
      sizes: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 8 }),
        fc.array(cut, { minLength: 1, maxLength: 3 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
        async (items, cuts, sizes) => {
          const whole = toChunks(items, sizes);
          const halves = cuts.map(({ at, sizes: others }) => {
            const chunks = toChunks(items, others);
            return toResponse(chunks.slice(0, at % chunks.length), false);
          });
          const expected = await read([toResponse(whole, true)]);
          const actual = await read([...halves, toResponse(whole, true)]);
          expect(actual).toEqual(expected);
          expect(actual.status).toBe('idle');
        },
      ),
      { numRuns: 100 },
    );
  }, 60_000);

  it('the words of a cut text come as one piece', async () => {
    const items = [{ text: 'Hello world' }];
    const cut = toResponse(toChunks(items, [5]).slice(0, 4), false);
    const { parts } = await read([cut, toResponse(toChunks(items, []), true)]);
    expect(parts).toEqual([{ type: 'text', text: 'Hello world', status: 'done' }]);
  });
});
