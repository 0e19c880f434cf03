// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactElement, type ReactNode, StrictMode } from 'react';
import { describe, expect, test } from 'vitest';
import {
  ClientToolDialogs,
  MessageView,
  type PartRendererProps,
  ToolCallView,
  Transcript,
} from '../../../src/components.ts';
import { createAgentChat, type ToolCallPart, type UIMessage, type UIMessagePart } from '../../../src/core.ts';
import { withChat } from '../../../src/testing/with-chat.tsx';
import { createBackstage } from '../../react/support.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../support/scripted-events.ts';

const text = (words: string): UIMessagePart => ({ type: 'text', text: words, status: 'done' });
const message = (id: string, role: UIMessage['role'], ...parts: UIMessagePart[]): UIMessage => ({
  id,
  role,
  parts,
  status: 'done',
  createdAt: new Date(0),
});
const delta = (words: string) => ({ type: 'text-delta', id: 't', delta: words }) as const;

/** A chat with a page that shows it. */
function open(...[page = <Transcript />, options]: [ReactElement?, Parameters<typeof createBackstage>[0]?]) {
  const stage = createBackstage(options);
  const chat = createAgentChat(stage.options);
  const view = render(page, { wrapper: withChat(chat) });
  const send = (words: string) => act(async () => void chat.sendMessage(words));
  return { ...stage, ...view, chat, send };
}

const PARTS: readonly [UIMessagePart, string][] = [
  [text(' Hello \n there \n'), 'Hello \n there'],
  [
    {
      type: 'todo',
      todos: [
        { id: '1', content: 'Read', status: 'completed' },
        { id: '2', content: 'Write', status: 'in_progress' },
        { id: '3', content: 'Print', status: 'pending' },
        { id: '4', content: 'Post', status: 'cancelled' },
        { id: '5', content: 'Wait', status: 'constructor' },
      ],
    },
    'Read doneWrite in progressPrint to doPost droppedWait constructor',
  ],
  [{ type: 'reasoning', text: 'Because', status: 'done' }, 'Thought about itBecause'],
  [{ type: 'reasoning', text: 'Bec', status: 'streaming' }, 'Thinking…Bec'],
  [
    { type: 'operation', operationId: '1', name: 'Reading mail', operationType: 'x', status: 'running' },
    'Reading mail running',
  ],
  [
    { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com/a', title: 'The page' },
    'The pageexample.com',
  ],
  [{ type: 'source', sourceType: 'url', id: '1', url: 'https://example.com/a' }, 'https://example.com/a'],
  [
    { type: 'source', sourceType: 'url', id: '1', url: 'javascript:alert(1)', title: 'The page' },
    'The pagejavascript:alert(1)',
  ],
  [
    { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com/a', title: '' },
    'https://example.com/a',
  ],
  [{ type: 'source', sourceType: 'url', id: '1', url: 'https://аpple.com/' }, 'https://xn--pple-43d.com/'],
  [{ type: 'source', sourceType: 'url', id: '1', url: 'javascript:alert(1)' }, 'javascript:alert(1)'],
  [{ type: 'source', sourceType: 'document', id: '1', mediaType: 'a/b', title: 'Report' }, 'Report'],
  [
    { type: 'file', id: '1', mediaType: 'a/b', url: '/files/1', filename: 'a.pdf', size: 12_340 },
    'a.pdf12 kB',
  ],
  [{ type: 'file', id: '1', mediaType: 'a/b', url: 'data:a/b,x', size: 1_500_000 }, 'File1.5 MB'],
  [{ type: 'file', id: '1', mediaType: 'a/b', url: '/files/1', filename: '' }, 'File'],
  [{ type: 'object', id: '1', typeName: 'flight-offer', object: { price: 9 }, status: 'done' }, 'Price9'],
  [
    { type: 'object', id: '1', typeName: 'flight-offer', partial: ['a'], status: 'error', error: 'Cut off' },
    'Flight offeraCut off',
  ],
  // A part of a newer server.
  [{ type: 'poll', items: [{ title: 'Pack' }] } as unknown as UIMessagePart, ''],
];

test.each(PARTS)('a part %j reads %j', (part, words) => {
  render(<MessageView message={message('1', 'assistant', part)} />);
  expect(screen.getByRole('article', { name: 'Agent' }).textContent).toBe(words);
});

test('a call that is shown by its title alone hides its arguments and its result, but no error', () => {
  const call: ToolCallPart = {
    type: 'tool-call',
    toolCallId: '1',
    toolName: 'write-memory',
    displayName: 'Taking notes',
    args: { note: 'internal' },
    result: 'secret',
    status: 'done',
  };
  const { container, rerender } = render(<ToolCallView part={{ ...call, display: 'title' }} />);
  expect(container.textContent).toBe('Taking notesdone');
  expect(container.querySelector('.hr-call-body')?.childElementCount).toBe(0);
  rerender(<ToolCallView part={{ ...call, display: 'title', status: 'error', error: 'Disk full' }} />);
  expect(container.textContent).toContain('Disk full');
  expect(container.textContent).not.toMatch(/internal|secret/);
  rerender(<ToolCallView part={{ ...call, display: 'stream' }} />);
  expect(container.textContent).toMatch(/internal.*secret/);
});

test('the parts of a worker stand below its name, once per run of parts', () => {
  const worker = (id: string, name: string): UIMessagePart => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    args: {},
    status: 'done',
  });
  const from = (thread: string, words: string): UIMessagePart => ({
    type: 'text',
    text: words,
    status: 'done',
    thread,
  });
  const answer = message(
    '1',
    'assistant',
    worker('w1', 'paper-reader'),
    worker('w2', 'translator'),
    from('w1', 'a'),
    from('w1', 'b'),
    from('w2', 'c'),
    from('w1', 'd'),
    from('summary', 'e'),
    text('Done'),
  );
  const { container } = render(<MessageView message={answer} />);
  const threads = [...container.querySelectorAll('[data-thread]')].map((part) => part.textContent);
  expect(threads).toEqual(['Paper readera', 'b', 'Translatorc', 'Paper readerd', 'e']);
  expect(screen.getByText('Done').previousElementSibling).toBeNull();
});

