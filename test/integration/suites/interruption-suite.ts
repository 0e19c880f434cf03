/** What has to hold in front of every backend: people who stop and interrupt, and connections that break. */
import { describe, expect, it } from 'vitest';
import type { AgentChatState } from '../../../src/core.ts';
import type { BackendKind } from '../backend.ts';
import { createGate, findPending, openChat, readText } from '../open-chat.ts';

const isIdle = ({ status }: AgentChatState) => status === 'idle';
const isFailed = ({ status }: AgentChatState) => status === 'error';

export function describeInterruptions(kind: BackendKind): void {
  describe(`stopped and interrupted: ${kind.name}`, () => {
    it('stop in the middle of a text ends the run at the agent, and the next message is answered', async () => {
      const gate = createGate();
      const backend = await kind.open(({ text }) => [text === 'go' ? ['Half ', gate, 'whole.'] : ['Again.']]);
      const { chat, until, heard } = openChat(backend);
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
      expect([backend.refusals, heard]).toEqual([[], ['stop', 'finish stop']]);
    });

    it('O-02 stop while a handler runs: its signal aborts and its result is never sent', async () => {
      const gate = createGate();
      const backend = await kind.open(({ text }) => (text === 'go' ? [[{ call: 'slow' }]] : [['Again.']]));
      const { chat, heard } = openChat(backend, { slow: (_args, { signal }) => gate.hold(signal) });
      const sent = chat.sendMessage('go');
      await gate.reached;
      chat.stop();
      await Promise.all([gate.abandoned, sent]);
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      await chat.sendMessage('next');
      expect(readText(chat.getState())).toBe('Again.');
      const results = (await backend.readTranscript()).filter((line) => 'result' in line);
      expect([results, backend.refusals, heard]).toEqual([[], [], ['stop', 'finish stop']]);
    });

    it('stop while a person is asked: a late answer changes nothing', async () => {
      const backend = await kind.open(({ text }) => (text === 'go' ? [[{ call: 'ask' }]] : [['Again.']]));
      const { chat, heard } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('go');
      const tool = findPending(chat.getState(), 'ask');
      chat.stop();
      expect(chat.getState()).toMatchObject({ status: 'idle', pendingClientTools: {} });
      expect(tool.submit('late')).toEqual({ settled: false, reason: 'already-settled' });
      await chat.sendMessage('next');
      expect(readText(chat.getState())).toBe('Again.');
      const results = (await backend.readTranscript()).filter((line) => 'result' in line);
      expect([results, backend.refusals, heard]).toEqual([[], [], ['stop', 'finish stop']]);
    });

    it('O-24, O-35 send while a text streams keeps both runs apart', async () => {
      const gate = createGate();
      const backend = await kind.open(({ text }) =>
        text === 'one' ? [['Old ', gate, 'rest.']] : [['New. ', { call: 'auto' }], ['End.']],
      );
      const { chat, until, heard } = openChat(backend, { auto: () => 1 });
      const first = chat.sendMessage('one');
      await until((state) => readText(state) === 'Old ');
      await gate.reached;
      const second = chat.sendMessage('two');
      await first;
      await second;
      await gate.abandoned;
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(textsOf(chat.getState())).toEqual(['one', 'Old ', 'two', 'New. End.']);
      expect((await backend.readTranscript()).filter((line) => 'answer' in line)).toEqual([
        { answer: 'call-1', result: 1 },
      ]);
      expect([backend.refusals, heard]).toEqual([[], ['finish stop']]);
    });

    it('five messages in one tick: the last one is answered, nothing of the others shows', async () => {
      const backend = await kind.open(({ text }) => [[`You said ${text}.`]]);
      const { chat, heard } = openChat(backend);
      await Promise.all(['1', '2', '3', '4', '5'].map((text) => chat.sendMessage(text)));
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(readText(chat.getState())).toBe('You said 5.');
      expect(chat.getState().messages.filter(({ role }) => role === 'user')).toHaveLength(5);
      expect([backend.refusals, heard]).toEqual([[], ['finish stop']]);
    });

    it("O-29 whilePending 'cancel': the agent hears of it before it hears the message", async () => {
      const backend = await kind.open(({ text }) =>
        text === 'order' ? [[{ call: 'ask' }, { call: 'ask' }], ['As you wish.']] : [['Hello.']],
      );
      const { chat, heard } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('order');
      findPending(chat.getState(), 'ask').submit('kept');
      await chat.sendMessage('never mind', { whilePending: 'cancel' });
      expect(textsOf(chat.getState())).toEqual(['order', '', 'never mind', 'Hello.']);
      expect((await backend.readTranscript()).filter((line) => !('call' in line))).toEqual([
        { user: 'order' },
        { answer: 'call-1', result: 'kept' },
        { answer: 'call-2', error: 'Superseded by a new message' },
        { user: 'never mind' },
      ]);
      expect([backend.refusals, heard]).toEqual([[], ['finish stop']]);
    });

    it("O-29 whilePending 'queue': the message goes out when the turn has ended", async () => {
      const backend = await kind.open(({ text }) =>
        text === 'order' ? [[{ call: 'ask' }], ['Ordered.']] : [['Hello.']],
      );
      const { chat } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('order');
      const queued = chat.sendMessage('and then', { whilePending: 'queue' });
      findPending(chat.getState(), 'ask').submit('yes');
      await queued;
      expect(textsOf(chat.getState())).toEqual(['order', 'Ordered.', 'and then', 'Hello.']);
      expect((await backend.readTranscript()).filter((line) => !('call' in line))).toEqual([
        { user: 'order' },
        { answer: 'call-1', result: 'yes' },
        { user: 'and then' },
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('O-03 send while a handler runs: its call is superseded, its result never sent', async () => {
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

    it('O-15 an error event ends the turn in a typed error, and one can go on', async () => {
      const error = {
        type: 'error',
        errorType: 'rate_limit_error',
        message: 'Slow down',
        retryable: true,
        retryAfter: 7,
        source: 'provider',
        provider: { name: 'acme', statusCode: 429 },
      };
      const backend = await kind.open(({ attempt }) =>
        attempt === 1 ? [[{ call: 'auto' }], ['Half ', { event: error }]] : [['Whole.']],
      );
      const { chat, heard } = openChat(backend, { auto: () => 1 });
      await chat.sendMessage('go');
      expect(chat.getState().error).toMatchObject({
        code: 'backend_error',
        errorType: 'rate_limit_error',
        message: 'Slow down',
        retryAfter: 7,
        provider: { name: 'acme', statusCode: 429 },
      });
      expect(chat.getState().messages[1]).toMatchObject({ status: 'done', parts: [{ status: 'done' }, {}] });
      await chat.sendMessage('go');
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(readText(chat.getState())).toBe('Whole.');
      expect(heard).toEqual(['error backend_error', 'finish stop']);
    });
  });

  describe(`broken connections: ${kind.name}`, () => {
    it('O-04, O-37 a connection cut in the middle of an answer', async () => {
      const gate = createGate();
      const backend = await kind.open(({ attempt }) => [
        attempt === 1 ? ['Half ', gate, 'whole.'] : ['Again.'],
      ]);
      const { chat, until, heard } = openChat(backend);
      const sent = chat.sendMessage('go');
      await until((state) => readText(state) === 'Half ');
      await gate.reached;
      backend.cut();
      if (kind.resumes) {
        gate.release();
        await sent;
        expect(readText(chat.getState())).toBe('Half whole.');
        expect(heard).toEqual(['finish stop']);
        return;
      }
      await sent;
      expect(chat.getState().error).toMatchObject({ retryable: true });
      expect(chat.getState().messages[1]).toMatchObject({ status: 'done', parts: [{ status: 'done' }] });
      await gate.abandoned;
      await chat.retry();
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(textsOf(chat.getState())).toEqual(['go', 'Again.']);
      expect(heard).toEqual([expect.stringMatching(/^error /), 'finish stop']);
    });

    it('O-43 a connection cut in the middle of a continuation: the answer counts once', async () => {
      const gate = createGate();
      let ran = 0;
      const backend = await kind.open(() => [[{ call: 'auto' }], ['Half ', gate, 'whole.']]);
      const { chat, until } = openChat(backend, { auto: () => ++ran });
      const sent = chat.sendMessage('go');
      await until((state) => readText(state) === 'Half ');
      await gate.reached;
      backend.cut();
      if (!kind.resumes) {
        await until(isFailed);
        expect(chat.getState().error?.retryable).toBe(true);
        await gate.abandoned;
        gate.release();
        await chat.retry();
      }
      gate.release();
      await sent;
      await until(isIdle);
      expect(chat.getState().error).toBeNull();
      expect(readText(chat.getState())).toBe('Half whole.');
      expect(ran).toBe(1);
      expect((await backend.readTranscript()).filter((line) => 'answer' in line)).toEqual([
        { answer: 'call-1', result: 1 },
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('a connection cut while a person is asked: the answer goes over the next one', async () => {
      const backend = await kind.open(() => [[{ call: 'ask' }], ['Thanks.']]);
      const { chat, until, heard } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('go');
      backend.cut();
      if (chat.connect !== undefined) {
        await until(({ connectionState }) => connectionState === 'reconnecting');
        await until(({ connectionState }) => connectionState === 'connected');
      }
      findPending(chat.getState(), 'ask').submit('yes');
      await until(isIdle);
      expect(readText(chat.getState())).toBe('Thanks.');
      expect((await backend.readTranscript()).filter((line) => 'answer' in line)).toEqual([
        { answer: 'call-1', result: 'yes' },
      ]);
      expect([backend.refusals, heard]).toEqual([[], ['finish stop']]);
    });

    it('an answer given in the very tick of the cut arrives once', async () => {
      const backend = await kind.open(() => [[{ call: 'ask' }], ['Thanks.']]);
      const { chat, until } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('go');
      backend.cut();
      findPending(chat.getState(), 'ask').submit('yes');
      await until((state) => isIdle(state) || isFailed(state));
      if (isFailed(chat.getState())) await chat.retry();
      await until(isIdle);
      expect(readText(chat.getState())).toBe('Thanks.');
      expect((await backend.readTranscript()).filter((line) => 'answer' in line)).toEqual([
        { answer: 'call-1', result: 'yes' },
      ]);
      expect(backend.refusals).toEqual([]);
    });
  });
}

function textsOf({ messages }: AgentChatState): string[] {
  return messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
}
