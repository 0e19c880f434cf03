/** A schema that is written once, in the page, and files that a handler of the page makes: both reach the model. */
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, inject, it, vi } from 'vitest';
import { z } from 'zod';
import { type AgentChatOptions, createAgentChat, createHttpTransport } from '../../../src/core.ts';
import { createAiSdkAgent } from '../../../src/server/ai-sdk/create-ai-sdk-agent.ts';
import { toModelMessages } from '../../../src/server/ai-sdk/to-model-messages.ts';
import { handleAgentRequest } from '../../../src/server/http/handle-agent-request.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
} from '../../../src/server/sessions/create-agent-session.ts';

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finish = (unified: 'stop' | 'tool-calls'): StreamPart => {
  return { type: 'finish', finishReason: { unified, raw: unified }, usage };
};

/** A page and a server. The model calls `pick` once, then says that it is done. */
async function talk(chatOptions: Partial<AgentChatOptions>, sessionOptions: Partial<AgentSessionOptions>) {
  const turns: StreamPart[][] = [
    [
      { type: 'tool-call', toolCallId: 'c1', toolName: 'pick', input: '{"question":"Which?"}' },
      finish('tool-calls'),
    ],
    [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Done' },
      { type: 'text-end', id: 't' },
      finish('stop'),
    ],
  ];
  const model = new MockLanguageModelV3({
    // The AI SDK downloads the files that a model cannot.
    supportedUrls: { '*/*': [/^https:/] },
    doStream: async () => ({ stream: simulateReadableStream({ chunks: turns.shift() ?? [] }) }),
  });
  const session = createAgentSession({ id: 's', agent: createAiSdkAgent({ model }), ...sessionOptions });
  const bodies: string[] = [];
  const transport = createHttpTransport({
    url: 'https://app.example/agent',
    fetch: async (url, init) => {
      bodies.push(String(init?.body));
      return handleAgentRequest(new Request(url, init), () => session);
    },
  });
  const chat = createAgentChat({ transport, describeClientTools: true, ...chatOptions });
  await chat.sendMessage('Hi');
  return { chat, model, bodies };
}

const pick = {
  description: 'Lets the user pick a colour',
  input: z.object({ question: z.string() }),
  execute: () => ({ color: 'red' }),
};

describe('tools of the page with a model', () => {
  it('a tool that only the page declares is offered to the model, and its call goes to the page', async () => {
    const { model, chat } = await talk({ clientTools: { pick } }, { clientTools: 'all' });
    expect(model.doStreamCalls[0]?.tools).toMatchObject([
      {
        name: 'pick',
        description: 'Lets the user pick a colour',
        inputSchema: { type: 'object', properties: { question: { type: 'string' } } },
      },
    ]);
    expect(model.doStreamCalls[1]?.tools).toMatchObject([{ name: 'pick' }]);
    expect(model.doStreamCalls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolName: 'pick', output: { type: 'json', value: { color: 'red' } } }],
    });
    expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
  });

  it('a tool that the session does not allow is not offered', async () => {
    const { model } = await talk({ clientTools: { pick } }, {});
    expect(model.doStreamCalls[0]?.tools ?? []).toEqual([]);
  });

  it('a tool that the app gives the agent wins over the description of the page', async () => {
    const model = new MockLanguageModelV3({
      doStream: async () => ({ stream: simulateReadableStream({ chunks: [finish('stop')] }) }),
    });
    const own = createAiSdkAgent({ model, tools: { pick: { description: 'ours' } } });
    await talk({ clientTools: { pick } }, { clientTools: 'all', agent: own });
    expect(model.doStreamCalls[0]?.tools).toMatchObject([{ name: 'pick', description: 'ours' }]);
  });

  it('a picture that a handler adds reaches the model as a picture', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response());
    const { model, bodies, chat } = await talk(
      {
        clientTools: {
          pick: async (_args: unknown, { addFile }: { addFile: (file: Blob) => Promise<unknown> }) => {
            await addFile(new Blob(['png'], { type: 'image/png' }));
            return { taken: true };
          },
        },
        requestUploadUrls: async () => ({
          files: [{ id: 'f1', uploadUrl: 'https://up.example/', downloadUrl: 'https://files.example/1.png' }],
        }),
      },
      { clientTools: 'all' },
    );
    expect(chat.getState().error).toBeNull();
    const [answer] = JSON.parse(bodies[1] ?? '{}').toolResults;
    expect(answer).toMatchObject({
      result: { taken: true },
      files: [{ url: 'https://files.example/1.png' }],
    });
    const prompt = model.doStreamCalls[1]?.prompt.at(-1);
    const part = {
      6: { type: 'image-url', url: 'https://files.example/1.png' },
      // The adapter of the mock, which is a model of the version before, writes it so.
      7: { type: 'file-url', url: 'https://files.example/1.png' },
    }[inject('aiSdk')];
    expect(prompt).toMatchObject({
      content: [{ output: { type: 'content', value: [{ type: 'text', text: '{"taken":true}' }, part] } }],
    });
    expect(JSON.stringify(prompt)).toContain('https://files.example/1.png');
  });
});

describe('the files of a result as parts of a message', () => {
  const png = 'data:image/png;base64,iVBORw0KGgo=';
  const toOutput = (mediaType: string, url: string) => {
    const files = [{ id: 'f', mediaType, url, filename: 'shot' }];
    const [message] = toModelMessages([
      { role: 'tool', toolCallId: '1', toolName: 'pick', result: 'ok', files },
    ]);
    return (
      message?.role === 'tool' && message.content[0]?.type === 'tool-result' && message.content[0].output
    );
  };

  it.each([
    ['image/png', 'https://files.example/1', { type: 'image-url', url: 'https://files.example/1' }],
    ['image/png', png, { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' }],
    [
      'application/pdf',
      'https://files.example/1',
      { type: 'file-url', url: 'https://files.example/1', mediaType: 'application/pdf' },
    ],
    [
      'application/pdf',
      'data:application/pdf;base64,JVBERg==',
      { type: 'file-data', data: 'JVBERg==', mediaType: 'application/pdf' },
    ],
    ['image/png', '/files/1', { type: 'text', text: expect.stringContaining('is not an absolute URL') }],
  ])('a file of the type %s at %s', (mediaType, url, part) => {
    expect(toOutput(mediaType, url)).toEqual({
      type: 'content',
      value: [{ type: 'text', text: 'ok' }, part],
    });
  });

  it.each([
    ['https://files.example/1', { type: 'url', url: new URL('https://files.example/1') }],
    [png, { type: 'data', data: 'iVBORw0KGgo=' }],
  ])('an AI SDK that takes files gets the one at %s as a file', (url, data) => {
    const files = [{ id: 'f', mediaType: 'image/png', url, filename: 'shot.png' }];
    const tool = { role: 'tool', toolCallId: '1', toolName: 'pick', result: 'ok', files } as const;
    expect(toModelMessages([tool], true)).toMatchObject([
      {
        content: [
          { output: { value: [{}, { type: 'file', data, mediaType: 'image/png', filename: 'shot.png' }] } },
        ],
      },
    ]);
  });

  it('an error has no files', () => {
    const files = [{ id: 'f', mediaType: 'image/png', url: png }];
    const [message] = toModelMessages([
      { role: 'tool', toolCallId: '1', toolName: 'pick', error: 'No camera', files },
    ]);
    expect(message).toMatchObject({ content: [{ output: { type: 'error-text', value: 'No camera' } }] });
  });
});
