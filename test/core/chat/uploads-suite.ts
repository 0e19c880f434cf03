/** Uploads (the Octavus wire protocol 2.0, section 9), the same for `XMLHttpRequest` and `fetch`. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FilesInput } from '../../../src/core.ts';
import { createDeferred } from '../../support/deferred.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../support/scripted-events.ts';
import { createUploadServer, type UploadServer } from '../../support/upload-server.ts';

const file = (name: string, body = name, type = 'text/plain') => new File([body], name, { type });

/** Creates a `FileList` as of an input element. */
function fileList(...files: File[]): FileList {
  return Object.assign([], { item: (index: number) => files[index] ?? null }, files, {
    length: files.length,
  }) as unknown as FileList;
}

export function describeUploads(path: string): void {
  let server: UploadServer;
  beforeEach(async () => {
    server = await createUploadServer();
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    await server.close();
  });
  const open = (options: Parameters<typeof scriptedChat>[0] = {}) =>
    scriptedChat({ requestUploadUrls: server.requestUploadUrls, ...options });
  const send = (chat: ReturnType<typeof open>['chat'], files: FilesInput) =>
    chat.sendMessage({ content: 'Look', files });

  describe(`uploadFiles by ${path}`, () => {
    it('uploadFiles puts each file to its own target, reports progress up to 100, and returns references in order', async () => {
      const { chat } = open();
      const progress: [number, number][] = [];
      const references = await chat.uploadFiles(
        [file('a.txt', 'x'.repeat(500_000)), file('b.bin', 'b', '')],
        (...step) => progress.push(step),
      );
      expect(references).toEqual([
        {
          id: 'id-1-0',
          mediaType: 'text/plain',
          url: 'https://files.example/1/a.txt',
          filename: 'a.txt',
          size: 500_000,
        },
        {
          id: 'id-1-1',
          mediaType: 'application/octet-stream',
          url: 'https://files.example/1/b.bin',
          filename: 'b.bin',
          size: 1,
        },
      ]);
      expect(server.asked).toEqual([
        [
          { filename: 'a.txt', mediaType: 'text/plain', size: 500_000 },
          { filename: 'b.bin', mediaType: 'application/octet-stream', size: 1 },
        ],
      ]);
      const received = server.received.toSorted((left, right) => left.path.localeCompare(right.path));
      expect(received.map(({ body, ...rest }) => [body.length, rest])).toEqual([
        [500_000, { path: '/1/a.txt', method: 'PUT', contentType: 'text/plain' }],
        [1, { path: '/1/b.bin', method: 'PUT', contentType: 'application/octet-stream' }],
      ]);
      for (const index of [0, 1]) {
        const steps = progress.filter(([of]) => of === index).map(([, percent]) => percent);
        expect(steps.at(-1)).toBe(100);
        expect(steps).toEqual(steps.toSorted((left, right) => left - right));
        expect(steps.every((percent) => percent >= 0 && percent <= 100)).toBe(true);
      }
      expect(chat.getState().status).toBe('idle');
    });

    it('uploadFiles returns references unchanged, without a request', async () => {
      const { chat } = scriptedChat();
      const reference = { id: 'f', mediaType: 'image/png', url: 'https://files.example/f' };
      expect(await chat.uploadFiles([reference])).toEqual([reference]);
    });

    it.each([
      ['an HTTP status 403', 403, 'Upload failed with status 403'],
      ['no network', 'drop', 'Upload failed: network error'],
    ] as const)('uploadFiles with %s rejects with upload_failed', async (_, behaviour, message) => {
      server.behaviour.set('a.txt', behaviour);
      const { chat, notified } = open();
      await expect(chat.uploadFiles([file('a.txt')])).rejects.toMatchObject({
        code: 'upload_failed',
        message,
        retryable: true,
      });
      expect(notified).toEqual([]);
    });

    it('a file that is picked twice goes to two targets', async () => {
      const { chat } = open();
      const twice = file('a.txt');
      const references = await chat.uploadFiles([twice, twice]);
      expect(references.map(({ id }) => id)).toEqual(['id-1-0', 'id-1-1']);
    });

    it('a target with an unusable address rejects with upload_failed', async () => {
      const files = [{ id: 'x', uploadUrl: 'http://', downloadUrl: 'https://files.example/x' }];
      const { chat } = open({ requestUploadUrls: async () => ({ files }) });
      await expect(chat.uploadFiles([file('a.txt')])).rejects.toMatchObject({
        code: 'upload_failed',
        message: expect.stringContaining('Upload failed: '),
      });
    });

    it('one file that fails aborts the other uploads of its list', async () => {
      server.behaviour.set('slow.txt', 'hold').set('a.txt', 500);
      const { chat } = open();
      await expect(chat.uploadFiles([file('slow.txt'), file('a.txt')])).rejects.toMatchObject({
        message: 'Upload failed with status 500',
      });
      await server.gone('slow.txt');
      expect(server.received.map(({ path: to }) => to)).toEqual(['/1/a.txt']);
    });

    it('uploadFiles and sendMessage with files say what to configure when requestUploadUrls is missing', async () => {
      const { chat, backend } = scriptedChat();
      const code = 'upload_not_configured';
      await expect(chat.uploadFiles([file('a.txt')])).rejects.toMatchObject({
        code,
        message: 'File upload requires requestUploadUrls option',
      });
      await expect(send(chat, [file('a.txt')])).rejects.toMatchObject({
        code,
        message:
          'File upload requires requestUploadUrls option. Either provide FileReference[] or configure requestUploadUrls.',
      });
      expect(backend.commands).toEqual([]);
    });

    it.each([
      ['throws', () => Promise.reject(new Error('No session')), 'No session'],
      ['gives too few targets', async () => ({ files: [] }), 'for each of'],
      [
        'gives a target without a URL',
        async () => ({ files: [{ id: 'x', downloadUrl: 'https://files.example' }] }) as never,
        'uploadUrl',
      ],
      ['gives nothing', async () => undefined as never, 'requestUploadUrls'],
    ])('requestUploadUrls that %s rejects with upload_failed and says so', async (_, ask, message) => {
      const { chat } = open({ requestUploadUrls: ask });
      await expect(chat.uploadFiles([file('a.txt')])).rejects.toMatchObject({
        code: 'upload_failed',
        message: expect.stringContaining(message),
      });
    });

    it('a progress callback that throws is reported and breaks nothing', async () => {
      const reported: unknown[] = [];
      vi.stubGlobal('reportError', (thrown: unknown) => reported.push(thrown));
      const { chat } = open();
      const broken = new Error('progress');
      const references = await chat.uploadFiles([file('a.txt')], () => {
        throw broken;
      });
      expect(references).toMatchObject([{ filename: 'a.txt' }]);
      expect(reported).toContain(broken);
    });

    it.each([
      ['a single file', file('a.txt')],
      ['the files of an input of another type', null],
    ])('uploadFiles refuses %s, and requests no target', async (_, files) => {
      const { chat } = open();
      await expect(chat.uploadFiles(files as never)).rejects.toMatchObject({
        code: 'invalid_options',
        message: expect.stringContaining('list'),
      });
      expect(server.asked).toEqual([]);
    });

    it('a signal cancels its own upload, and no other', async () => {
      server.behaviour.set('a.txt', 'hold');
      const { chat } = open();
      const controller = new AbortController();
      const { signal } = controller;
      const rejection = expect(
        chat.uploadFiles([file('a.txt')], undefined, { signal }),
      ).rejects.toMatchObject({
        code: 'upload_failed',
        message: 'Upload aborted',
      });
      const other = chat.uploadFiles([file('b.txt')], undefined, { signal: new AbortController().signal });
      await server.begun('a.txt');
      controller.abort();
      await rejection;
      expect(await other).toMatchObject([{ filename: 'b.txt' }]);
    });

    it('destroy() ends an upload', async () => {
      server.behaviour.set('a.txt', 'hold');
      const { chat } = open();
      const rejection = expect(chat.uploadFiles([file('a.txt')])).rejects.toMatchObject({
        message: 'Upload aborted',
      });
      await server.begun('a.txt');
      chat.destroy();
      await rejection;
    });
  });

  describe(`files of a message by ${path}`, () => {
    it('files of a message are uploaded before the message is sent, and shown with it', async () => {
      const { chat, backend } = open();
      const sent = send(chat, [file('a.txt')]);
      (await backend.request(0)).send(stopped);
      await sent;
      const reference = {
        id: 'id-1-0',
        mediaType: 'text/plain',
        url: 'https://files.example/1/a.txt',
        filename: 'a.txt',
        size: 5,
      };
      expect(backend.commands).toEqual([
        {
          type: 'trigger',
          triggerName: 'user-message',
          input: { USER_MESSAGE: 'Look', FILES: [reference] },
          idempotencyKey: expect.any(String),
        },
      ]);
      expect(chat.getState().messages[0]?.parts).toEqual([
        { type: 'file', ...reference },
        { type: 'text', text: 'Look', status: 'done' },
      ]);
    });

    it('files given both in the message and in the input are uploaded once when the list is the same', async () => {
      const { chat, backend } = open();
      const files = fileList(file('a.txt'), file('b.txt'));
      void chat.send('go', { FILES: files }, { userMessage: { content: 'Look', files } });
      await backend.request(0);
      expect(server.asked).toHaveLength(1);
      expect(server.received).toHaveLength(2);
      expect(backend.commands[0]).toMatchObject({ input: { FILES: [{ id: 'id-1-0' }, { id: 'id-1-1' }] } });
      expect(chat.getState().messages[0]?.parts).toMatchObject([{ id: 'id-1-0' }, { id: 'id-1-1' }, {}]);
      chat.destroy();
    });

    it('different files in the message and in the input are all uploaded, each list for its own place', async () => {
      const { chat, backend } = open();
      const sentFiles = [file('sent.txt')];
      const shownFiles = [file('shown.txt')];
      void chat.send('go', { FILES: sentFiles }, { userMessage: { content: 'Look', files: shownFiles } });
      await backend.request(0);
      expect(backend.commands[0]).toMatchObject({ input: { FILES: [{ filename: 'sent.txt' }] } });
      expect(chat.getState().messages[0]?.parts[0]).toMatchObject({ filename: 'shown.txt' });
      expect(server.received).toHaveLength(2);
      chat.destroy();
    });

    it('a failed upload rejects once and leaves the state as before', async () => {
      server.behaviour.set('a.txt', 500);
      const { chat, backend, notified } = open();
      const before = chat.getState();
      await expect(send(chat, [file('a.txt')])).rejects.toMatchObject({ code: 'upload_failed' });
      expect(chat.getState()).toBe(before);
      expect([notified, backend.commands]).toEqual([[], []]);
      server.behaviour.clear();
      const again = send(chat, [file('a.txt')]);
      (await backend.request(0)).send(stopped);
      await again;
      expect(chat.getState().messages).toHaveLength(1);
    });

    it('stop() ends the upload and sends nothing, and the next upload succeeds', async () => {
      server.behaviour.set('a.txt', 'hold');
      const { chat, backend, notified } = open();
      const rejection = expect(send(chat, [file('a.txt')])).rejects.toMatchObject({
        code: 'upload_failed',
        message: 'Upload aborted',
      });
      await server.begun('a.txt');
      chat.stop();
      await rejection;
      expect([chat.getState().messages, backend.commands, notified]).toEqual([[], [], []]);
      const next = send(chat, [file('b.txt')]);
      (await backend.request(0)).send(stopped);
      await next;
      expect(chat.getState().messages).toHaveLength(1);
    });

    it('stop() before the targets are known ends the upload at once, and no file or message is sent', async () => {
      const asked = createDeferred();
      const answer = createDeferred();
      const { chat, backend } = open({
        async requestUploadUrls(files) {
          asked.resolve();
          await answer.promise;
          return server.requestUploadUrls(files);
        },
      });
      const rejection = expect(send(chat, [file('a.txt')])).rejects.toMatchObject({
        message: 'Upload aborted',
      });
      await asked.promise;
      chat.stop();
      await rejection;
      answer.resolve();
      await answer.promise;
      expect([server.received, backend.commands]).toEqual([[], []]);
    });

    it('files of a message that will be refused are not uploaded', async () => {
      const { chat, backend } = open({ clientTools: { ask: 'interactive' } });
      await expect(chat.send('go', { FILES: [file('a.txt')], amount: 1n as never })).rejects.toMatchObject({
        code: 'invalid_options',
      });
      void chat.sendMessage('Hi');
      (await backend.request(0)).send(start, request(call('1', 'ask')), awaitingAnswers);
      await settled();
      await expect(send(chat, [file('a.txt')])).rejects.toMatchObject({ code: 'awaiting_input' });
      expect(server.asked).toEqual([]);
    });
  });
}
