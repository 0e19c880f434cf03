/** Failures of the platform and of the application's own server, with the real `@octavus/server-sdk` in between. */
import { describe, expect, it } from 'vitest';
import type { PlatformScript } from '../support/octavus-platform-script.ts';
import { type OctavusOptions, openOctavus } from './octavus-backend.ts';
import { createGate, openChat, readText } from './open-chat.ts';

const STATUSES = [
  [400, 'validation_error', false],
  [401, 'authentication_error', false],
  [403, 'permission_error', false],
  [404, 'not_found_error', false],
  [418, 'unknown_error', false],
  [429, 'rate_limit_error', true],
  [500, 'internal_error', true],
  [503, 'provider_overloaded', true],
  [504, 'provider_timeout', true],
] as const;

for (const carrier of ['http', 'ws'] as const) {
  const open = (script: PlatformScript, options?: OctavusOptions) => openOctavus(carrier, script, options);

  describe(`a failing platform over ${carrier}`, () => {
    it.each(STATUSES)(
      'retry() sends the message again after the platform refused it with %i: %s',
      async (status, errorType, retryable) => {
        const backend = await open(({ attempt }) =>
          attempt === 1 ? [{ refuse: status, body: { message: 'Not now' } }] : [['Welcome.']],
        );
        const { chat, callbacks } = openChat(backend);
        await chat.sendMessage('hello');
        const { error } = chat.getState();
        expect(error).toMatchObject({ code: 'backend_error', errorType, retryable, message: 'Not now' });
        expect(error?.source).toBe('platform');
        await chat.retry();
        expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
        expect(chat.getState().messages).toHaveLength(2);
        expect(readText(chat.getState())).toBe('Welcome.');
        expect(callbacks).toEqual(['error backend_error', 'finish stop']);
      },
    );

    it('retry() delivers the same answers after a refused continuation, and nothing runs twice', async () => {
      const refused = { refuse: 503, body: '<html>busy</html>' };
      const backend = await open(
        () => [[{ call: 'auto' }, { call: 'server' }], refused, refused, ['Done.']],
        {
          serverTools: { server: () => 'served' },
        },
      );
      let ran = 0;
      const { chat } = openChat(backend, { auto: () => ++ran });
      await chat.sendMessage('go');
      expect(chat.getState().error).toMatchObject({ errorType: 'provider_overloaded', retryable: true });
      expect(chat.getState().error?.message).not.toContain('<');
      await chat.retry();
      expect(chat.getState().status).toBe('error');
      await chat.retry();
      expect(readText(chat.getState())).toBe('Done.');
      expect(ran).toBe(1);
      expect(backend.platform.transcript.filter((line) => 'answer' in line)).toEqual([
        { answer: 'call-2', result: 'served' },
        { answer: 'call-1', result: 1 },
      ]);
      const [, ...continuations] = backend.platform.requests.map(({ body }) => body);
      expect(new Set(continuations.map((body) => JSON.stringify(body))).size).toBe(1);
      expect(backend.refusals).toEqual([]);
    });

    it('a new message after a refused continuation delivers the answers first', async () => {
      const backend = await open(({ text }) =>
        text === 'one' ? [[{ call: 'auto' }], { refuse: 503 }, ['Thanks.']] : [['Hello.']],
      );
      const { chat } = openChat(backend, { auto: () => 1 });
      await chat.sendMessage('one');
      await chat.sendMessage('two');
      expect(readText(chat.getState())).toBe('Hello.');
      expect(backend.platform.transcript.slice(1)).toEqual([
        { call: 'call-1', toolName: 'auto' },
        { answer: 'call-1', result: 1 },
        { user: 'two' },
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('a text that is cut in the middle is an error, never a complete message', async () => {
      const backend = await open(({ attempt }) => [
        attempt === 1 ? ['Half ', { hold: async () => {} }, { cut: true }] : ['Whole.'],
      ]);
      const { chat, callbacks } = openChat(backend);
      await chat.sendMessage('go');
      expect(chat.getState()).toMatchObject({
        status: 'error',
        error: { code: 'backend_error', errorType: 'internal_error' },
      });
      expect(chat.getState().messages.every(({ status }) => status === 'done')).toBe(true);
      await chat.retry();
      expect(readText(chat.getState())).toBe('Whole.');
      expect(callbacks).toEqual(['error backend_error', 'finish stop']);
    });

    it('retry() after a cut continuation leaves the model with one answer', async () => {
      const gate = createGate();
      const backend = await open(() => [[{ call: 'auto' }], ['Half ', gate, 'whole.']]);
      let ran = 0;
      const { chat, until } = openChat(backend, { auto: () => ++ran });
      const sent = chat.sendMessage('go');
      await until((state) => readText(state) === 'Half ');
      backend.cutPlatform();
      await sent;
      expect(chat.getState().error).toMatchObject({ errorType: 'internal_error' });
      await gate.abandoned;
      await chat.retry();
      expect(readText(chat.getState())).toBe('Half whole.');
      expect(ran).toBe(1);
      expect(backend.platform.transcript.slice(2)).toEqual([{ answer: 'call-1', result: 1 }]);
      expect(backend.refusals).toEqual([]);
    });

    it('a stop reaches the platform', async () => {
      const gate = createGate();
      const backend = await open(() => [['Half ', gate]]);
      const { chat, until } = openChat(backend);
      const sent = chat.sendMessage('go');
      await until((state) => readText(state) === 'Half ');
      chat.stop();
      expect(await backend.platform.requests[0]?.ended).toBe('cut');
      await sent;
      expect(chat.getState()).toMatchObject({ status: 'idle', error: null });
    });
  });

  describe(`events of the platform over ${carrier}`, () => {
    it('events that the SDK cannot read are left out, and the rest arrives', async () => {
      const backend = await open(() => [
        [
          'Be',
          { event: { type: 'todo-update', items: [] } },
          { event: { type: 'text-delta', id: null, delta: 'lost' } },
          { event: { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com/a', title: 'A' } },
          {
            event: { type: 'file-available', id: 'f', mediaType: 'image/png', url: 'https://example.com/f' },
          },
          { event: { type: 'resource-update', name: 'CART', value: null } },
          'rn',
        ],
      ]);
      const { chat, callbacks } = openChat(backend);
      await chat.sendMessage('go');
      expect(chat.getState().messages[1]?.parts.map(({ type }) => type)).toEqual([
        ...['text', 'source', 'file', 'text'],
      ]);
      expect(readText(chat.getState())).toBe('Bern');
      expect(chat.getState().messages[1]?.id).toBe('message-1');
      expect(callbacks).toEqual(['finish stop']);
    });

    it('answers repeat the keys of their pending calls, also for server tools', async () => {
      const more = { source: 'block', outputVariable: 'CITY', blockIndex: 0 };
      const backend = await open(
        () => [
          [
            { call: 'server', more },
            { call: 'auto', more: { ...more, blockIndex: 3 } },
          ],
          ['Done.'],
        ],
        { serverTools: { server: () => 'Bern' } },
      );
      const { chat } = openChat(backend, { auto: () => 'Basel' });
      await chat.sendMessage('go');
      expect(readText(chat.getState())).toBe('Done.');
      expect(backend.platform.requests[1]?.body).toEqual({
        executionId: 'execution-1',
        toolResults: [
          { toolCallId: 'call-1', toolName: 'server', result: 'Bern', outputVariable: 'CITY', blockIndex: 0 },
          {
            toolCallId: 'call-2',
            toolName: 'auto',
            outcome: 'submitted',
            result: 'Basel',
            outputVariable: 'CITY',
            blockIndex: 3,
          },
        ],
      });
      expect(backend.refusals).toEqual([]);
    });

    it('a failing server tool answers with an error, alone and beside a client tool', async () => {
      const serverTools = {
        broken: () => {
          throw new Error('no database');
        },
      };
      const backend = await open(
        () => [[{ call: 'broken' }], [{ call: 'broken' }, { call: 'auto' }], ['Done.']],
        { serverTools },
      );
      const { chat } = openChat(backend, { auto: () => 1 });
      await chat.sendMessage('go');
      expect(chat.getState().messages[1]?.parts).toMatchObject([
        { status: 'error', error: 'no database' },
        { status: 'error', error: 'no database' },
        { status: 'done', result: 1 },
        { text: 'Done.' },
      ]);
      expect(backend.refusals).toEqual([]);
    });

    it('a server tool that returns nothing is an answer, alone and beside a client tool', async () => {
      const backend = await open(
        () => [[{ call: 'nothing' }], [{ call: 'nothing' }, { call: 'auto' }], ['Done.']],
        { serverTools: { nothing: () => undefined } },
      );
      const { chat, callbacks } = openChat(backend, { auto: () => 1 });
      await chat.sendMessage('go');
      expect(chat.getState().messages[1]?.parts).toMatchObject([
        { status: 'done', result: null },
        { status: 'done', result: null },
        { status: 'done', result: 1 },
        { text: 'Done.' },
      ]);
      expect([backend.refusals, callbacks]).toEqual([[], ['finish stop']]);
    });
  });
}