test('a message is shown with the name of its sender', () => {
  const hello = message('1', 'user', text('Hello'));
  const { rerender } = render(<MessageView message={{ ...hello, sender: { id: 'u1', name: 'Ada' } }} />);
  expect(screen.getByRole('article', { name: 'Ada' }).textContent).toBe('AdaHello');
  rerender(<MessageView message={{ ...hello, sender: { id: 'u1' } }} />);
  expect(screen.getByRole('article', { name: 'You' }).textContent).toBe('Hello');
});

test('the picture of a sender is not fetched', () => {
  const image = 'https://people.example/ada.png';
  const { container } = render(
    <MessageView message={{ ...message('1', 'user', text('Hello')), sender: { name: 'Ada', image } }} />,
  );
  expect(container.innerHTML).not.toContain(image);
});

test('text of whitespace renders no line', () => {
  const { container } = render(<MessageView message={message('1', 'assistant', text(' \n'))} />);
  expect(container.querySelector('p')).toBeNull();
});

test('only the running one of two calls with the same id is shown as waiting', () => {
  const call = (status: 'done' | 'running'): UIMessagePart => ({
    type: 'tool-call',
    toolCallId: '1',
    toolName: 'ask',
    args: {},
    status,
  });
  const again = message('1', 'assistant', call('done'), call('running'));
  const { container } = render(<MessageView message={again} waiting={['1']} />);
  const words = [...container.querySelectorAll('.hr-call-word')].map((word) => word.textContent);
  expect(words).toEqual(['done', 'waits for you']);
});

