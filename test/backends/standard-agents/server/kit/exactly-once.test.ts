/** Each call is asked once and answered once, whatever fails in between. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromSessionRecord } from '../../../../../src/backends/standard-agents/server/stored-thread.ts';
import type { ThreadRecord } from '../../../../../src/backends/standard-agents/server/thread-record.ts';
import { createMemoryThreadStore } from '../../../../../src/backends/standard-agents/server/thread-store.ts';
import type { SessionStore } from '../../../../../src/server/store/session-store.ts';
import { settle } from '../../../../server/support.ts';
import { call, outline, say } from '../open-runtime.ts';
import { customEvents, openKit } from './open-kit.ts';

/** An answer is in the queue of a thread that has begun. */
const isDelivering = ({ queue, messages }: ThreadRecord) => queue.length > 0 && messages.length > 0;

const ASK = call('confirm', { text: 'Sure?' });

describe('a process that dies', () => {
  test('between asking and saving the result asks with the same id after the restart', async () => {
    const store = createMemoryThreadStore();
    const dying: SessionStore = {
      ...store,
      save: (id, record) =>
        fromSessionRecord(record).messages.some(({ role }) => role === 'tool')
          ? new Promise(() => {})
          : store.save(id, record),
    };
    const before = openKit([ASK], { runtime: { store: dying } });
    const id = await before.createThread();
    const seen = await before.follow(id);
    await before.ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    expect(customEvents(seen)).toHaveLength(1);

    const after = openKit([[say('Done')]], { runtime: { store } });
    const frames = await after.follow(id);
    await after.rest(id);
    expect(customEvents(frames)).toEqual(customEvents(seen));
    expect(await after.pending(id)).toMatchObject([{ id: 'confirm-1' }]);
    await after.answer(id, 'confirm-1', { outcome: 'submitted', result: true });
    await after.rest(id);
    expect(outline(await after.messages(id)).slice(-2)).toEqual(['tool: true', 'assistant: Done']);
  });

  test('between storing an answer and delivering it delivers when the answer is sent again', async () => {
    const store = createMemoryThreadStore();
    const dying: SessionStore = {
      ...store,
      save: async (id, record) => {
        if (isDelivering(fromSessionRecord(record))) throw new Error('died');
        return store.save(id, record);
      },
    };
    const before = openKit([ASK], { runtime: { store: dying } });
    const id = await before.createThread();
    await before.send(id, 'Go');
    expect((await before.answer(id, 'confirm-1', { outcome: 'submitted', result: true }))[0]).toBe(500);

    const after = openKit([[say('Done')]], { runtime: { store } });
    const again = await after.answer(id, 'confirm-1', { outcome: 'submitted', result: true });
    expect(again).toMatchObject([409, { outcome: 'submitted' }]);
    await after.rest(id);
    expect(outline(await after.messages(id)).slice(-2)).toEqual(['tool: true', 'assistant: Done']);
  });

  test('between storing an answer and delivering it delivers when a page asks for the pending calls', async () => {
    const store = createMemoryThreadStore();
    const before = openKit([ASK], {
      runtime: {
        store: {
          ...store,
          save: async (id, record) => {
            if (isDelivering(fromSessionRecord(record))) throw new Error('died');
            return store.save(id, record);
          },
        },
      },
    });
    const id = await before.createThread();
    await before.send(id, 'Go');
    await before.answer(id, 'confirm-1', { outcome: 'declined' });
    const after = openKit([[say('Kept')]], { runtime: { store } });
    expect(await after.pending(id)).toEqual([]);
    await after.rest(id);
    expect(outline(await after.messages(id)).slice(-2)).toEqual([
      'tool: {"outcome":"declined"}',
      'assistant: Kept',
    ]);
  });

  test('while a blocking tool waits returns the answer that came meanwhile', async () => {
    const store = createMemoryThreadStore();
    const before = openKit([ASK], { mode: 'blocking', runtime: { store } });
    const id = await before.createThread();
    await before.ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    await before.answer(id, 'confirm-1', { outcome: 'submitted', result: true });
    const after = openKit([[say('Done')]], { mode: 'blocking', runtime: { store } });
    await after.rest(id);
    expect(outline(await after.messages(id)).slice(-2)).toEqual(['tool: true', 'assistant: Done']);
  });
});

const outcome = fc.constantFrom('submitted', 'declined', 'cancelled', 'failed');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ call: fc.constantFrom('a', 'b', 'c'), outcome }) },
  { weight: 1, arbitrary: fc.constant('list' as const) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

test('whatever answers, repeats, reloads and restarts happen, each call has its first answer and the agent goes on once', async () => {
  const calls = ['a', 'b', 'c'].flatMap((id) => call('confirm', { text: id }, id));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, isParallel) => {
      const store = createMemoryThreadStore();
      let page = openKit([calls], { runtime: { store } });
      const id = await page.createThread();
      await page.send(id, 'Go');
      page = openKit([[say('Done')]], { runtime: { store } });
      const first = new Map<string, string>();
      const answer = async (toolCallId: string, word: string) => {
        const [status, body] = await page.answer(id, toolCallId, {
          outcome: word,
          result: { outcome: word },
        });
        if (status === 200) {
          expect(first.has(toolCallId)).toBe(false);
          first.set(toolCallId, word);
        } else expect([status, body.outcome]).toEqual([409, first.get(toolCallId)]);
      };
      const restart = async () => {
        await page.rest(id);
        const isOver = first.size === 3;
        page = openKit(isOver ? [] : [[say('Done')]], { runtime: { store } });
      };
      for (const next of steps) {
        if (next === 'list') expect(await page.pending(id)).toHaveLength(3 - first.size);
        else if (next === 'restart') await restart();
        else if (isParallel)
          await Promise.all([answer(next.call, next.outcome), answer(next.call, next.outcome)]);
        else await answer(next.call, next.outcome);
      }
      for (const rest of ['a', 'b', 'c']) if (!first.has(rest)) await answer(rest, 'submitted');
      await page.rest(id);
      const rows = await page.messages(id);
      const delivered = rows.filter(({ name }) => name === 'client_tool_answer');
      expect(delivered.map(({ tool_status }) => tool_status)).toEqual(
        ['a', 'b', 'c'].map((each) =>
          /submitted|declined/.test(first.get(each) ?? '') ? 'success' : 'error',
        ),
      );
      expect(rows.filter(({ content }) => content === 'Done')).toHaveLength(1);
      expect(page.failures).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
