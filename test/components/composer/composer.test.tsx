// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createRef } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ComposedMessage, Composer, type ComposerProps } from '../../../src/components.ts';
import { AgentChatError, type AgentTransport, createAgentChat, defineClientTool } from '../../../src/core.ts';
import { withChat } from '../../../src/testing/with-chat.tsx';
import { createBackstage } from '../../react/support.ts';
import { createDeferred } from '../../support/deferred.ts';
import { settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../support/scripted-events.ts';
import { createUploadServer, type UploadServer } from '../../support/upload-server.ts';

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const button = (name: string) => screen.getByRole('button', { name });
const hint = () => document.querySelector('.hr-composer-hint')?.textContent;
const spoken = () => screen.getByRole('status').textContent;

/** Lets all effects of an action happen. */
const finish = (happen: () => unknown) =>
  act(async () => {
    happen();
    await settled();
  });

/** A composer that collects its messages in a list. */
function open(props: Partial<ComposerProps> = {}) {
  const sent: ComposedMessage[] = [];
  const view = render(<Composer onSend={(message) => sent.push(message)} {...props} />);
  return { ...view, sent, user: userEvent.setup() };
}

/** A composer in a chat. */
function openInChat(
  props: ComposerProps = {},
  options: Parameters<typeof createBackstage>[0] = { clientTools: { ask: 'interactive' } },
  transport: Partial<AgentTransport> = {},
) {
  const stage = createBackstage(options);
  const chat = createAgentChat({ ...stage.options, transport: { ...stage.backend, ...transport } });
  const view = render(<Composer {...props} />, { wrapper: withChat(chat) });
  const ask = async () => {
    await act(async () => void chat.sendMessage('Hi'));
    await stage.say(0, start, request(call('1', 'ask')), awaitingAnswers);
  };
  const answer = () => act(async () => void chat.getState().pendingClientTools.ask?.[0]?.submit('yes'));
  return { ...stage, ...view, chat, ask, answer, user: userEvent.setup() };
}

describe('the composer field', () => {
  test('Enter sends the trimmed text and clears the field', async () => {
    const { sent, user } = open();
    await user.type(field(), ' Hello {Enter}');
    expect(sent).toEqual([{ content: 'Hello' }]);
    expect(field().value).toBe('');
    expect(document.activeElement).toBe(field());
  });

  test('Shift+Enter starts a new line', async () => {
    const { sent, user } = open();
    await user.type(field(), 'One{Shift>}{Enter}{/Shift}Two');
    expect(field().value).toBe('One\nTwo');
    await user.click(button('Send'));
    expect(sent).toEqual([{ content: 'One\nTwo' }]);
    expect(document.activeElement).toBe(field());
  });

  test.each([
    ['while composing', { isComposing: true }],
    ['with the key code of Safari', { keyCode: 229 }],
  ])('Enter of an input method picks a word and does not send, %s', async (_, how) => {
    const { sent, user } = open();
    await user.type(field(), 'にほん');
    await finish(() => fireEvent.keyDown(field(), { key: 'Enter', ...how }));
    expect(sent).toEqual([]);
    await finish(() => fireEvent.keyDown(field(), { key: 'Enter' }));
    expect(sent).toEqual([{ content: 'にほん' }]);
  });

  test('whitespace alone is not sent', async () => {
    const { sent, user } = open();
    await user.type(field(), '  {Enter}');
    expect(button('Send').getAttribute('aria-disabled')).toBe('true');
    expect(sent).toEqual([]);
    expect(field().value).toBe('  ');
  });

  test('inputRef reaches the field, whose enterKeyHint is send', () => {
    const inputRef = createRef<HTMLTextAreaElement>();
    open({ inputRef, placeholder: 'Ask away' });
    expect(inputRef.current).toBe(field());
    expect(field().placeholder).toBe('Ask away');
    expect(hint()).toBe('Enter sends, Shift+Enter starts a new line.');
    expect(field().getAttribute('aria-describedby')).toBe(document.querySelector('.hr-composer-hint')?.id);
  });
});

describe('a message that was not sent', () => {
  test('a message that was not sent comes back above later text, with the reason', async () => {
    const refused = createDeferred<void>();
    const { user } = open({ onSend: () => refused.promise });
    await user.type(field(), 'First{Enter}');
    await user.type(field(), 'Second');
    await finish(() => refused.reject(new Error('No network')));
    expect(field().value).toBe('First\nSecond');
    expect([hint(), spoken()]).toEqual(['Not sent: No network', 'Not sent: No network']);
    await user.type(field(), '!');
    expect(hint()).toBe('Enter sends, Shift+Enter starts a new line.');
  });

  test('an unsent message with files only comes back without an empty line', async () => {
    const refused = createDeferred<void>();
    const onUpload = async () => ({ id: '1', mediaType: 'a/b', url: 'https://files.example/1' });
    const { user } = open({ attachments: true, onUpload, onSend: () => refused.promise });
    const files = [new File(['x'], 'a.pdf')];
    fireEvent.change(document.querySelector('input[type="file"]') as Element, { target: { files } });
    await act(settled);
    await user.click(button('Send'));
    await user.type(field(), 'Second');
    await finish(() => refused.reject(new Error('No network')));
    expect(field().value).toBe('Second');
  });

  test('a message comes back from a handler that throws and can be sent again', async () => {
    const sent: unknown[] = [];
    const { user } = open({
      onSend(message) {
        sent.push(message);
        if (sent.length === 1) throw new AgentChatError({ code: 'destroyed', message: 'The chat has ended' });
      },
    });
    await user.type(field(), 'Hello{Enter}');
    expect(hint()).toBe('Not sent: This conversation is closed. Reload the page to go on.');
    await user.type(field(), '{Enter}');
    expect(sent).toEqual([{ content: 'Hello' }, { content: 'Hello' }]);
    expect(field().value).toBe('');
  });
});

describe('a composer in a chat', () => {
  test('a composer in a chat sends, shows that the agent answers, and stops it', async () => {
    const { backend, say, chat, user } = openInChat();
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
    await user.type(field(), 'Hello{Enter}');
    await say(0, start, { type: 'text-delta', id: 't', delta: 'a' });
    expect(backend.commands).toMatchObject([{ type: 'trigger', input: { USER_MESSAGE: 'Hello' } }]);
    expect(hint()).toBe('The agent is answering. Sending now interrupts it.');
    await user.click(button('Stop'));
    expect(chat.getState().status).toBe('idle');
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
    expect(document.activeElement).toBe(field());
  });

  test('a composer in a chat uses the chat for options that are undefined', async () => {
    const { say, chat, user } = openInChat({ status: undefined, onStop: undefined, onUpload: undefined });
    await user.type(field(), 'Hello{Enter}');
    await say(0, start);
    await user.click(button('Stop'));
    expect(chat.getState().status).toBe('idle');
  });

  test('a composer in a chat sends nothing during a question and keeps its text', async () => {
    const { backend, ask, answer, say, user } = openInChat();
    await ask();
    const waits = 'The agent waits for this page. Answer or stop it first.';
    expect([hint(), spoken()]).toEqual([waits, '']);
    await user.type(field(), 'Hurry{Enter}');
    expect(field().value).toBe('Hurry');
    expect(spoken()).toBe(waits);
    expect(backend.commands).toHaveLength(1);
    await answer();
    await say(1, stopped);
    await user.type(field(), '{Enter}');
    expect(backend.commands).toMatchObject([{}, { type: 'respond' }, { input: { USER_MESSAGE: 'Hurry' } }]);
  });

  test('whilePending="cancel" withdraws the question and says so before', async () => {
    const { chat, ask, user } = openInChat({ whilePending: 'cancel' });
    await ask();
    expect(hint()).toBe('The agent is waiting for your answer. Sending now withdraws its question.');
    await user.type(field(), 'Never mind{Enter}');
    await act(settled);
    expect(chat.getState().pendingClientTools).toEqual({});
    expect(field().value).toBe('');
  });

  test('whilePending="queue" sends after the answer and says so before', async () => {
    const { backend, ask, answer, say, user } = openInChat({ whilePending: 'queue' });
    await ask();
    expect(hint()).toBe('The agent is waiting for your answer. Your message goes out after it.');
    await user.type(field(), 'And then?{Enter}');
    expect(hint()).toBe('Your message goes out once the question is answered.');
    expect(backend.commands).toHaveLength(1);
    await answer();
    await say(1, stopped);
    await act(settled);
    expect(backend.commands).toMatchObject([
      {},
      { type: 'respond' },
      { input: { USER_MESSAGE: 'And then?' } },
    ]);
  });
});

describe('files of the composer', () => {
  const pdf = (name = 'a.pdf', content = 'x') => new File([content], name, { type: 'application/pdf' });
  const choose = (...files: File[]) =>
    fireEvent.change(document.querySelector('input[type="file"]') as Element, { target: { files } });
  const items = () => screen.queryAllByRole('listitem').map((item) => item.textContent);

  /** Uploads that the test ends, by file name. */
  function createUploads() {
    const uploads = new Map<
      string,
      ReturnType<typeof createDeferred<void>> & { report(percent: number): void }
    >();
    const onUpload: ComposerProps['onUpload'] = async (file, onProgress) => {
      const deferred = createDeferred<void>();
      uploads.set(file.name, { ...deferred, report: onProgress });
      await deferred.promise;
      return {
        id: file.name,
        mediaType: file.type,
        url: `https://files.example/${file.name}`,
        size: file.size,
      };
    };
    const of = (name: string) => {
      const upload = uploads.get(name);
      if (upload === undefined) throw new Error(`Nothing is uploaded as ${name}.`);
      return upload;
    };
    return { onUpload, of };
  }

  test('files cannot be attached by default', () => {
    open();
    expect(screen.queryByRole('button', { name: 'Attach files' })).toBeNull();
  });

  test('files are uploaded with progress and sent as references', async () => {
    const { onUpload, of } = createUploads();
    const { sent, user } = open({ attachments: true, onUpload });
    choose(pdf('a.pdf'), pdf('b.pdf'));
    expect(screen.getByRole('list', { name: 'Attached files' })).toBeTruthy();
    act(() => of('a.pdf').report(40));
    expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Uploading a.pdf' }).value).toBe(40);
    await user.type(field(), 'Look{Enter}');
    expect([sent.length, hint()]).toEqual([0, 'Files are still being uploaded.']);
    await finish(() => of('a.pdf').resolve());
    expect(spoken()).toBe('Files are still being uploaded.');
    await finish(() => of('b.pdf').resolve());
    expect(spoken()).toBe('b.pdf is attached.');
    await user.type(field(), '{Enter}');
    expect(sent).toEqual([
      {
        content: 'Look',
        files: ['a.pdf', 'b.pdf'].map((name) => ({
          id: name,
          mediaType: 'application/pdf',
          url: `https://files.example/${name}`,
          size: 1,
        })),
      },
    ]);
    expect(items()).toEqual([]);
  });

  test('a failed upload keeps the other files and the text, and can be retried or removed', async () => {
    const { onUpload, of } = createUploads();
    const { sent, user } = open({ attachments: true, onUpload });
    await user.type(field(), 'Look');
    choose(pdf('a.pdf'), pdf('b.pdf'));
    await finish(() => {
      of('a.pdf').resolve();
      of('b.pdf').reject(new Error('Disk full'));
    });
    expect(spoken()).toBe('b.pdf was not uploaded: Disk full');
    expect([items(), field().value]).toEqual([['a.pdf1 B', 'b.pdfDisk full'], 'Look']);
    expect(hint()).toBe('A file was not uploaded. Try it again or remove it.');
    await user.type(field(), '{Enter}');
    expect(sent).toEqual([]);
    await user.click(button('Upload b.pdf again'));
    await finish(() => of('b.pdf').reject(new Error('Still full')));
    await user.click(button('Remove b.pdf'));
    expect(document.activeElement).toBe(field());
    await user.keyboard('{Enter}');
    expect(sent).toMatchObject([{ content: 'Look', files: [{ id: 'a.pdf' }] }]);
  });

  test.each<[string, (upload: ReturnType<ReturnType<typeof createUploads>['of']>) => void]>([
    ['uploaded', (upload) => upload.resolve()],
    ['failed', (upload) => upload.reject(new Error('Disk full'))],
  ])('a file stays %s when progress is reported after its end', async (_, end) => {
    const { onUpload, of } = createUploads();
    open({ attachments: true, onUpload });
    choose(pdf());
    await finish(() => end(of('a.pdf')));
    const ended = items();
    act(() => of('a.pdf').report(90));
    expect([screen.queryByRole('progressbar'), items()]).toEqual([null, ended]);
  });

  test('progress of a failed attempt does not change the next attempt', async () => {
    const { onUpload, of } = createUploads();
    const { user } = open({ attachments: true, onUpload });
    choose(pdf());
    const first = of('a.pdf');
    await finish(() => first.reject(new Error('Disk full')));
    await user.click(screen.getByRole('button', { name: 'Upload a.pdf again' }));
    act(() => of('a.pdf').report(10));
    act(() => first.report(90));
    expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(10);
  });

  test('an uploaded file stays when more files are added at the same moment', async () => {
    const { onUpload, of } = createUploads();
    open({ attachments: true, onUpload });
    choose(pdf('a.pdf'));
    await finish(async () => {
      of('a.pdf').resolve();
      await settled();
      choose(pdf('b.pdf'));
    });
    expect(items()).toEqual(['a.pdf1 B', 'b.pdf']);
  });

  test('a file removed during its upload stays removed and is not announced', async () => {
    const { onUpload, of } = createUploads();
    const { user } = open({ attachments: true, onUpload });
    choose(pdf());
    await user.click(button('Remove a.pdf'));
    await finish(() => of('a.pdf').resolve());
    expect([items(), spoken()]).toEqual([[], '']);
  });

  test('removing a file aborts its upload and no other', async () => {
    const signals = new Map<string, AbortSignal>();
    const onUpload: ComposerProps['onUpload'] = (file, _, signal) =>
      new Promise((_resolve, reject) => {
        signals.set(file.name, signal);
        signal.addEventListener('abort', () => reject(new Error('Upload aborted')));
      });
    const { user } = open({ attachments: true, onUpload });
    choose(pdf('a.pdf'), pdf('b.pdf'));
    await user.click(button('Remove a.pdf'));
    expect([signals.get('a.pdf')?.aborted, signals.get('b.pdf')?.aborted]).toEqual([true, false]);
    expect([items(), spoken()]).toEqual([['b.pdf'], '']);
  });

  test('files come back with a message that was not sent', async () => {
    const { onUpload, of } = createUploads();
    const { user } = open({ attachments: true, onUpload, onSend: () => Promise.reject(new Error('No')) });
    choose(pdf());
    await finish(() => of('a.pdf').resolve());
    await user.type(field(), 'Look{Enter}');
    expect([items(), field().value]).toEqual([['a.pdf1 B'], 'Look']);
  });

  test('files can be dropped and pasted, and text of an office program stays text', async () => {
    const { onUpload } = createUploads();
    open({ attachments: true, onUpload });
    const files = [pdf('dropped.pdf')];
    const form = field().form as HTMLFormElement;
    fireEvent.dragOver(form, { dataTransfer: { types: ['Files'], files } });
    expect(hint()).toBe('Drop files to attach them');
    fireEvent.drop(form, { dataTransfer: { types: ['Files'], files } });
    fireEvent.paste(field(), { clipboardData: { types: ['Files'], files: [pdf('pasted.pdf')] } });
    fireEvent.paste(field(), {
      clipboardData: { types: ['text/plain', 'text/rtf', 'Files'], files: [pdf('picture-of-cells.png')] },
    });
    expect(items()).toEqual(['dropped.pdf', 'pasted.pdf']);
    expect(hint()).toBe('Files are still being uploaded.');
  });

  test.each([
    [{ accept: '.PDF, image/*' }, 'notes.txt is not an accepted kind of file.'],
    [{ maxBytes: 4_000 }, 'notes.txt is larger than 4 kB.'],
    [{ maxFiles: 1 }, 'At most 1 file can be attached.'],
  ])('files that do not fit %j are refused with the reason', (attachments, reason) => {
    const { onUpload } = createUploads();
    open({ attachments, onUpload });
    choose(pdf(), new File(['x'.repeat(5_000)], 'notes.txt', { type: 'text/plain' }));
    expect([items(), hint(), spoken()]).toEqual([['a.pdf'], reason, reason]);
  });

  test.each(['*/*', '.txt,*/*', 'application/*', ' Application/PDF', '.Pdf'])(
    'files that match accept %j are attached',
    (accept) => {
      const { onUpload } = createUploads();
      open({ attachments: { accept }, onUpload });
      choose(pdf());
      expect(items()).toEqual(['a.pdf']);
    },
  );

  test('a composer with onSend and without onUpload reports that uploads are missing', async () => {
    open({ attachments: true });
    choose(pdf());
    await act(settled);
    expect(spoken()).toBe(
      'a.pdf was not uploaded: A Composer with attachments and onSend needs onUpload as well.',
    );
  });

  test('files that are too large together come back with their text, and with what to do', async () => {
    const message = 'The files have 4.5 MB together, and a message carries 4 MB. Send fewer files.';
    const readFiles: AgentTransport['readFiles'] = async (files) => {
      if (files.length > 1)
        throw new AgentChatError({ code: 'upload_failed', errorType: 'validation_error', message });
      return [{ id: 'f', mediaType: 'image/png', url: 'data:image/png;base64,QUFB', size: 3 }];
    };
    const { chat, user } = openInChat({ attachments: true }, {}, { readFiles });
    await finish(() => choose(pdf('a.pdf'), pdf('b.pdf')));
    await user.type(field(), 'Look{Enter}');
    await act(settled);
    expect(hint()).toContain(message);
    expect([items().length, field().value, chat.getState().messages.length]).toEqual([2, 'Look', 0]);
  });

  describe('uploads through the chat', () => {
    let server: UploadServer;
    beforeEach(async () => {
      server = await createUploadServer();
      // Real requests: those of jsdom would ask for permission first.
      vi.stubGlobal('XMLHttpRequest', undefined);
    });
    afterEach(async () => {
      vi.unstubAllGlobals();
      await server.close();
    });

    test('a file is uploaded to its target and its reference sent to the agent', async () => {
      const { backend, user } = openInChat(
        { attachments: true },
        { requestUploadUrls: server.requestUploadUrls },
      );
      choose(new File(['{}'], 'a.json', { type: 'application/json' }));
      expect(await screen.findByText('2 B')).toBeTruthy();
      await user.type(field(), 'Look{Enter}');
      await act(settled);
      expect(server.received).toMatchObject([{ path: '/1/a.json', contentType: 'application/json' }]);
      expect(backend.commands).toMatchObject([
        { input: { USER_MESSAGE: 'Look', FILES: [{ url: 'https://files.example/1/a.json' }] } },
      ]);
    }, 30_000);
  });
});

describe('a composer that answers open questions in words', () => {
  const tools = { ask: defineClientTool({ interactive: true, title: 'Refund order 4711' }) };
  const openReply = (props: ComposerProps = {}) =>
    openInChat({ replyWhilePending: true, ...props }, { clientTools: tools });
  const answers = (stage: ReturnType<typeof openInChat>) =>
    stage.backend.commands.flatMap((command) => (command.type === 'respond' ? command.answers : []));

  test('says what sending does, and sends the text as the reason of a no', async () => {
    const stage = openReply();
    await stage.ask();
    expect(hint()).toBe('Sends a no to Refund order 4711, with these words.');
    expect(document.querySelector('.hr-composer-hint strong')?.textContent).toBe('Refund order 4711');
    await stage.user.type(field(), 'Wrong address');
    expect(button('Send').getAttribute('aria-disabled')).toBe('false');
    await finish(() => fireEvent.keyDown(field(), { key: 'Enter' }));
    expect(answers(stage)).toMatchObject([{ outcome: 'declined', reason: 'Wrong address' }]);
    expect([field().value, stage.chat.getState().pendingCalls]).toEqual(['', []]);
  });

  test('counts the questions where there are several', async () => {
    const stage = openReply();
    await act(async () => void stage.chat.sendMessage('Hi'));
    await stage.say(0, start, request(call('1', 'ask'), call('2', 'ask')), awaitingAnswers);
    expect(hint()).toBe('Sends a no to 2 questions, with these words.');
  });

  test('sends the text as a message when the question has ended meanwhile', async () => {
    const stage = openReply();
    await stage.ask();
    await stage.user.type(field(), 'Wrong address');
    await stage.answer();
    await stage.say(1, start, stopped);
    expect(field().value).toBe('Wrong address');
    await finish(() => fireEvent.keyDown(field(), { key: 'Enter' }));
    expect(stage.backend.commands.at(-1)).toMatchObject({
      type: 'trigger',
      input: { USER_MESSAGE: 'Wrong address' },
    });
  });

  test('offers nothing for a question that other people answer, and keeps the text', async () => {
    const stage = openReply();
    await act(async () => void stage.chat.sendMessage('Hi'));
    await stage.say(0, start, request({ ...call('1', 'ask'), mayAnswer: false }), awaitingAnswers);
    expect(hint()).not.toContain('Sends a no');
    await stage.user.type(field(), 'Wrong address{Enter}');
    expect([field().value, answers(stage)]).toEqual(['Wrong address', []]);
  });

  test('takes no files along, and says so', async () => {
    const stage = openInChat(
      { replyWhilePending: true, attachments: true, onUpload: async () => ({ ...reference, id: 'f' }) },
      { clientTools: tools },
    );
    await stage.ask();
    await finish(() =>
      fireEvent.paste(field(), { clipboardData: { files: [new File(['x'], 'x.txt')], types: ['Files'] } }),
    );
    await stage.user.type(field(), 'See this{Enter}');
    expect(hint()).toBe('Files cannot go with an answer. Remove them, or answer the question first.');
    expect([field().value, answers(stage)]).toEqual(['See this', []]);
  });

  test('of an app that sends itself names no question', () => {
    open({ status: 'awaiting-input', replyWhilePending: true });
    expect(hint()).toBe('Sends a no to the open question, with these words.');
  });
});

const reference = { mediaType: 'text/plain', url: 'https://shop.example/f' };