test.each([
  ['https://example.com/a', 'https://example.com/a'],
  ['/files/1', '/files/1'],
  ['//evil.test/1', undefined],
  ['/\\evil.test', undefined],
  ['/\t/evil.test', undefined],
  ['/\n\\evil.test', undefined],
  ['javascript:alert(1)', undefined],
])('a file at %s links to %s', (url, href) => {
  render(<MessageView message={message('1', 'user', { type: 'file', id: '1', mediaType: 'a/b', url })} />);
  expect(screen.queryByRole('link')?.getAttribute('href')).toBe(href);
});

test('markup in a message is shown as text', () => {
  const { container } = render(<Transcript messages={[message('1', 'assistant', text('<img src=x>'))]} />);
  expect(container.querySelector('img')).toBeNull();
  expect(screen.getByText('<img src=x>')).toBeTruthy();
});

describe('renderers', () => {
  const Shout = ({ part, role }: PartRendererProps<Extract<UIMessagePart, { type: 'text' }>>) => (
    <b>
      {role}: {part.text}!
    </b>
  );
  const renderers = {
    text: Shout,
    'tool-call': ({ part, children }: PartRendererProps<Extract<UIMessagePart, { type: 'tool-call' }>>) =>
      part.toolName === 'mine' ? <i>mine</i> : children,
    message: ({ message: { id }, children }: { message: UIMessage; children: ReactNode }) => (
      <div data-testid={id}>{children}</div>
    ),
  };

  test('renderers replace a part, return it unchanged, or wrap a message', () => {
    const tool = (toolName: string): UIMessagePart => ({
      type: 'tool-call',
      toolCallId: toolName,
      toolName,
      args: {},
      status: 'done',
    });
    render(
      <Transcript
        renderers={renderers}
        messages={[message('1', 'assistant', text('Hi'), tool('mine'), tool('yours'))]}
      />,
    );
    expect(screen.getByTestId('1').textContent).toBe('assistant: Hi!mineYoursdone');
  });

  test('renderers in an inline object do not render unchanged parts again', () => {
    let renders = 0;
    const Counted = ({ children }: PartRendererProps<Extract<UIMessagePart, { type: 'text' }>>) => {
      renders += 1;
      return children;
    };
    const messages = [message('1', 'assistant', text('Hi'))];
    const { rerender } = render(<Transcript renderers={{ text: Counted }} messages={messages} />);
    rerender(<Transcript renderers={{ text: Counted }} messages={messages} />);
    expect(renders).toBe(1);
    rerender(<Transcript renderers={{ text: Shout }} messages={messages} />);
    expect(screen.getByText('assistant: Hi!')).toBeTruthy();
    rerender(<Transcript renderers={{}} messages={messages} />);
    expect(screen.getByText('Hi')).toBeTruthy();
    rerender(<Transcript renderers={{ text: Shout }} messages={messages} />);
    expect(screen.getByText('assistant: Hi!')).toBeTruthy();
  });
});

