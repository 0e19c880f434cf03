import { describe, expect, it } from 'vitest';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { DuplicateStep } from '../../../src/server/tools/step-errors.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';
import { createListAgent, hello, run } from '../support.ts';
import { answer, callRefund, done, open, resultIn } from './support.ts';

const caught = (thrown: unknown) => thrown;

describe('a key of once', () => {
  it('that a loop uses twice is an error that names the tool, the key and the cure, and only the first is done', async () => {
    const paid: string[] = [];
    const tool = defineServerTool({
      async execute(_args, { once }) {
        for (const order of ['A', 'B']) await once('pay', () => paid.push(order));
      },
    });
    const thrown: unknown[] = [];
    const { session, agent } = open(tool, { onError: (error) => thrown.push(error) });
    await run(session, hello);
    expect(paid).toEqual(['A']);
    expect(thrown).toEqual([expect.any(DuplicateStep)]);
    expect(thrown).toMatchObject([{ toolName: 'refund', key: 'pay' }]);
    for (const word of ["'refund'", "'pay'", 'once(`pay:$', '{id}`, ...)'])
      expect(resultIn(agent)).toContain(word);
  });

  it('whose value is stored is an error on its second use in the next run, as in the first', async () => {
    const paid: number[] = [];
    const tool = defineServerTool({
      async execute(_args, { ask, once }) {
        const first = await once('pay', () => paid.push(1));
        await ask({ message: 'Sure?' });
        return [first, await once('pay', () => paid.push(2)).catch(({ name }: Error) => name)];
      },
    });
    const { session, agent } = open(tool);
    await run(session, answer(await run(session, hello), { answer: 'yes' }));
    expect(paid).toEqual([1]);
    expect(resultIn(agent)).toEqual([1, 'DuplicateStep']);
  });

  it('that two steps use at the same moment is an error of the second', async () => {
    const tool = defineServerTool({
      execute: async (_args, { once }) => {
        const both = await Promise.allSettled([once('pay', () => 'A'), once('pay', () => 'B')]);
        return both.map((step) => (step.status === 'fulfilled' ? step.value : step.reason.name));
      },
    });
    const { session, agent } = open(tool);
    await run(session, hello);
    expect(resultIn(agent)).toEqual(['A', 'DuplicateStep']);
  });

  it('that differs from all others names a step of its own, at the same moment and in the next run', async () => {
    const paid: string[] = [];
    const tool = defineServerTool({
      async execute(_args, { ask, once }) {
        const both = await Promise.all(
          ['A', 'B'].map((id) => once(`pay:${id}`, () => paid.push(id) && `paid ${id}`)),
        );
        await ask({ message: 'Sure?' });
        return both;
      },
    });
    const { session, agent } = open(tool);
    await run(session, answer(await run(session, hello), { answer: 'yes' }));
    expect(paid).toEqual(['A', 'B']);
    expect(resultIn(agent)).toEqual(['paid A', 'paid B']);
  });

  it('that is the key of a question, or the word of an approval, is another step', async () => {
    const tool = defineServerTool({
      approval: 'always',
      async execute(_args, { ask, once }) {
        const first = await once('x', () => 'done');
        return [first, await ask({ key: 'x', message: 'Sure?' }), await once('approval', () => 'approved')];
      },
    });
    const { session, agent } = open(tool);
    const asked = await run(session, answer(await run(session, hello), { confirmed: true }));
    await run(session, answer(asked, { answer: 'yes' }));
    expect(resultIn(agent)).toEqual(['done', 'yes', 'approved']);
  });

  it.each([
    ['a number', 7, '7'],
    ['undefined', undefined, 'undefined'],
    ['empty', '', 'an empty one'],
    ['an object', { id: 1 }, '[object Object]'],
  ])('that is %s is an error, and nothing is done', async (_name, key, shown) => {
    const thrown: unknown[] = [];
    let isDone = false;
    const tool = defineServerTool({
      execute: (_args, { once }) =>
        once(key as string, () => {
          isDone = true;
        }),
    });
    const { session, agent } = open(tool, { onError: (error) => thrown.push(error) });
    await run(session, hello);
    expect(isDone).toBe(false);
    expect(thrown).toEqual([expect.any(AgentChatError)]);
    expect(thrown).toMatchObject([{ code: 'invalid_options' }]);
    expect(resultIn(agent)).toContain(`'refund' calls once`);
    expect(resultIn(agent)).toContain(shown);
  });
});

