/** A chat shows what a server of Octavus 6.4 sends, and sends back what such a server wants. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeNativeEvent } from '../../../src/core/protocol/native.ts';
import { encodeNativeCommand } from '../../../src/core/protocol/native-encode.ts';
import { decodeNativeMessages } from '../../../src/core/transport/read-event-stream.ts';
import { createSseReader } from '../../../src/core/wire/sse.ts';
import {
  type AgentCommand,
  type AgentEvent,
  type ClientTools,
  createPersistence,
  uiMessageSchema,
} from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, failure, request, start, stopped } from '../../support/scripted-events.ts';
import { createIO } from '../transport/support.ts';

const fixture = readFileSync(new URL('../../fixtures/native/octavus-6-4.sse', import.meta.url));

function decodeFixture(): readonly AgentEvent[] {
  return decodeNativeMessages(createSseReader().feed(fixture), createIO()).events;
}

describe('a response of Octavus 6.4', () => {
  it('the response shows its workers, its tasks and a call without details', async () => {
    const { chat, backend, notified } = scriptedChat();
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(...decodeFixture());
    run.end();
    await settled();
    const message = chat.getState().messages.at(-1);
    expect(notified).toEqual(['finish stop']);
    expect(uiMessageSchema.safeParse(message).success).toBe(true);
    expect(message?.parts).toEqual([
      {
        type: 'todo',
        todos: [
          { id: '1', content: 'Read the papers', status: 'completed' },
          { id: '2', content: 'Write the summary', status: 'in_progress' },
        ],
      },
      {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'octavus_memory_write',
        displayName: 'Taking notes',
        display: 'title',
        args: { note: 'internal' },
        result: { saved: true },
        status: 'done',
        executedBy: 'server',
      },
      {
        type: 'tool-call',
        toolCallId: 'w1',
        toolName: 'paper-reader',
        displayName: 'Reading papers',
        args: { topic: 'light' },
        result: { papers: 2 },
        status: 'done',
        executedBy: 'server',
      },
      { type: 'text', text: 'Two papers are about light.', status: 'done', thread: 'w1' },
      {
        type: 'todo',
        todos: [{ id: '1', content: 'Open both papers', status: 'completed' }],
        thread: 'w1',
      },
      {
        type: 'file',
        id: 'f1',
        mediaType: 'application/pdf',
        url: 'https://files.example/light.pdf',
        filename: 'light.pdf',
        size: 4096,
        toolCallId: 'c7',
        thread: 'w1',
      },
      {
        type: 'tool-call',
        toolCallId: 'w2',
        toolName: 'translator',
        args: {},
        error: 'No dictionary',
        status: 'error',
        executedBy: 'server',
      },
      { type: 'text', text: 'Light is fast.', status: 'done' },
    ]);
  });

  it('the input of a worker is shown while it arrives', async () => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(...decodeFixture().slice(0, 7));
    await settled();
    expect(chat.getState().messages.at(-1)?.parts.at(-1)).toMatchObject({
      toolCallId: 'w1',
      args: { topic: 'li' },
      status: 'pending',
    });
    chat.stop();
    expect(chat.getState().messages.at(-1)?.parts.at(-1)).toMatchObject({ status: 'cancelled' });
  });

  it('a list of tasks takes the place of the one before and leaves the former state as it was', async () => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    const [first, before, ...events] = decodeFixture();
    run.send(first as AgentEvent, before as AgentEvent);
    await settled();
    const [todos] = chat.getState().messages.at(-1)?.parts ?? [];
    run.send(...events);
    run.end();
    await settled();
    expect(todos).toMatchObject({ todos: [{ status: 'in_progress' }, { status: 'pending' }] });
    expect(chat.getState().messages.at(-1)?.parts[0]).not.toBe(todos);
  });

  it('onStart gets the session that the server created', async () => {
    const sessions: unknown[] = [];
    const { chat, backend } = scriptedChat({ onStart: ({ sessionId }) => sessions.push(sessionId) });
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(...decodeFixture());
    await settled();
    expect(sessions).toEqual(['s1']);
  });
});

describe('retry() of a message', () => {
  /** The commands of a message whose first run fails after this `start`, and of its retry. */
  async function retryAfter(...starts: object[]) {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage('Hi');
    for (const [index, fields] of starts.entries()) {
      const run = await backend.request(index);
      run.send(
        decodeNativeEvent({ type: 'start', executionId: `run-${index}`, ...fields }) as AgentEvent,
        failure,
      );
      await settled();
      void chat.retry();
    }
    const last = await backend.request(starts.length);
    last.send({ type: 'start' }, stopped);
    await settled();
    return backend.commands.map((command) => encodeNativeCommand(command));
  }

  it('a retry goes back to the last message before the first run', async () => {
    const sent = await retryAfter(
      { lastMessageId: 'm8', sessionId: 's' },
      { lastMessageId: 'm10', sessionId: 's' },
    );
    expect(sent[0]).not.toHaveProperty('rollbackAfterMessageId');
    expect(sent[1]).toEqual({ ...sent[0], rollbackAfterMessageId: 'm8' });
    expect(sent[2]).toEqual(sent[1]);
  });

  it('a retry in a session that was empty goes back to its beginning', async () => {
    const sent = await retryAfter({ sessionId: 's' });
    expect(sent[1]).toEqual({ ...sent[0], rollbackAfterMessageId: null });
  });

  it('a retry at a server that names neither a session nor a message is the message alone', async () => {
    const sent = await retryAfter({});
    expect(sent[1]).toEqual(sent[0]);
  });

  it('regenerate goes back to the same message', async () => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send({ type: 'start', executionId: 'run-1', sessionId: 's', lastMessageId: 'm8' }, stopped);
    await settled();
    void chat.regenerate?.();
    await backend.request(1);
    expect(backend.commands[1]).toMatchObject({ type: 'trigger', rollbackAfterMessageId: 'm8' });
  });

  it('a retry after a reload still goes back', async () => {
    const persistence = createPersistence({ storage: createMemoryStorage() });
    const first = scriptedChat({ id: 'c', persistence });
    void first.chat.sendMessage('Hi');
    (await first.backend.request(0)).send(
      { type: 'start', executionId: 'run-1', sessionId: 's', lastMessageId: 'm8' },
      failure,
    );
    await settled();
    first.chat.destroy();
    const second = scriptedChat({ id: 'c', persistence });
    void second.chat.retry();
    await second.backend.request(0);
    expect(second.backend.commands[0]).toMatchObject({ type: 'trigger', rollbackAfterMessageId: 'm8' });
  });
});

