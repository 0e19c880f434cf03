/** Cases for every backend: conversations without interruptions. */
import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../support/deferred.ts';
import { type AgentResponse, always, type BackendKind, isAnswer } from '../backend.ts';
import { findPending, isAwaiting, openChat, readStatuses, readText } from '../open-chat.ts';

export function describeConversations(kind: BackendKind): void {
  describe(`conversations: ${kind.name}`, () => {
    it('text, reasoning and a structured object arrive complete', async () => {
      const card = { type: 'card', title: 'Grüße 👋🏽', items: [1, 2.5, null, { deep: ['a', ''] }] };
      const steps: AgentResponse = [
        { reasoning: 'What would be fitting?' },
        'Liebe Grüße 👋🏽\n\nfrom here.',
        { object: card, typeName: 'card' },
      ];
      const { chat, callbacks } = openChat(await kind.open(always(steps)));
      await chat.sendMessage('hello');
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
      expect(chat.getState().messages).toMatchObject([
        { role: 'user', status: 'done', parts: [{ type: 'text', text: 'hello' }] },
        {
          role: 'assistant',
          status: 'done',
          parts: [
            { type: 'reasoning', text: 'What would be fitting?', status: 'done' },
            { type: 'text', text: 'Liebe Grüße 👋🏽\n\nfrom here.', status: 'done' },
            { type: 'object', typeName: 'card', object: card, status: 'done' },
          ],
        },
      ]);
      expect(callbacks).toEqual(['finish stop']);
    });

    it('an automatic tool runs once and its result reaches the agent', async () => {
      const ran: unknown[] = [];
      const backend = await kind.open(
        always([{ call: 'locate', args: { precise: true } }], ['You are in Bern.']),
      );
      const { chat, callbacks } = openChat(backend, {
        locate: async (args) => {
          ran.push(args);
          return { city: 'Bern' };
        },
      });
      await chat.sendMessage('where am I?');
      expect(ran).toEqual([{ precise: true }]);
      expect(readText(chat.getState())).toBe('You are in Bern.');
      expect(await backend.readTranscript()).toEqual([
        { user: 'where am I?' },
        { call: 'call-1', toolName: 'locate' },
        { answer: 'call-1', result: { city: 'Bern' } },
      ]);
      expect([backend.refusals, callbacks]).toEqual([[], ['finish stop']]);
    });

    it('an interactive tool waits for a person, and the same message continues after the answer', async () => {
      const backend = await kind.open(
        always(['One moment. ', { call: 'confirm', args: { action: 'Order' } }], ['Ordered.']),
      );
      const { chat, until, callbacks } = openChat(backend, { confirm: 'interactive' });
      await chat.sendMessage('order');
      expect(chat.getState().status).toBe('awaiting-input');
      expect(callbacks).toEqual([]);
      const tool = findPending(chat.getState(), 'confirm');
      expect(tool.args).toEqual({ action: 'Order' });
      expect(tool.submit({ confirmed: true })).toEqual({ settled: true });
      const { messages } = await until(({ status }) => status === 'idle');
      expect(messages).toHaveLength(2);
      expect(messages[1]?.parts).toMatchObject([
        { type: 'text', text: 'One moment. ' },
        { type: 'tool-call', status: 'done', outcome: 'submitted', result: { confirmed: true } },
        { type: 'text', text: 'Ordered.' },
      ]);
      expect((await backend.readTranscript()).filter(isAnswer)).toEqual([
        { answer: 'call-1', result: { confirmed: true } },
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('the results of server and client tools in one batch are sent together, each once', async () => {
      const slow = createDeferred<string>();
      const served: unknown[] = [];
      const batch: AgentResponse = ['stock', 'slow', 'ask', 'quick'].map((call) => ({
        call,
        args: { of: call },
      }));
      const backend = await kind.open(always(batch, ['All known.']), {
        stock: (args) => {
          served.push(args);
          return 7;
        },
      });
      const { chat, until } = openChat(backend, {
        slow: () => slow.promise,
        ask: 'interactive',
        quick: () => 'q',
      });
      const sent = chat.sendMessage('all');
      const state = await until(isAwaiting);
      findPending(state, 'ask').submit('yes');
      expect((await backend.readTranscript()).filter(isAnswer).length).toBeLessThan(2);
      slow.resolve('s');
      await sent;
      await until(({ status }) => status === 'idle');
      expect(served).toEqual([{ of: 'stock' }]);
      expect((await backend.readTranscript()).filter(isAnswer)).toEqual([
        { answer: 'call-1', result: 7 },
        { answer: 'call-2', result: 's' },
        { answer: 'call-3', result: 'yes' },
        { answer: 'call-4', result: 'q' },
      ]);
      expect(readStatuses(chat.getState())).toEqual(['done', 'done', 'done', 'done']);
      expect(backend.refusals).toEqual([]);
    });

    it('a turn with several rounds of calls completes, and the next message is answered', async () => {
      const backend = await kind.open(
        ({ text }) =>
          text === 'bye'
            ? [['Good bye.']]
            : [
                [{ call: 'auto', args: { n: 1 } }],
                ['Hm. ', { call: 'server' }],
                [{ call: 'ask' }],
                ['So. ', { call: 'auto', args: { n: 2 } }, { call: 'ask' }],
                ['Done.'],
              ],
        { server: () => ({ ok: true }) },
      );
      const { chat, until } = openChat(backend, { auto: ({ n }) => n, ask: 'interactive' });
      await chat.sendMessage('go');
      const first = findPending(chat.getState(), 'ask');
      first.submit('one');
      const second = await until(
        (state) => isAwaiting(state) && findPending(state, 'ask').toolCallId !== first.toolCallId,
      );
      findPending(second, 'ask').submit('two');
      await until(({ status }) => status === 'idle');
      expect(readText(chat.getState())).toBe('Hm. So. Done.');
      await chat.sendMessage('bye');
      expect(readText(chat.getState())).toBe('Good bye.');
      expect((await backend.readTranscript()).filter((line) => !('call' in line))).toEqual([
        { user: 'go' },
        { answer: 'call-1', result: 1 },
        { answer: 'call-2', result: { ok: true } },
        { answer: 'call-3', result: 'one' },
        { answer: 'call-4', result: 2 },
        { answer: 'call-5', result: 'two' },
        { user: 'bye' },
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('the finish reason of a turn reaches the chat', async () => {
      const endings = ['length', 'content-filter', 'error'] as const;
      const { chat, callbacks } = openChat(
        await kind.open(({ text }) => [
          [
            'Half',
            { event: { type: 'finish', finishReason: endings.find((ending) => ending === text) ?? 'stop' } },
          ],
        ]),
      );
      for (const ending of endings) {
        await chat.sendMessage(ending);
        expect(chat.getState().status).toBe(ending === 'error' ? 'error' : 'idle');
      }
      expect(callbacks).toEqual(['finish length', 'finish content-filter', 'error finish_error']);
      await chat.sendMessage('continue');
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    });
  });
}
