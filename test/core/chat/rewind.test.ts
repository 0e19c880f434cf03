/** A conversation goes back: the same message again (`regenerate`), or another one in its place (`editMessage`). */
import { describe, expect, it } from 'vitest';
import {
  type AgentChatOptions,
  createAgentChat,
  createHttpTransport,
  createPersistence,
} from '../../../src/core.ts';
import {
  type Agent,
  createAgentSession,
  createMemorySessionStore,
  handleAgentRequest,
} from '../../../src/server.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, failure, request, start, stopped } from '../../support/scripted-events.ts';
import { shareSession } from '../../support/shared-session.ts';
import { untilStatus } from '../../support/until-status.ts';

/** A chat and its session. The agent says how often it was called, and asks first when the message is "Ask". */
function createConversation(options: Partial<AgentChatOptions> = {}) {
  const histories: string[][] = [];
  const agent: Agent = async function* (context) {
    const lines = context.messages.map((message) =>
      JSON.stringify('content' in message ? message.content : message.result),
    );
    histories.push(lines);
    if (lines.at(-1) === '"Ask"') {
      yield { type: 'tool-request', toolCalls: [{ toolCallId: 'c1', toolName: 'confirm', args: {} }] };
      return;
    }
    yield { type: 'text-start', id: 't' };
    yield { type: 'text-delta', id: 't', delta: `Answer ${histories.length}` };
    yield { type: 'text-end', id: 't' };
  };
  const session = createAgentSession({ id: 's', agent, store: createMemorySessionStore() });
  const transport = createHttpTransport({
    request: (payload, { signal }) =>
      handleAgentRequest(
        new Request('http://localhost/', {
          method: 'POST',
          body: JSON.stringify(payload),
          headers: { 'content-type': 'application/json' },
          signal,
        }),
        () => session,
      ),
  });
  const chat = createAgentChat({ transport, clientTools: { confirm: 'interactive' }, ...options });
  const shown = () =>
    chat
      .getState()
      .messages.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : part.type)).join());
  return { chat, session, histories, shown };
}

describe('regenerate()', () => {
  it('the agent answers the same message again, without its first answer', async () => {
    const { chat, histories, shown } = createConversation();
    await chat.sendMessage('One');
    await chat.sendMessage('Two');
    await chat.regenerate?.();
    expect(shown()).toEqual(['One', 'Answer 1', 'Two', 'Answer 3']);
    expect(histories.at(-1)).toEqual(['"One"', '"Answer 1"', '"Two"']);
  });

  it('a turn with answers of a person is repeated from its message, and asks again', async () => {
    const { chat, histories, shown } = createConversation();
    await chat.sendMessage('Ask');
    chat.getState().pendingCalls[0]?.submit('yes');
    await untilStatus(chat, 'idle');
    await chat.regenerate?.();
    expect(chat.getState().status).toBe('awaiting-input');
    expect(shown()).toEqual(['Ask', 'tool-call']);
    expect(histories.at(-1)).toEqual(['"Ask"']);
  });

  it('an open question is superseded only if the app says so', async () => {
    const { chat, shown } = createConversation();
    await chat.sendMessage('Ask');
    await expect(chat.regenerate?.()).rejects.toMatchObject({ code: 'awaiting_input' });
    await chat.regenerate?.({ whilePending: 'cancel' });
    expect(chat.getState().pendingCalls).toHaveLength(1);
    expect(shown()).toEqual(['Ask', 'tool-call']);
  });

  it('the trigger of an app is repeated with its input', async () => {
    const { chat, backend } = scriptedChat();
    void chat.send('buy', { item: 'tea' }, { userMessage: 'Buy tea' });
    (await backend.request(0)).send(start, stopped);
    await settled();
    void chat.regenerate?.();
    const [first, second] = await Promise.all([0, 1].map((index) => backend.request(index)));
    const [message] = chat.getState().messages;
    expect(first?.command).toEqual({
      type: 'trigger',
      triggerName: 'buy',
      input: { item: 'tea' },
      idempotencyKey: 'id-1',
    });
    expect(second?.command).toEqual({ ...first?.command, idempotencyKey: message?.id, rewindTo: 'id-1' });
  });

  it('a page that opened the conversation repeats the latest message with the input that the server has of it', async () => {
    const inputs: unknown[] = [];
    const agent: Agent = async function* ({ trigger }) {
      inputs.push(trigger);
      yield { type: 'text-start', id: 't' };
      yield { type: 'text-delta', id: 't', delta: `Answer ${inputs.length}` };
      yield { type: 'text-end', id: 't' };
    };
    const shared = shareSession({ agent });
    const { chat: laptop } = shared.device();
    await laptop.send('buy', { USER_MESSAGE: 'Buy tea', item: 'tea' }, { userMessage: 'Buy tea' });
    const phone = shared.device();
    await phone.chat.open?.();
    await phone.chat.regenerate?.();
    expect(phone.notified).toEqual([]);
    expect(inputs[1]).toEqual(inputs[0]);
    expect(inputs[1]).toEqual({ name: 'buy', input: { USER_MESSAGE: 'Buy tea', item: 'tea' } });
    const words = phone.chat.getState().messages.flatMap(({ parts }) => parts);
    expect(words).toMatchObject([{ text: 'Buy tea' }, { text: 'Answer 2' }]);
    await phone.chat.regenerate?.();
    expect(inputs[2]).toEqual(inputs[0]);
  });

  it('a page repeats the message that another page has sent after its own', async () => {
    const texts: string[] = [];
    const agent: Agent = async function* ({ messages }) {
      texts.push(
        messages
          .flatMap(({ role, ...more }) => (role === 'user' && 'content' in more ? more.content : []))
          .join(),
      );
      yield { type: 'text-start', id: 't' };
      yield { type: 'text-delta', id: 't', delta: 'Well' };
      yield { type: 'text-end', id: 't' };
    };
    const shared = shareSession({ agent });
    const [first, second] = [shared.device(), shared.device()];
    await first.chat.sendMessage('One');
    await second.chat.open?.();
    await second.chat.sendMessage('Two');
    await first.chat.open?.();
    await first.chat.regenerate?.();
    expect(texts).toEqual(['One', 'One,Two', 'One,Two']);
  });

  it('a chat that begins with messages repeats the latest one of the user as it is shown', async () => {
    const createdAt = new Date(0);
    const file = { type: 'file', id: 'f', mediaType: 'text/plain', url: 'https://files.example/f' } as const;
    const { chat, backend } = scriptedChat({
      initialMessages: [
        {
          id: 'm1',
          role: 'user',
          status: 'done',
          createdAt,
          parts: [file, { type: 'text', text: 'Hi', status: 'done' }],
        },
      ],
    });
    void chat.regenerate?.();
    const { command } = await backend.request(0);
    expect(command).toMatchObject({
      triggerName: 'user-message',
      input: {
        USER_MESSAGE: 'Hi',
        FILES: [{ id: 'f', mediaType: 'text/plain', url: 'https://files.example/f' }],
      },
      rewindTo: 'm1',
    });
    chat.destroy();
  });

  it('a chat without a message refuses, and nothing is sent', async () => {
    const { chat, backend } = scriptedChat();
    await expect(chat.regenerate?.()).rejects.toMatchObject({ code: 'invalid_options' });
    expect(backend.requests).toEqual([]);
  });

  it('a reload keeps what is needed', async () => {
    const storage = createMemoryStorage();
    const persistence = () => createPersistence({ storage, tabs: false });
    const first = createConversation({ id: 'c', persistence: persistence() });
    await first.chat.sendMessage('Ask');
    first.chat.getState().pendingCalls[0]?.submit('yes');
    await untilStatus(first.chat, 'idle');
    first.chat.destroy();
    const { chat, backend } = scriptedChat({ id: 'c', persistence: persistence() });
    await restored(chat);
    void chat.regenerate?.();
    const { command } = await backend.request(0);
    expect(command).toMatchObject({ triggerName: 'user-message', input: { USER_MESSAGE: 'Ask' } });
    expect(chat.getState().messages.map(({ role }) => role)).toEqual(['user']);
  });
});