describe('a transcript in a chat', () => {
  test('only the streaming part of 500 messages renders', async () => {
    const renders = new Map<string, number>();
    const Counted = ({ part, children }: PartRendererProps<Extract<UIMessagePart, { type: 'text' }>>) => {
      const name = part.text.slice(0, 9);
      renders.set(name, (renders.get(name) ?? 0) + 1);
      return children;
    };
    const initialMessages = Array.from({ length: 500 }, (_, index) =>
      message(`m${index}`, index % 2 === 0 ? 'user' : 'assistant', text(`message ${index}`)),
    );
    let drawn: string[] = [];
    const Drawn = ({ message: { id }, children }: { message: UIMessage; children: ReactNode }) => {
      drawn.push(id);
      return children;
    };
    const renderers = { text: Counted, message: Drawn };
    const { send, say, chat, container } = open(<Transcript renderers={renderers} />, { initialMessages });
    await send('streaming?');
    await say(0, start, delta('streaming'));
    renders.clear();
    drawn = [];
    for (let frame = 0; frame < 4; frame += 1) await say(0, delta('.'));
    expect([...renders]).toEqual([['streaming', 4]]);
    expect(new Set(drawn)).toEqual(new Set([chat.getState().messages.at(-1)?.id]));
    await say(0, stopped);
    expect([...renders]).toEqual([['streaming', 5]]);
    expect(container.querySelectorAll('article')).toHaveLength(502);
  }, 30_000);

  test('a transcript shows that the agent is working while no part shows it', async () => {
    const { send, say } = open();
    await send('Hi');
    expect(screen.getByText('Thinking…')).toBeTruthy();
    await say(0, start, delta('Hello'));
    expect(screen.queryByText('Thinking…')).toBeNull();
    await say(0, { type: 'text-end', id: 't' });
    expect(screen.getByText('Thinking…')).toBeTruthy();
    await say(0, { type: 'tool-input-start', toolCallId: '1', toolName: 'look' });
    expect(screen.queryByText('Thinking…')).toBeNull();
    await say(0, { type: 'tool-input-end', toolCallId: '1' });
    await say(0, { type: 'tool-input-available', toolCallId: '1', toolName: 'look', input: {} });
    expect([screen.queryByText('running') === null, screen.queryByText('Thinking…')]).toEqual([false, null]);
    await say(0, stopped);
    expect(screen.queryByText('Thinking…')).toBeNull();
  });

  test('a complete answer is read out once, and restored messages are not', async () => {
    const said: string[] = [];
    const initialMessages = [message('1', 'assistant', text('Earlier'))];
    const { send, say } = open(<Transcript />, { initialMessages });
    const region = screen.getByRole('status');
    const listen = () => {
      const words = region.textContent ?? '';
      if (words !== said.at(-1)) said.push(words);
    };
    listen();
    await send('Hi');
    listen();
    for (const words of ['Hel', 'lo', ' you']) {
      await say(0, delta(words));
      listen();
    }
    await say(0, stopped);
    listen();
    expect(said).toEqual(['', 'The agent is answering.', 'Agent: Hello you']);
    await send('Again');
    listen();
    await say(1, delta('Hello you'), stopped);
    listen();
    expect(said.slice(3)).toEqual(['The agent is answering.', 'Agent: Hello you']);
  });

  test('a former answer is not read out again, not even for a moment', async () => {
    const { send, say } = open();
    const stood: (string | null)[] = [];
    const watch = new MutationObserver((changes) => stood.push(...changes.map(({ oldValue }) => oldValue)));
    watch.observe(screen.getByRole('status'), { characterDataOldValue: true, subtree: true });
    await send('Hi');
    await say(0, delta('One'), stopped);
    await send('Again');
    await say(1, delta('Two'), stopped);
    watch.disconnect();
    expect(stood.filter((words) => words === 'Agent: One')).toHaveLength(1);
    expect(screen.getByRole('status').textContent).toBe('Agent: Two');
  });

  test('a question inside an answer does not end it, and only the text of the answer is read out', async () => {
    const { send, say, chat } = open(<Transcript />, { clientTools: { ask: 'interactive' } });
    const region = screen.getByRole('status');
    await send('Hi');
    await say(0, start, { type: 'reasoning-delta', id: 'r', delta: 'Well' }, delta('One moment.'));
    await say(0, request(call('1', 'ask')), awaitingAnswers);
    expect(region.textContent).toBe('');
    await act(async () => void chat.getState().pendingClientTools.ask?.[0]?.submit('yes'));
    await say(1, { type: 'text-delta', id: 'u', delta: 'Done.' }, stopped);
    expect(region.textContent).toBe('Agent: One moment. Done.');
  });

  test('the text of a worker stands in a thread of its own and is not read out as the answer', async () => {
    const { send, say } = open();
    await send('Hi');
    await say(0, start, { type: 'text-delta', id: 't', delta: 'worker words', workerId: 'w' });
    await say(0, delta('Hello.'), stopped);
    const thread = (words: string) =>
      screen.getByText(words).closest('[data-part]')?.getAttribute('data-thread');
    expect([thread('worker words'), thread('Hello.')]).toEqual(['w', null]);
    expect(screen.getByRole('status').textContent).toBe('Agent: Hello.');
  });

  test('a question of a worker names the worker', async () => {
    const { send, say } = open(<ClientToolDialogs mode="inline" />, { clientTools: { ask: 'interactive' } });
    await send('Hi');
    const worker = { toolCallId: 'w', toolName: 'paper-reader', title: 'Reading papers' };
    await say(
      0,
      start,
      { type: 'tool-input-available', ...worker, input: {} },
      { type: 'tool-input-available', ...call('1', 'ask'), input: {}, workerId: 'w' },
      request(call('1', 'ask'), call('2', 'ask')),
      awaitingAnswers,
    );
    expect(screen.getAllByText(/for its agent/).map((line) => line.textContent)).toEqual([
      ' · for its agent “Paper reader”',
    ]);
  });

  test('a message of the person without an answer is not read out', async () => {
    const { send, chat } = open();
    await send('Hi');
    await act(async () => chat.stop());
    expect(screen.getByRole('status').textContent).toBe('');
  });

  test('a call that waits for the person says so until it is answered', async () => {
    const { send, say, chat } = open(<Transcript />, { clientTools: { ask: 'interactive' } });
    await send('Hi');
    await say(0, start, request(call('1', 'ask')), awaitingAnswers);
    expect(screen.getByText('waits for you')).toBeTruthy();
    await act(async () => void chat.getState().pendingClientTools.ask?.[0]?.submit('yes'));
    expect(screen.queryByText('waits for you')).toBeNull();
    expect(screen.getByText('done')).toBeTruthy();
  });

  test('a failed turn shows its error and a retry, and the focus stays in the transcript', async () => {
    const { send, say, backend } = open();
    await send('Hi');
    await say(0, start, {
      type: 'error',
      errorType: 'rate_limit_error',
      source: 'provider',
      message: 'Too many requests',
      retryable: true,
      retryAfter: 7,
    });
    expect(screen.getByRole('alert').textContent).toBe(
      'The answer failedToo many requestsThe server asks you to wait 7 seconds.Try againDismiss',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Conversation' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(backend.commands).toHaveLength(2);
  });

  test('a stopped answer says so', async () => {
    const { send, say, chat, container } = open();
    await send('Hi');
    await say(0, start, delta('Once upon a'));
    await act(async () => chat.stop());
    expect(container.querySelector('.hr-message:last-of-type')?.textContent).toBe('Once upon aStopped');
  });

  test('an error that is not retryable can only be dismissed', async () => {
    const { send, say, chat } = open();
    await send('Hi');
    await say(0, start, {
      type: 'error',
      errorType: 'authentication_error',
      source: 'platform',
      message: 'Log in first',
      retryable: false,
    });
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Conversation' }));
    expect(chat.getState().error).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

test('empty content shows while there are no messages, and children below the last message', () => {
  const { rerender } = render(<Transcript messages={[]} empty={<p>Welcome</p>} />);
  expect(screen.getByText('Welcome')).toBeTruthy();
  rerender(
    <Transcript messages={[message('1', 'user', text('Hi'))]} empty={<p>Welcome</p>}>
      <p>below</p>
    </Transcript>,
  );
  expect(screen.queryByText('Welcome')).toBeNull();
  expect(screen.getByRole('region', { name: 'Conversation' }).textContent).toBe('Hibelow');
});

test('an answer is read out under StrictMode', async () => {
  const { send, say } = open(
    <StrictMode>
      <Transcript />
    </StrictMode>,
  );
  await send('Hi');
  await say(0, delta('Hello'), stopped);
  expect(screen.getByRole('status').textContent).toBe('Agent: Hello');
});
