/** Backends that take files with the message itself: data URLs, up to 4 MB together. */
import { describe, expect, it } from 'vitest';
import { createAgUiTransport } from '../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { createAiSdkTransport } from '../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { type AgentTransport, createAgentChat, type FileReference } from '../../src/core.ts';

const MB = 1024 * 1024;
const HALF = 2.25 * MB;

const file = (bytes: number, type = 'text/plain') =>
  new File([new Uint8Array(bytes).fill(65)], 'a.txt', { type });

const transports: Record<string, (send: typeof fetch) => AgentTransport> = {
  'AI SDK': (send) => createAiSdkTransport({ fetch: send }),
  'AG-UI': (send) => createAgUiTransport({ url: '/agent', fetch: send }),
};

/** A chat whose requests end in an empty response. */
function open(createTransport: (send: typeof fetch) => AgentTransport) {
  const bodies: { readonly messages: readonly Readonly<Record<string, unknown>>[] }[] = [];
  const send: typeof fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } });
  };
  return { chat: createAgentChat({ transport: createTransport(send) }), bodies };
}

const tooLarge = {
  code: 'upload_failed',
  retryable: false,
  message: expect.stringMatching(/4\.5 MB together.*4 MB.*requestUploadUrls/),
};

describe.each(Object.entries(transports))('files without requestUploadUrls, %s', (_, createTransport) => {
  it('of more than 4 MB together are refused with their size and the cure', async () => {
    const { chat, bodies } = open(createTransport);
    const sent = chat.sendMessage({ content: 'Read this', files: [file(HALF), file(HALF)] });
    await expect(sent).rejects.toMatchObject(tooLarge);
    expect([bodies.length, chat.getState().messages.length]).toEqual([0, 0]);
  });

  it('that were read one by one are counted together when they are sent', async () => {
    const { chat, bodies } = open(createTransport);
    const references: FileReference[] = [];
    for (const each of [file(HALF), file(HALF)]) references.push(...(await chat.uploadFiles([each])));
    const sent = chat.sendMessage({ content: 'Read this', files: references });
    await expect(sent).rejects.toMatchObject(tooLarge);
    const mixed = chat.sendMessage({ files: [...references.slice(0, 1), file(HALF)] as File[] });
    await expect(mixed).rejects.toMatchObject(tooLarge);
    expect([bodies.length, chat.getState().messages.length]).toEqual([0, 0]);
  });

  it('of 4 MB to the byte are sent, beside a large file that the message only links to', async () => {
    const { chat, bodies } = open(createTransport);
    const linked = { id: 'l', mediaType: 'video/mp4', url: 'https://example.com/a.mp4', size: 900 * MB };
    const [half] = await chat.uploadFiles([file(2 * MB + 1)]);
    await chat.sendMessage({ content: 'Read this', files: [half, linked, file(2 * MB - 1)] as File[] });
    expect(bodies).toHaveLength(1);
    expect(chat.getState().messages[0]?.parts.map(({ type }) => type)).toEqual([
      'file',
      'file',
      'file',
      'text',
    ]);
  });

  it('none of them is read if the list is empty: the message goes out at once', async () => {
    const { chat, bodies } = open(createTransport);
    const sent = [chat.sendMessage({ content: 'One', files: [] }), chat.sendMessage('Two')];
    await Promise.all(sent);
    expect(chat.getState().messages.map(({ parts }) => parts[0])).toMatchObject([
      { text: 'One' },
      { text: 'Two' },
    ]);
    expect(bodies.at(-1)?.messages).toHaveLength(2);
  });

  it('that cannot be read are upload_failed, and nothing is sent', async () => {
    const { chat, bodies } = open(createTransport);
    const gone = file(3);
    gone.arrayBuffer = () => Promise.reject(new DOMException('The file has changed', 'NotReadableError'));
    await expect(chat.sendMessage({ files: [gone] })).rejects.toMatchObject({
      code: 'upload_failed',
      message: expect.stringMatching(/a\.txt.*The file has changed/),
    });
    expect([bodies.length, chat.getState().messages.length]).toEqual([0, 0]);
  });

  it('are not sent when stop() is called while they are read', async () => {
    const { chat, bodies } = open(createTransport);
    const sent = chat.sendMessage({ content: 'Read this', files: [file(3)] });
    chat.stop();
    await expect(sent).rejects.toMatchObject({ code: 'upload_failed' });
    expect(bodies).toEqual([]);
  });

  it('whose kind is unknown, and that are larger than a function takes arguments, arrive whole', async () => {
    const { chat } = open(createTransport);
    const [reference] = await chat.uploadFiles([file(100_000, '')]);
    expect(reference?.mediaType).toBe('application/octet-stream');
    expect(atob(reference?.url.split(',')[1] ?? '')).toHaveLength(100_000);
  });
});

it('AG-UI gets a file as a part with its data', async () => {
  const { chat, bodies } = open((send) => createAgUiTransport({ url: '/agent', fetch: send }));
  await chat.sendMessage({ content: 'Look', files: [file(3, 'image/png'), file(3)] });
  expect(bodies[0]?.messages[0]?.content).toEqual([
    { type: 'text', text: 'Look' },
    { type: 'image', source: { type: 'data', value: 'QUFB', mimeType: 'image/png' } },
    { type: 'document', source: { type: 'data', value: 'QUFB', mimeType: 'text/plain' } },
  ]);
});
