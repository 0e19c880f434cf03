/** Cases for every backend: connections that are cut. */
import { describe, expect, it } from 'vitest';
import type { AgentChatState } from '../../../src/core.ts';
import type { BackendKind } from '../backend.ts';
import { createGate, findPending, openChat, readText, readTexts } from '../open-chat.ts';

const isIdle = ({ status }: AgentChatState) => status === 'idle';
const isFailed = ({ status }: AgentChatState) => status === 'error';

export function describeBrokenConnections(kind: BackendKind): void {
  describe(`broken connections: ${kind.name}`, () => {
    it('a turn whose connection is cut in the middle of a text resumes, or fails and can be retried', async () => {
      const gate = createGate();
      const backend = await kind.open(({ attempt }) => [
        attempt === 1 ? ['Half ', gate, 'whole.'] : ['Again.'],
      ]);
      const { chat, until, callbacks } = openChat(backend);
      const sent = chat.sendMessage('go');
      await until((state) => readText(state) === 'Half ');
      await gate.reached;
      backend.cut();
      if (kind.resumes) {
        gate.release();
        await sent;
        expect(readText(chat.getState())).toBe('Half whole.');
        expect(callbacks).toEqual(['finish stop']);
        return;
      }
      await sent;
      expect(chat.getState().error).toMatchObject({ retryable: true });
      expect(chat.getState().messages[1]).toMatchObject({ status: 'done', parts: [{ status: 'done' }] });
      await gate.abandoned;
      await chat.retry();
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(readTexts(chat.getState())).toEqual(['go', 'Again.']);
      expect(callbacks).toEqual([expect.stringMatching(/^error /), 'finish stop']);
    });

    it('an answer counts once when the connection is cut in the middle of its continuation', async () => {
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

    it('an answer is sent over the next connection when the connection is cut while a question is open', async () => {
      const backend = await kind.open(() => [[{ call: 'ask' }], ['Thanks.']]);
      const { chat, until, callbacks } = openChat(backend, { ask: 'interactive' });
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
      expect([backend.refusals, callbacks]).toEqual([[], ['finish stop']]);
    });

    it('an answer in the same tick as a cut arrives once', async () => {
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
