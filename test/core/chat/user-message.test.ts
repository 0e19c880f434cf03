import { describe, expect, it } from 'vitest';
import { uiMessageSchema } from '../../../src/core.ts';
import { scriptedChat } from '../../support/scripted-chat.ts';

describe('the message of a user', () => {
  it('an object in a user message becomes a part named by its type, as a copy', async () => {
    const { chat } = scriptedChat();
    const content = { type: 'order', at: new Date(0), items: ['chair'] };
    void chat.send('go', {}, { userMessage: { content } });
    content.items.push('table');
    const [message] = chat.getState().messages;
    expect(message?.parts).toMatchObject([
      { type: 'object', typeName: 'order', object: { at: '1970-01-01T00:00:00.000Z', items: ['chair'] } },
    ]);
    expect(uiMessageSchema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
    chat.destroy();
  });

  it('an object without a type becomes a part of type object', async () => {
    const { chat } = scriptedChat();
    void chat.send('go', undefined, { userMessage: { content: { a: 1 } } });
    expect(chat.getState().messages[0]?.parts).toMatchObject([{ type: 'object', typeName: 'object' }]);
    chat.destroy();
  });

  it('a text alone is a user message, also beside a trigger', async () => {
    const { chat } = scriptedChat();
    void chat.send('go', {}, { userMessage: 'Hi' });
    expect(chat.getState().messages[0]?.parts).toEqual([{ type: 'text', text: 'Hi', status: 'done' }]);
    chat.destroy();
  });

  it('content that JSON cannot carry is refused before anything happens', async () => {
    const { chat, backend } = scriptedChat();
    const before = chat.getState();
    await expect(chat.send('go', {}, { userMessage: { content: { pay: () => 1 } } })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('pay'),
    });
    await expect(chat.send('go', { pay: () => 1 })).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('input.pay is a function'),
    });
    expect(chat.getState()).toBe(before);
    expect(backend.commands).toEqual([]);
  });

  it.each([
    ['no trigger', ['']],
    ['an input that is no object', ['go', 'text' as never]],
    ['an input that is a list', ['go', [] as never]],
    ['an unknown policy', ['go', {}, { whilePending: 'wait' as never }]],
    ['a message that is neither text nor object', ['go', {}, { userMessage: 5 as never }]],
    ['a message that is a list', ['go', {}, { userMessage: ['Hi'] as never }]],
  ] as const)('send() with %s rejects with invalid_options', async (_, args) => {
    const { chat, backend } = scriptedChat();
    await expect(chat.send(...(args as unknown as [string]))).rejects.toMatchObject({
      code: 'invalid_options',
    });
    expect(backend.commands).toEqual([]);
  });

  it.each([
    ['no message', null],
    ['a number', 5],
    ['a list', ['Hi']],
    ['content that is a number', { content: 5 }],
    ['content that is a list', { content: ['Hi'] }],
    ['content that becomes a text only in JSON', { content: new Date(0) }],
    ['files that are no list', { files: 'a.txt' }],
    ['a file outside of a list', { files: new File(['a'], 'a.txt') }],
    ['a file that is nothing', { files: [null] }],
    ['a file without address', { files: [{ id: 'f', mediaType: 'text/plain' }] }],
  ])('sendMessage with %s rejects with invalid_options and changes nothing', async (_, content) => {
    const { chat, backend } = scriptedChat();
    const before = chat.getState();
    await expect(chat.sendMessage(content as never)).rejects.toMatchObject({ code: 'invalid_options' });
    expect(chat.getState()).toBe(before);
    expect(backend.commands).toEqual([]);
  });

  it.each([
    ['no list of files', null],
    ['an empty list', []],
    ['an input in which nothing was picked', { length: 0, item: () => null }],
  ])('a message with %s is one without files', async (_, files) => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage({ content: 'Hi', files: files as never });
    expect(backend.commands).toMatchObject([{ type: 'trigger' }]);
    expect(backend.commands[0]).toHaveProperty('input', { USER_MESSAGE: 'Hi' });
    expect(chat.getState().messages[0]?.parts).toMatchObject([{ type: 'text', text: 'Hi' }]);
    chat.destroy();
  });

  it('a message with content null has no content', async () => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage({ content: null as never });
    expect(backend.commands[0]).toHaveProperty('input', { USER_MESSAGE: '' });
    expect(chat.getState().messages[0]?.parts).toEqual([]);
    chat.destroy();
  });

  it('a trigger input with FILES null has no files', async () => {
    const { chat, backend } = scriptedChat();
    void chat.send('go', { FILES: null });
    expect((await backend.request(0)).command).toMatchObject({ type: 'trigger' });
    chat.destroy();
  });
});