describe('editMessage()', () => {
  it('another message takes the place of an earlier one and of all that followed', async () => {
    const { chat, histories, shown } = createConversation();
    await chat.sendMessage('One');
    await chat.sendMessage('Two');
    const [one] = chat.getState().messages;
    await chat.editMessage?.(one?.id ?? '', 'Three');
    expect(shown()).toEqual(['Three', 'Answer 3']);
    expect(histories.at(-1)).toEqual(['"Three"']);
    await chat.editMessage?.(chat.getState().messages[0]?.id ?? '', 'Four');
    expect(histories.at(-1)).toEqual(['"Four"']);
  });

  it('a message that the conversation has not, or that the agent wrote, is refused, and nothing changes', async () => {
    const { chat, histories, shown } = createConversation();
    await chat.sendMessage('One');
    for (const id of ['nothing', chat.getState().messages[1]?.id ?? ''])
      await expect(chat.editMessage?.(id, 'Two')).rejects.toMatchObject({ code: 'invalid_options' });
    expect(shown()).toEqual(['One', 'Answer 1']);
    expect(histories).toHaveLength(1);
  });

  it('a request that failed is sent again as it was', async () => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage('One');
    (await backend.request(0)).send(start, stopped);
    await settled();
    void chat.editMessage?.(chat.getState().messages[0]?.id ?? '', 'Two');
    (await backend.request(1)).send(failure);
    await settled();
    void chat.retry();
    const [, sent, again] = await Promise.all([0, 1, 2].map((index) => backend.request(index)));
    expect(again?.command).toEqual(sent?.command);
    expect(chat.getState().messages).toHaveLength(1);
  });

  it('answers of the turn that is discarded do not reach the agent twice', async () => {
    const { chat, backend } = scriptedChat({ clientTools: { confirm: 'interactive' } });
    void chat.sendMessage('One');
    const run = await backend.request(0);
    run.send(start, request(call('c1', 'confirm')), awaitingAnswers);
    await settled();
    void chat.editMessage?.(chat.getState().messages[0]?.id ?? '', 'Two', { whilePending: 'cancel' });
    const superseded = await backend.request(1);
    expect(superseded.command).toMatchObject({ type: 'respond', answers: [{ outcome: 'superseded' }] });
    superseded.send(start, stopped);
    superseded.end();
    expect((await backend.request(3)).command).toMatchObject({ input: { USER_MESSAGE: 'Two' } });
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond', 'stop', 'trigger']);
  });
});

it('a backend that cannot go back gets no such methods', () => {
  const { chat } = scriptedChat({}, createScriptedTransport({ rewind: false }));
  expect('regenerate' in chat || 'editMessage' in chat).toBe(false);
});
