/** What a handler may do beside returning its result: report how far it is, and add files. */
import { describe, expect, it, vi } from 'vitest';
import type { RespondCommand } from '../../../src/core/protocol/commands.ts';
import type { AgentChatOptions, ClientToolContext, ToolCallPart, ToolProgress } from '../../../src/core.ts';
import { uiMessageSchema } from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createDeferred } from '../../support/deferred.ts';
import { createTabOpener, settledIn } from '../../support/open-tabs.ts';
import { left, open, restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';

/** A chat whose handler has got its context, and waits for the test. */
async function running(options: Partial<AgentChatOptions> = {}) {
  const given = createDeferred<ClientToolContext>();
  const end = createDeferred<unknown>();
  const work = (_args: unknown, context: ClientToolContext) => {
    given.resolve(context);
    return end.promise;
  };
  const scripted = scriptedChat({ clientTools: { work }, ...options });
  void scripted.chat.sendMessage('Hi');
  const run = await scripted.backend.request(0);
  run.send(start, request(call('1', 'work')), awaitingAnswers);
  run.end();
  const context = await given.promise;
  const part = () => scripted.chat.getState().messages.at(-1)?.parts[0] as ToolCallPart;
  const answers = () =>
    scripted.backend.commands
      .filter((command): command is RespondCommand => command.type === 'respond')
      .flatMap((command) => command.answers);
  return { ...scripted, context, end, part, answers };
}

describe('context.report', () => {
  it('a report is shown on the call while its handler runs, and is never sent', async () => {
    const { context, part, end, answers } = await running();
    context.report({ done: 3, total: 8, text: 'Reading' });
    expect(part()).toMatchObject({ status: 'running', progress: { done: 3, total: 8, text: 'Reading' } });
    context.report({ done: 4 });
    expect(part().progress).toEqual({ done: 4 });
    end.resolve('done');
    await settled();
    expect(part()).not.toHaveProperty('progress');
    expect(JSON.stringify(answers())).not.toContain('progress');
  });

  it('a message with a report parses with the schema of messages', async () => {
    const { context, chat } = await running();
    context.report({ done: 1, total: 2, text: 'One' });
    const message = JSON.parse(JSON.stringify(chat.getState().messages.at(-1)));
    expect(uiMessageSchema.parse(message).parts[0]).toMatchObject({
      progress: { done: 1, total: 2, text: 'One' },
    });
  });

  it('a thousand reports of one frame are one notification', async () => {
    const { context, chat, clock, part } = await running();
    clock.frame();
    const notify = vi.fn();
    chat.subscribe(notify);
    for (let done = 1; done <= 1000; done += 1) context.report({ done, total: 1000 });
    expect(notify).not.toHaveBeenCalled();
    clock.frame();
    expect(notify).toHaveBeenCalledTimes(1);
    expect(part().progress).toEqual({ done: 1000, total: 1000 });
  });

  it.each([
    ['NaN', { done: 0 / 0, total: 8 }],
    ['below 0', { done: -1 }],
    ['infinite', { done: 1, total: Infinity }],
    ['a text for a number', { done: '3' }],
    ['a number for a text', { text: 3 }],
    ['nothing', {}],
    ['undefined', undefined],
  ])('a report that is wrong (%s) changes nothing, and the handler goes on', async (_, wrong) => {
    const { context, part, end, answers } = await running();
    context.report({ done: 2, total: 8 });
    context.report(wrong as ToolProgress);
    expect(part().progress).toEqual({ done: 2, total: 8 });
    end.resolve('done');
    await settled();
    expect(answers()).toMatchObject([{ result: 'done' }]);
  });

  it('a report of a call that has its outcome is ignored', async () => {
    const { context, part, chat, end } = await running();
    chat.stop();
    context.report({ done: 1 });
    end.resolve('late');
    await settled();
    context.report({ done: 2 });
    expect(part()).toMatchObject({ outcome: 'aborted' });
    expect(part()).not.toHaveProperty('progress');
  });

  it('other tabs of the conversation see a report', async () => {
    const contexts: ClientToolContext[] = [];
    const work = (_args: unknown, context: ClientToolContext) => {
      contexts.push(context);
      return new Promise(() => {});
    };
    const openPage = createTabOpener({ clientTools: { work } });
    const [a, b] = [await openPage(), await openPage()];
    void a.chat.sendMessage('Hi');
    await settledIn();
    a.backend.requests[0]?.send(start, request(call('1', 'work')), awaitingAnswers);
    await settledIn();
    contexts[0]?.report({ done: 3, total: 8 });
    await settledIn();
    expect(b.chat.getState().messages.at(-1)?.parts).toMatchObject([{ progress: { done: 3, total: 8 } }]);
  });

  it('a report is not stored: the handler goes away with the page', async () => {
    const storage = createMemoryStorage();
    const work = (_args: unknown, { report }: ClientToolContext) => {
      report({ done: 3, total: 8 });
      return new Promise(() => {});
    };
    const before = await left(storage, { work }, undefined, 'work');
    expect(before.chat.getState().messages.at(-1)?.parts[1]).toMatchObject({ progress: { done: 3 } });
    await before.clock.advance(1000);
    const after = open(storage, { clientTools: { work } });
    await restored(after.chat);
    expect(after.chat.getState().messages.at(-1)?.parts[1]).toMatchObject({ toolName: 'work' });
    expect(JSON.stringify(after.chat.getState().messages)).not.toContain('progress');
  });
});

describe('context.addFile', () => {
  const png = new Blob(['png'], { type: 'image/png' });

  /** An app whose storage takes every file. */
  function uploads() {
    const asked: { filename: string; mediaType: string; size: number }[] = [];
    const put = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response());
    const requestUploadUrls: AgentChatOptions['requestUploadUrls'] = async (files) => {
      asked.push(...files);
      return {
        files: files.map((_, index) => ({
          id: `f${asked.length - files.length + index}`,
          uploadUrl: 'https://up.example/',
          downloadUrl: 'https://files.example/1',
        })),
      };
    };
    return { asked, put, requestUploadUrls };
  }

  it('a blob is uploaded, and its reference goes out beside the result and onto the call', async () => {
    const { asked, requestUploadUrls } = uploads();
    const { context, end, answers, part } = await running({ requestUploadUrls });
    const reference = await context.addFile(png, { filename: 'shot.png' });
    expect(asked).toEqual([{ filename: 'shot.png', mediaType: 'image/png', size: 3 }]);
    expect(reference).toEqual({
      id: 'f0',
      url: 'https://files.example/1',
      filename: 'shot.png',
      mediaType: 'image/png',
      size: 3,
    });
    end.resolve({ taken: true });
    await settled();
    expect(answers()).toMatchObject([{ result: { taken: true }, files: [reference] }]);
    expect(part().files).toEqual([reference]);
  });

  it.each([
    ['its own name', new File(['a'], 'a.txt', { type: 'text/plain' }), undefined, 'a.txt'],
    ['the given name', new File(['a'], 'a.txt', { type: 'text/plain' }), { filename: 'b.txt' }, 'b.txt'],
    ['a plain name', new Blob(['a'], { type: 'text/plain' }), undefined, 'file'],
  ])('a file is uploaded under %s', async (_, file, options, filename) => {
    const { asked, requestUploadUrls } = uploads();
    const { context } = await running({ requestUploadUrls });
    await context.addFile(file, options);
    expect(asked).toEqual([{ filename, mediaType: 'text/plain', size: 1 }]);
  });

  it('without a place for files the error names the option that is missing', async () => {
    const { context } = await running();
    await expect(context.addFile(png)).rejects.toMatchObject({
      code: 'upload_not_configured',
      message: expect.stringContaining('requestUploadUrls'),
    });
  });

  it('the signal of the call ends its upload', async () => {
    const { context, chat } = await running({ requestUploadUrls: () => new Promise(() => {}) });
    const adding = context.addFile(png);
    chat.stop();
    await expect(adding).rejects.toMatchObject({ code: 'upload_failed', message: 'Upload aborted' });
  });

  it('a file whose upload fails is not part of the result', async () => {
    const { requestUploadUrls, put } = uploads();
    put.mockImplementation(async () => new Response(null, { status: 403 }));
    const { context, end, answers } = await running({ requestUploadUrls });
    await expect(context.addFile(png)).rejects.toMatchObject({ code: 'upload_failed' });
    end.resolve('without');
    await settled();
    expect(answers()).toMatchObject([{ result: 'without' }]);
    expect(answers()[0]).not.toHaveProperty('files');
  });

  const reference = { id: 'f1', mediaType: 'image/png', url: 'https://files.example/1' };

  it.each<[string, () => Promise<unknown>]>([
    ['a reference', async () => reference],
    ['a blob', async () => png],
  ])('%s that comes after the result changes nothing of it', async (_, late) => {
    const { requestUploadUrls } = uploads();
    const { context, end, answers, part } = await running({ requestUploadUrls });
    await context.addFile(reference);
    end.resolve('done');
    await settled();
    await context.addFile((await late()) as Blob);
    await settled();
    expect(answers()).toMatchObject([{ result: 'done', files: [reference] }]);
    expect(answers()[0]?.files).toHaveLength(1);
    expect(part().files).toEqual([reference]);
  });

  it('a reference that its handler changes later stays as it was', async () => {
    const { context, end, answers } = await running();
    const mine = { ...reference };
    await context.addFile(mine);
    end.resolve('done');
    await settled();
    mine.url = 'https://other.example/';
    expect(answers()).toMatchObject([{ files: [reference] }]);
  });

  it.each([undefined, null, 'https://files.example/1', { id: 5 }, { ...reference, url: undefined }])(
    'refuses %j, which is no file',
    async (given) => {
      const { context, end, answers } = await running();
      await expect(context.addFile(given as never)).rejects.toThrow(
        'addFile takes a Blob, a File, or a reference',
      );
      end.resolve('without');
      await settled();
      expect(answers()).toMatchObject([{ result: 'without' }]);
      expect(answers()[0]).not.toHaveProperty('files');
    },
  );
});
