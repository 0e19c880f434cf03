/** What an app adds to its requests: fields, headers, metadata and files. */
import { describe, expect, it } from 'vitest';
import { settled } from '../../support/scripted-chat.ts';
import { say, scriptedRoute } from './scripted-route.ts';

describe('prepareRequest', () => {
  it('puts another body, other headers and another address in the place of the request', async () => {
    const seen: unknown[] = [];
    const { chat, requests } = scriptedRoute(
      { id: 'chat-7' },
      {
        headers: () => ({ 'X-User': 'ann' }),
        body: { model: 'm' },
        prepareRequest: ({ id, messages, trigger, messageId, headers, body }) => {
          seen.push({ trigger, messageId, headers, body });
          return {
            api: `/api/chats/${id}`,
            headers: { ...headers, 'x-trace': '1' },
            body: { ...body, last: messages.at(-1) },
          };
        },
      },
    );
    await say(chat);
    expect(seen).toEqual([
      { trigger: 'submit-message', messageId: undefined, headers: { 'x-user': 'ann' }, body: { model: 'm' } },
    ]);
    const [request] = requests;
    expect(request?.url).toBe('/api/chats/chat-7');
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({ 'x-user': 'ann', 'x-trace': '1' });
    expect(Object.keys(request?.body ?? {})).toEqual(['model', 'last']);
    expect(request?.body).toMatchObject({ model: 'm', last: { parts: [{ text: 'Hi' }] } });
  });

  it('leaves alone what it does not name', async () => {
    const { chat, requests } = scriptedRoute(
      { id: 'chat-7' },
      { headers: { 'x-user': 'ann' }, body: { model: 'm' }, prepareRequest: async () => ({}) },
    );
    await say(chat);
    const [request] = requests;
    expect([request?.url, request?.headers.get('x-user')]).toEqual(['/api/chat', 'ann']);
    expect(request?.body).toMatchObject({ model: 'm', id: 'chat-7', trigger: 'submit-message' });
  });
});

describe("the metadata of a person's message", () => {
  it('is on the message, is posted with it, and stays with it', async () => {
    const { chat, requests } = scriptedRoute();
    void chat.sendMessage({ content: 'Hi', metadata: { source: 'phone' } });
    await settled();
    expect(chat.getState().messages[0]?.metadata).toEqual({ source: 'phone' });
    expect(requests[0]?.body.messages[0]).toMatchObject({ metadata: { source: 'phone' } });
    await requests[0]?.end({ type: 'finish' });
    void chat.regenerate?.();
    await settled();
    expect(requests[1]?.body.messages[0]).toMatchObject({ metadata: { source: 'phone' } });
  });

  it('that JSON cannot carry is refused, and nothing is sent', async () => {
    const { chat, requests } = scriptedRoute();
    const sent = chat.sendMessage({ content: 'Hi', metadata: { run: () => {} } });
    await expect(sent).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('metadata.run'),
    });
    expect(requests).toEqual([]);
  });
});

describe('files without requestUploadUrls', () => {
  const file = (bytes: number, type = 'text/plain') =>
    new File([new Uint8Array(bytes).fill(65)], 'a.txt', { type });

  it('go as data URLs, and stand before the text as those of useChat do', async () => {
    const { chat, requests } = scriptedRoute();
    void chat.sendMessage({ content: 'Read this', files: [file(3)] });
    await settled();
    await settled();
    expect(requests[0]?.body.messages[0]?.parts).toEqual([
      { type: 'file', mediaType: 'text/plain', url: 'data:text/plain;base64,QUFB', filename: 'a.txt' },
      { type: 'text', text: 'Read this' },
    ]);
    expect(chat.getState().messages[0]?.parts[0]).toMatchObject({ type: 'file', filename: 'a.txt', size: 3 });
  });

  it('keep the order of useChat where the message is sent again', async () => {
    const { chat, requests } = scriptedRoute();
    const reference = { id: 'f', mediaType: 'image/png', url: 'https://example.com/a.png' };
    void chat.sendMessage({ content: 'Look', files: [reference] });
    await settled();
    await requests[0]?.end({ type: 'finish' });
    void chat.regenerate?.();
    await settled();
    expect(requests[1]?.body.messages[0]?.parts.map(({ type }) => type)).toEqual(['file', 'text']);
    expect(requests[1]?.body.trigger).toBe('regenerate-message');
  });
});
