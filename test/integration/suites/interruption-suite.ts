/** Cases for every backend: a person stops or interrupts a turn. */
import { describe, expect, it } from 'vitest';
import type { BackendKind } from '../backend.ts';
import { createGate, findPending, openChat, readText, readTexts } from '../open-chat.ts';

export function describeInterruptions(kind: BackendKind): void {
  describe(`stopped and interrupted: ${kind.name}`, () => {
    it('a stop in the middle of a text ends the run at the agent, and the next message is answered', async () => {
      const gate = createGate();
      const backend = await kind.open(({ text }) => [text === 'go' ? ['Half ', gate, 'whole.'] : ['Again.']]);
      const { chat, until, callbacks } = openChat(backend);
      const sent = chat.sendMessage('go');
      await until((state) => readText(state) === 'Half ');
      await gate.reached;
      chat.stop();
      await gate.abandoned;
      await sent;
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(chat.getState().messages[1]).toMatchObject({
        status: 'done',
        parts: [{ text: 'Half ', status: 'done' }],
      });
      await chat.sendMessage('next');
      expect(readText(chat.getState())).toBe('Again.');
      expect(chat.getState().messages).toHaveLength(4);
      expect([backend.refusals, callbacks]).toEqual([[], ['stop', 'finish stop']]);
    });

    it('a stop while a handler runs aborts its signal, and its result is never sent', async () => {
      const gate = createGate();
      const backend = await kind.open(({ text }) => (text === 'go' ? [[{ call: 'slow' }]] : [['Again.']]));
      const { chat, callbacks } = openChat(backend, { slow: (_args, { signal }) => gate.hold(signal) });
      const sent = chat.sendMessage('go');
      await gate.reached;
      chat.stop();
      await Promise.all([gate.abandoned, sent]);
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      await chat.sendMessage('next');
      expect(readText(chat.getState())).toBe('Again.');
      const results = (await backend.readTranscript()).filter((line) => 'result' in line);
      expect([results, backend.refusals, callbacks]).toEqual([[], [], ['stop', 'finish stop']]);
    });

    it('a stop while a question is open makes a late answer change nothing', async () => {
      const backend = await kind.open(({ text }) => (text === 'go' ? [[{ call: 'ask' }]] : [['Again.']]));
      const { chat, callbacks } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('go');
      const tool = findPending(chat.getState(), 'ask');
      chat.stop();
      expect(chat.getState()).toMatchObject({ status: 'idle', pendingClientTools: {} });
      expect(tool.submit('late')).toEqual({ settled: false, reason: 'already-settled' });
      await chat.sendMessage('next');
      expect(readText(chat.getState())).toBe('Again.');
      const results = (await backend.readTranscript()).filter((line) => 'result' in line);
      expect([results, backend.refusals, callbacks]).toEqual([[], [], ['stop', 'finish stop']]);
    });

    it('a message during a streaming text keeps the events of both runs apart', async () => {
      const gate = createGate();
      const backend = await kind.open(({ text }) =>
        text === 'one' ? [['Old ', gate, 'rest.']] : [['New. ', { call: 'auto' }], ['End.']],
      );
      const { chat, until, callbacks } = openChat(backend, { auto: () => 1 });
      const first = chat.sendMessage('one');
      await until((state) => readText(state) === 'Old ');
      await gate.reached;
      const second = chat.sendMessage('two');
      await first;
      await second;
      await gate.abandoned;
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(readTexts(chat.getState())).toEqual(['one', 'Old ', 'two', 'New. End.']);
      expect((await backend.readTranscript()).filter((line) => 'answer' in line)).toEqual([
        { answer: 'call-1', result: 1 },
      ]);
      expect([backend.refusals, callbacks]).toEqual([[], ['finish stop']]);
    });

    it('the last of five messages in one tick is answered, and the others show no events', async () => {
      const backend = await kind.open(({ text }) => [[`You said ${text}.`]]);
      const { chat, callbacks } = openChat(backend);
      await Promise.all(['1', '2', '3', '4', '5'].map((text) => chat.sendMessage(text)));
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(readText(chat.getState())).toBe('You said 5.');
      expect(chat.getState().messages.filter(({ role }) => role === 'user')).toHaveLength(5);
      expect([backend.refusals, callbacks]).toEqual([[], ['finish stop']]);
    });

    it("whilePending 'cancel' sends the cancelled call to the agent before the message", async () => {
      const backend = await kind.open(({ text }) =>
        text === 'order' ? [[{ call: 'ask' }, { call: 'ask' }], ['As you wish.']] : [['Hello.']],
      );
      const { chat, callbacks } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('order');
      findPending(chat.getState(), 'ask').submit('early');
      await chat.sendMessage('never mind', { whilePending: 'cancel' });
      expect(readTexts(chat.getState())).toEqual(['order', '', 'never mind', 'Hello.']);
      expect((await backend.readTranscript()).filter((line) => !('call' in line))).toEqual([
        { user: 'order' },
        { answer: 'call-1', result: 'early' },
        { answer: 'call-2', error: 'Superseded by a new message' },
        { user: 'never mind' },
      ]);
      expect([backend.refusals, callbacks]).toEqual([[], ['finish stop']]);
    });

    it("whilePending 'queue' sends the message when the turn has ended", async () => {
      const backend = await kind.open(({ text }) =>
        text === 'order' ? [[{ call: 'ask' }], ['Ordered.']] : [['Hello.']],
      );
      const { chat } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('order');
      const queued = chat.sendMessage('and then', { whilePending: 'queue' });
      findPending(chat.getState(), 'ask').submit('yes');
      await queued;
      expect(readTexts(chat.getState())).toEqual(['order', 'Ordered.', 'and then', 'Hello.']);
      expect((await backend.readTranscript()).filter((line) => !('call' in line))).toEqual([
        { user: 'order' },
        { answer: 'call-1', result: 'yes' },
        { user: 'and then' },
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('a message while a handler runs supersedes its call, and its result is never sent', async () => {
      const gate = createGate();
      const backend = await kind.open(({ text }) =>
        text === 'one' ? [[{ call: 'slow' }], ['Never mind.']] : [['Hello.']],
      );
      const { chat } = openChat(backend, { slow: (_args, { signal }) => gate.hold(signal) });
      void chat.sendMessage('one');
      await gate.reached;
      await chat.sendMessage('two');
      await gate.abandoned;
      expect(readText(chat.getState())).toBe('Hello.');
      expect((await backend.readTranscript()).filter((line) => !('call' in line))).toEqual([
        { user: 'one' },
        { answer: 'call-1', error: 'Superseded by a new message' },
        { user: 'two' },
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('an error event ends the turn in a typed error, and the next message is answered', async () => {
      const error = {
        type: 'error',
        errorType: 'rate_limit_error',
        message: 'Slow down',
        retryable: true,
        retryAfter: 7,
        source: 'provider',
        provider: { name: 'acme', statusCode: 429 },
      };
      const backend = await kind.open(({ text }) =>
        text === 'go' ? [[{ call: 'auto' }], ['Half ', { event: error }]] : [['Whole.']],
      );
      const { chat, callbacks } = openChat(backend, { auto: () => 1 });
      await chat.sendMessage('go');
      expect(chat.getState().error).toMatchObject({
        code: 'backend_error',
        errorType: 'rate_limit_error',
        message: 'Slow down',
        retryAfter: 7,
        provider: { name: 'acme', statusCode: 429 },
      });
      expect(chat.getState().messages[1]).toMatchObject({ status: 'done', parts: [{ status: 'done' }, {}] });
      await chat.sendMessage('continue');
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(readText(chat.getState())).toBe('Whole.');
      expect(callbacks).toEqual(['error backend_error', 'finish stop']);
    });
  });
}
