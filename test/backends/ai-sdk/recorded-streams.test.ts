/** Streams that both versions of `ai` have written: the page shows them, and the history is what the reference client would post. */
import { readFileSync } from 'node:fs';
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { readUIMessageStream as readUIMessageStream7 } from 'ai-7';
import { describe, expect, it } from 'vitest';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { MessageBuilder } from '../../../src/backends/ai-sdk/message-builder.ts';
import type { AiSdkChunk } from '../../../src/backends/ai-sdk/ui-message.ts';
import { createAgentChat } from '../../../src/core.ts';
import { createRecordedAgent, WAYS, weatherParts } from '../../support/recorded-agent.ts';
import { untilAnswered, untilAsked } from '../../support/until-question.ts';
import type { PostedBody } from './chat-route.ts';

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

describe.each(WAYS)('a stream of Pydantic AI in pieces (%s)', (way) => {
  const open = (conversation: string) => {
    const { fetch, bodies } = createRecordedAgent<PostedBody>(`pydantic-ai/ai-sdk-${conversation}`, way);
    const chat = createAgentChat({
      transport: createAiSdkTransport({ fetch }),
      clientTools: { pick_date: 'interactive' },
    });
    return { chat, bodies, parts: () => chat.getState().messages.at(-1)?.parts };
  };

  it('shows a thought, texts, and a call with its result', async () => {
    const { chat, parts } = open('tool');
    await chat.sendMessage('weather');
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    expect(parts()).toMatchObject(
      weatherParts(
        { degrees: 21, sky: 'sunny ☀' },
        "Results: {'city': 'Köln', 'degrees': 21, 'sky': 'sunny ☀'}",
      ),
    );
  });

  it('asks about two calls, and posts a yes and a no together', async () => {
    const { chat, bodies, parts } = open('approval');
    void chat.sendMessage('delete');
    await (await untilAsked(chat, 'call-a')).submit({ confirmed: true });
    (await untilAsked(chat, 'call-b')).decline('keep it');
    await untilAnswered(chat);
    expect(bodies[1]?.messages.at(-1)?.parts.slice(-2)).toMatchObject([
      { state: 'approval-responded', approval: { id: 'call-a', approved: true } },
      { state: 'approval-responded', approval: { id: 'call-b', approved: false, reason: 'keep it' } },
    ]);
    expect(parts()).toMatchObject([
      { text: 'I have to ask. ' },
      { toolCallId: 'call-a', status: 'done', result: 'deleted a.txt' },
      { toolCallId: 'call-b', status: 'done', outcome: 'declined' },
      { text: 'Results: deleted a.txt; keep it' },
    ]);
  });

  it('asks a tool of the page, and posts its output', async () => {
    const { chat, bodies } = open('client-tool');
    void chat.sendMessage('date');
    await (await untilAsked(chat, 'call-date')).submit({ selected: 'tomorrow' });
    expect(await untilAnswered(chat)).toBe("Which date? Results: {'selected': 'tomorrow'}");
    expect(bodies[1]?.messages.at(-1)?.parts.at(-1)).toMatchObject({
      type: 'tool-pick_date',
      state: 'output-available',
      output: { selected: 'tomorrow' },
    });
  });
});
