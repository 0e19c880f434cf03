/** Streams that both versions of `ai` have written: the page shows them, and the history is what the reference client would post. */
import { readFileSync } from 'node:fs';
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { readUIMessageStream as readUIMessageStream7 } from 'ai-7';
import { describe, expect, it } from 'vitest';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { MessageBuilder } from '../../../src/backends/ai-sdk/message-builder.ts';
import type { AiSdkChunk } from '../../../src/backends/ai-sdk/ui-message.ts';
import { createAgentChat } from '../../../src/core.ts';

describe.each([
  ['6', readUIMessageStream],
  ['7', readUIMessageStream7 as unknown as typeof readUIMessageStream],
])('a response of ai %s', (version, readReference) => {
  const body = readFileSync(
    new URL(`../../fixtures/ai-sdk/stream-text-${version}.sse`, import.meta.url),
    'utf8',
  );
  const chunks = [...body.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(String(json)));

  it('is kept as the message of the reference client', async () => {
    const stream = new ReadableStream<UIMessageChunk>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    let reference: UIMessage | undefined;
    for await (const message of readReference({ stream })) reference = message;
    const builder = new MessageBuilder(undefined);
    for (const chunk of chunks as AiSdkChunk[]) builder.add(chunk);
    expect(builder.read()).toEqual(JSON.parse(JSON.stringify(reference)));
  });

  it('is shown with its reasoning, text, calls, source and usage, and asks for what is open', async () => {
    const send: typeof fetch = async () =>
      new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const chat = createAgentChat({
      transport: createAiSdkTransport({ fetch: send }),
      clientTools: { locate: 'interactive' },
    });
    await chat.sendMessage('Hi');
    const { messages, pendingCalls, usage } = chat.getState();
    expect(messages[1]?.parts).toMatchObject([
      { type: 'reasoning', text: 'Look it up.' },
      { type: 'text', text: 'Let me see. ' },
      { toolName: 'lookup', args: { what: 'price' }, result: { price: 3 }, status: 'done' },
      { toolName: 'broken', error: 'Out of order', status: 'error' },
      { type: 'source', url: 'https://example.com/', title: 'Prices' },
      { toolName: 'locate', status: 'running' },
      { toolName: 'refund', args: { amount: 3 }, status: 'running' },
    ]);
    expect(pendingCalls.map(({ toolName }) => toolName)).toEqual(['locate', 'refund']);
    expect(usage).toMatchObject({ inputTokens: 24, outputTokens: 14, totalTokens: 38 });
    chat.destroy();
  });
});