describe('the sender of a message', () => {
  it('the message shows its sender, as a copy without unknown fields', async () => {
    const { chat } = scriptedChat();
    const sender = { id: 'u1', name: 'Ada', image: 'https://people.example/ada.png', age: 36 };
    void chat.sendMessage({ content: 'Hi', sender });
    await settled();
    const [message] = chat.getState().messages;
    expect(message?.sender).toEqual({ id: 'u1', name: 'Ada', image: 'https://people.example/ada.png' });
    expect(Object.isFrozen(message?.sender)).toBe(true);
    expect(Object.isFrozen(sender)).toBe(false);
    expect(uiMessageSchema.parse(message).sender).toEqual(message?.sender);
  });

  it('a message without a sender has none', async () => {
    const { chat, backend } = scriptedChat();
    void chat.sendMessage('Hi');
    await settled();
    expect(chat.getState().messages[0]).not.toHaveProperty('sender');
    expect(backend.commands[0]).not.toHaveProperty('sender');
  });
});

describe('the files of a handler', () => {
  const file = { id: 'f1', mediaType: 'image/png', url: 'https://files.example/1.png', filename: '1.png' };

  /** The results that the server gets after the handlers of these tools ran. */
  async function resultsOf(clientTools: ClientTools) {
    const { chat, backend } = scriptedChat({ clientTools });
    void chat.sendMessage('Hi');
    const calls = Object.keys(clientTools).map((toolName) => call(toolName, toolName));
    (await backend.request(0)).send(start, request(...calls), awaitingAnswers);
    await backend.request(1);
    const payload = encodeNativeCommand(backend.commands[1] as AgentCommand);
    return payload.type === 'continue' ? payload.toolResults : [];
  }

  it('files that a handler attaches go out with its result', async () => {
    const results = await resultsOf({
      shoot: (_args, { addFile }) => {
        addFile(file);
        addFile({ ...file, id: 'f2' });
        return 'two pictures';
      },
      plain: () => 'no picture',
    });
    expect(results).toEqual([
      {
        toolCallId: 'shoot',
        toolName: 'shoot',
        outcome: 'submitted',
        result: 'two pictures',
        files: [file, { ...file, id: 'f2' }],
      },
      { toolCallId: 'plain', toolName: 'plain', outcome: 'submitted', result: 'no picture' },
    ]);
    expect(results[1]).not.toHaveProperty('files');
  });

  it('files of a handler that fails stay here', async () => {
    const results = await resultsOf({
      shoot: (_args, { addFile }) => {
        addFile(file);
        throw new Error('Lens cap');
      },
    });
    expect(results).toEqual([
      { toolCallId: 'shoot', toolName: 'shoot', outcome: 'failed', error: 'Lens cap' },
    ]);
  });
});