describe('the error of a step', () => {
  class CardError extends Error {
    override readonly name = 'CardError';
    readonly code = 'card_declined';
    readonly retryAfter = 30;
    readonly details = { card: '4242', tries: [1, 2] };
    readonly socket = { write: () => {} };
    readonly limit = Number.NaN;
    readonly checked = undefined;
  }

  it('has its name, code, message and what JSON carries of the rest when the tool runs again', async () => {
    const seen: unknown[] = [];
    const tool = defineServerTool({
      async execute(_args, { ask, once }) {
        seen.push(
          await once('pay', () => {
            throw new CardError('The card was declined');
          }).catch(caught),
        );
        await ask({ message: 'Another card?' });
      },
    });
    const { session } = open(tool);
    await run(session, answer(await run(session, hello), { answer: 'no' }));
    const [first, again] = seen;
    expect(first).toBeInstanceOf(CardError);
    expect(again).toBeInstanceOf(Error);
    expect({ ...(again as object) }).toEqual({
      code: 'card_declined',
      retryAfter: 30,
      details: { card: '4242', tries: [1, 2] },
    });
    expect(again).toMatchObject({ name: 'CardError', message: 'The card was declined' });
    expect(String(again)).toBe('CardError: The card was declined');
  });

  it.each([
    ['a text', 'no money', { name: 'Error', message: 'no money' }],
    ['an object', { code: 402, message: 'no money' }, { name: 'Error', code: 402, message: 'no money' }],
    ['nothing', undefined, { name: 'Error', message: 'The step failed' }],
    [
      'an error of the system',
      Object.assign(new TypeError('gone'), { code: 'ENOENT' }),
      { name: 'TypeError', code: 'ENOENT', message: 'gone' },
    ],
  ])('that is %s is an Error when the tool runs again', async (_name, thrown, expected) => {
    const seen: unknown[] = [];
    const tool = defineServerTool({
      async execute(_args, { ask, once }) {
        seen.push(
          await once('pay', () => {
            throw thrown;
          }).catch(caught),
        );
        await ask({ message: 'Sure?' });
      },
    });
    const { session } = open(tool);
    await run(session, answer(await run(session, hello), { answer: 'yes' }));
    expect(seen[1]).toBeInstanceOf(Error);
    expect(seen[1]).toMatchObject(expected);
  });
});

describe('the idempotency key of a step', () => {
  async function keysOf(sessionId: string, ...keys: string[]): Promise<string[]> {
    const used: string[] = [];
    const tool = defineServerTool({
      async execute(_args, { once }) {
        for (const key of keys) await once(key, ({ idempotencyKey }) => used.push(idempotencyKey));
      },
    });
    const store = createMemorySessionStore();
    const agent = createListAgent(callRefund, done);
    const { session } = open(tool, { id: sessionId, store, createId: () => 'run-1' }, agent);
    await run(session, hello);
    return used;
  }

  it.each([
    ['has characters beyond ASCII', 'Ünïcode-☃'],
    ['is 227 characters long', 's'.repeat(227)],
  ])('is a header value of at most 64 characters where the id of the session %s', async (_name, id) => {
    const [key = ''] = await keysOf(id, 'päy'.repeat(100));
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(new Headers({ 'Idempotency-Key': key }).get('Idempotency-Key')).toBe(key);
  });

  it('is always the same for the same step', async () => {
    // The SHA-256 of the text ["s","run-1","call-1","pay"]. A service knows the keys of yesterday, so their derivation must never change.
    expect(await keysOf('s', 'pay')).toEqual([
      'ad48e16ed3fbd4ccbec39f6b448e97bd0b1a43fbd51d8f5a70e284ec16615a75',
    ]);
  });

  it('is that of no other step or session', async () => {
    const keys = [...(await keysOf('s', 'a', 'b')), ...(await keysOf('t', 'a'))];
    expect(new Set(keys).size).toBe(3);
  });
});
