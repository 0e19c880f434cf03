/** Cases for every backend: answers of every kind are delivered as they were given. */
import { describe, expect, it } from 'vitest';
import { always, type BackendKind, isAnswer } from '../backend.ts';
import { findPending, openChat, readStatuses, readText } from '../open-chat.ts';

export function describeAnswers(kind: BackendKind): void {
  describe(`answers: ${kind.name}`, () => {
    it('an answer in the same tick in which the call is shown completes the turn', async () => {
      const backend = await kind.open(always([{ call: 'ask' }], [{ call: 'ask' }], ['Thanks.']));
      const { chat, until, callbacks } = openChat(backend, { ask: 'interactive' });
      chat.subscribe(() => {
        for (const tool of chat.getState().pendingClientTools.ask ?? []) tool.submit(tool.toolCallId);
      });
      await chat.sendMessage('go');
      await until(({ status }) => status === 'idle');
      expect(readText(chat.getState())).toBe('Thanks.');
      expect((await backend.readTranscript()).filter(isAnswer)).toEqual([
        { answer: 'call-1', result: 'call-1' },
        { answer: 'call-2', result: 'call-2' },
      ]);
      expect([backend.refusals, callbacks]).toEqual([[], ['finish stop']]);
    });

    it('falsy results are delivered as they are, and undefined as null', async () => {
      const values = [0, false, '', null, [], {}, undefined];
      const backend = await kind.open(
        always(
          values.map(() => ({ call: 'ask' })),
          values.map(() => ({ call: 'auto' })),
          ['Noted.'],
        ),
      );
      let index = 0;
      const { chat, until } = openChat(backend, { ask: 'interactive', auto: () => values[index++] });
      await chat.sendMessage('go');
      for (const [at, tool] of (chat.getState().pendingClientTools.ask ?? []).entries())
        expect(tool.submit(values[at])).toEqual({ settled: true });
      await until(({ status }) => status === 'idle');
      const delivered = [0, false, '', null, [], {}, null];
      const answers = (await backend.readTranscript()).filter((line) => 'answer' in line);
      expect(answers.map(({ result }) => result)).toEqual([...delivered, ...delivered]);
      expect(answers.some((line) => 'error' in line)).toBe(false);
      expect(backend.refusals).toEqual([]);
    });

    it('declined, cancelled, failed and unknown calls each send the agent an error text', async () => {
      const names = ['decline', 'cancel', 'reasoned', 'throws', 'position', 'missing', 'toString'];
      const backend = await kind.open(
        always(
          names.map((call) => ({ call })),
          ['I see.'],
        ),
      );
      const { chat, until } = openChat(backend, {
        decline: 'interactive',
        cancel: 'interactive',
        reasoned: 'interactive',
        throws: () => {
          throw new Error('no signal');
        },
        position: () => Promise.reject({ code: 1, message: 'User denied Geolocation' }),
      });
      await chat.sendMessage('go');
      findPending(chat.getState(), 'decline').decline('too expensive');
      findPending(chat.getState(), 'cancel').cancel();
      findPending(chat.getState(), 'reasoned').cancel('not now');
      await until(({ status }) => status === 'idle');
      expect((await backend.readTranscript()).filter(isAnswer)).toEqual([
        { answer: 'call-1', result: { outcome: 'declined', reason: 'too expensive' } },
        { answer: 'call-2', error: 'User cancelled' },
        { answer: 'call-3', error: 'not now' },
        { answer: 'call-4', error: 'no signal' },
        { answer: 'call-5', error: 'User denied Geolocation' },
        { answer: 'call-6', error: 'No client handler for tool: missing' },
        { answer: 'call-7', error: 'No client handler for tool: toString' },
      ]);
      expect(readStatuses(chat.getState())).toEqual([
        ...['done', 'cancelled', 'cancelled'],
        ...['error', 'error', 'error', 'error'],
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('a call is settled once, however often a result is submitted', async () => {
      const backend = await kind.open(always([{ call: 'ask' }], ['Thanks.']));
      const { chat, until } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('go');
      const tool = findPending(chat.getState(), 'ask');
      const late = { settled: false, reason: 'already-settled' };
      expect([tool.submit('first'), tool.submit('second'), tool.cancel()]).toEqual([
        { settled: true },
        late,
        late,
      ]);
      await until(({ status }) => status === 'idle');
      expect(tool.submit('third')).toEqual(late);
      expect((await backend.readTranscript()).filter(isAnswer)).toEqual([
        { answer: 'call-1', result: 'first' },
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('a large result and large arguments arrive complete', async () => {
      const large = 'ä€😀"\\'.repeat(10_000);
      const backend = await kind.open(always([{ call: 'echo', args: { large } }], ['Got it.']));
      const { chat } = openChat(backend, { echo: (args) => args });
      await chat.sendMessage('go');
      expect(chat.getState().status).toBe('idle');
      expect((await backend.readTranscript()).at(-1)).toEqual({ answer: 'call-1', result: { large } });
    });
  });
}
