import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { ModelEvent } from '../../../src/server/agent.ts';
import { readHistory } from '../../../src/server/runs/history.ts';
import type { SessionRecord } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { DefinedToolContext } from '../../../src/server/tools/server-tool.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createListAgent, hello, requestIn, run } from '../support.ts';
import { answer, answerEach, done, open, questionsIn, REFUND, resultIn } from './support.ts';

type Ask = DefinedToolContext['ask'];

const asking = (execute: (ask: Ask, args: Record<string, unknown>) => unknown) =>
  defineServerTool({ execute: (args, { ask }) => execute(ask, args) });
const toEach = (question: string) => ({ answer: `to ${question}` });
const idsIn = (events: readonly AgentEvent[]) =>
  requestIn(events).toolCalls.map(({ toolCallId }) => toolCallId);

describe('an answer', () => {
  it('is for the question that was read, when the next version of the tool asks in another order', async () => {
    const before = asking(async (ask) => [
      await ask({ message: 'Delete it?' }),
      await ask({ message: 'Sure?' }),
    ]);
    const { session, agent, restart } = open(before);
    const second = await run(session, answerEach(await run(session, hello), toEach));
    expect(questionsIn(second)).toEqual(['Sure?']);
    const after = restart(
      asking(async (ask) => [await ask({ message: 'Keep a copy?' }), await ask({ message: 'Delete it?' })]),
    );
    const third = await run(after, answerEach(second, toEach));
    expect(questionsIn(third)).toEqual(['Keep a copy?']);
    await run(after, answerEach(third, toEach));
    expect(resultIn(agent)).toEqual(['to Keep a copy?', 'to Delete it?']);
  });

  it('is for the question that was read, when two branches ask that wait for different times', async () => {
    let waits: [number, number] = [1, 3];
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
    };
    const tool = asking((ask) =>
      Promise.all(
        ['A?', 'B?'].map(async (message, index) => {
          await turns(waits[index] ?? 0);
          const first = await ask({ message });
          return [first, await ask({ message: `${message} Really?` })];
        }),
      ),
    );
    const { session, agent, restart } = open(tool);
    const asked = await run(session, hello);
    waits = [3, 1];
    const again = await run(restart(), answerEach(asked, toEach));
    waits = [1, 3];
    await run(restart(), answerEach(again, toEach));
    expect(resultIn(agent)).toEqual([
      ['to A?', 'to A? Really?'],
      ['to B?', 'to B? Really?'],
    ]);
  });

  it.each([
    ['message', { message: 'Delete everything?' }, 'Delete everything?'],
    [
      'schema',
      { message: 'Go on?', output: z.object({ answer: z.string(), all: z.string().optional() }) },
      'Go on?',
    ],
  ])(
    'stays in the record and counts for nothing, when the tool asks with another %s under its key',
    async (_name, other, text) => {
      const ask = (question: { message: string; output?: z.ZodType }) =>
        asking((put) => put({ key: 'go', ...question }));
      const { session, agent, store, restart } = open(ask({ message: 'Go on?' }));
      const asked = await run(session, hello);
      const after = restart(ask(other));
      const again = await run(after, answer(asked, { answer: 'yes' }));
      expect(questionsIn(again)).toEqual([text]);
      expect(idsIn(again)).not.toEqual(idsIn(asked));
      const { calls = {} } = (await store.load('s')) ?? {};
      const [questionId = ''] = idsIn(asked);
      expect(calls[questionId]).toMatchObject({ askedBy: 'call-1', answer: { outcome: 'submitted' } });
      await run(after, answer(again, { answer: 'no' }));
      expect(resultIn(agent)).toEqual(text === 'Go on?' ? { answer: 'no' } : 'no');
    },
  );

  it('that came while a process with another version was down is not taken for what that version asks', async () => {
    const asks = (message: string) => asking((ask) => ask({ key: 'go', message }));
    const { session, agent, restart } = open(asks('Go on?'));
    const asked = await run(session, hello);
    const second = await run(restart(asks('Delete everything?')), answer(asked, { answer: 'yes' }));
    const third = await run(restart(asks('Go on?')), answer(second, { answer: 'no' }));
    expect(questionsIn(third)).toEqual(['Go on?']);
    expect(new Set([asked, second, third].flatMap(idsIn)).size).toBe(3);
    await run(restart(asks('Go on?')), answer(third, { answer: 'later' }));
    expect(resultIn(agent)).toBe('later');
  });
});

describe('equal questions', () => {
  it('that follow each other are each asked', async () => {
    const tool = asking(async (ask) => [await ask({ message: 'Next?' }), await ask({ message: 'Next?' })]);
    const { session, agent } = open(tool);
    const first = await run(session, hello);
    const second = await run(session, answer(first, { answer: 'one' }));
    expect(idsIn(second)).not.toEqual(idsIn(first));
    await run(session, answer(second, { answer: 'two' }));
    expect(resultIn(agent)).toEqual(['one', 'two']);
  });

  it.each([
    ['a key', { key: 'sure', message: 'Sure?' }, "'sure'"],
    ['no key', { message: 'Sure?' }, 'Give each a key'],
  ])('with %s that are asked at once are an error, and nothing goes out', async (_name, question, cure) => {
    const { session, agent } = open(asking((ask) => Promise.all([ask(question), ask(question)])));
    const events = await run(session, hello);
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(resultIn(agent)).toContain("The tool 'refund'");
    expect(resultIn(agent)).toContain(cure);
  });

  it('with one key are an error when they follow each other: one yes is not a yes to all', async () => {
    const deleted: string[] = [];
    const tool = asking(async (ask) => {
      for (const file of ['a', 'b']) {
        await ask({ key: 'delete', message: 'Delete the file?' });
        deleted.push(file);
      }
    });
    const { session, agent } = open(tool);
    await run(session, answer(await run(session, hello), { answer: 'yes' }));
    expect(deleted).toEqual(['a']);
    expect(resultIn(agent)).toContain('ask({ key: `delete:');
  });

  it('that differ in their key go out together', async () => {
    const tool = asking((ask) =>
      Promise.all(['a', 'b'].map((id) => ask({ key: `sure:${id}`, message: 'Sure?' }))),
    );
    const { session, agent } = open(tool);
    const asked = await run(session, hello);
    expect(questionsIn(asked)).toEqual(['Sure?', 'Sure?']);
    const given = ['1', '2'];
    const toNext = () => ({ answer: given.shift() });
    await run(session, answerEach(asked, toNext));
    expect(resultIn(agent)).toEqual(['1', '2']);
  });

  it.each(['', 7, null])('an ask with the key %j is an error', async (key) => {
    const { session, agent } = open(asking((ask) => ask({ key: key as string, message: 'Sure?' })));
    await run(session, hello);
    expect(resultIn(agent)).toContain(`'refund' calls ask with a key that is no text`);
  });
});

describe('the id of a question', () => {
  const twoCalls = (...ids: string[]): ModelEvent[] => [
    { type: 'tool-request', toolCalls: ids.map((toolCallId) => ({ ...REFUND, toolCallId })) },
    { type: 'finish', finishReason: 'tool-calls' },
  ];

  it('is short ASCII and that of no other question, whatever the ids of the calls and the keys are', async () => {
    const keys = ['1', '1:2', 'ü'.repeat(300)];
    const tool = asking((ask) => Promise.all(keys.map((key) => ask({ key, message: 'Sure?' }))));
    const ids = ['a', 'a:1', 'a:1:2', 'ü'.repeat(300)];
    const { session } = open(tool, {}, createListAgent(twoCalls(...ids), done));
    const asked = idsIn(await run(session, hello));
    expect(asked).toHaveLength(keys.length * ids.length);
    expect(new Set(asked).size).toBe(asked.length);
    for (const id of asked) expect(id).toMatch(/^ask_[0-9a-f]{32}$/);
  });

  it('is the same when the tool asks again after a crash', async () => {
    const tool = asking((ask) => ask({ message: 'Sure?' }));
    const first = open(tool, { createId: () => 'run-1' });
    const second = open(tool, { createId: () => 'run-1' });
    expect(idsIn(await run(first.session, hello))).toEqual(idsIn(await run(second.session, hello)));
  });

  it('is never that of a call: an agent that calls under it gets another id for its call', async () => {
    const tool = asking((ask) => ask({ message: 'Sure?' }));
    const [questionId = ''] = idsIn(await run(open(tool, { createId: () => 'run-1' }).session, hello));
    const agent = createListAgent(twoCalls('call-1', questionId), done);
    const { session, store } = open(tool, { createId: () => 'run-1' }, agent);
    const asked = idsIn(await run(session, hello));
    expect(asked[0]).toBe(questionId);
    const record = (await store.load('s')) as SessionRecord;
    const calls = readHistory(record).flatMap((message) =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    );
    expect(calls.map(({ toolCallId }) => toolCallId)).toEqual(['call-1', `${questionId}-2`]);
    expect(new Set(asked).size).toBe(2);
  });
});

describe('a question', () => {
  it('leaves an argument with the name message as it is, and has its own text beside it', async () => {
    const args = { to: 'Bob', message: 'Hello Bob' };
    const agent = createListAgent(
      [
        { type: 'tool-request', toolCalls: [{ toolCallId: 'call-1', toolName: 'refund', args }] },
        { type: 'finish', finishReason: 'tool-calls' },
      ],
      done,
    );
    const { session } = open(
      asking((ask) => ask({ message: 'Send it?' })),
      {},
      agent,
    );
    expect(requestIn(await run(session, hello)).toolCalls).toMatchObject([
      { args, question: { description: 'Send it?' } },
    ]);
  });

  it.each([
    ['0', 0],
    ['-1', -1],
    ['NaN', Number.NaN],
    ["'60000'", '60000'],
    ['null', null],
  ])(
    'that expires in %s is an error that names the tool and the value, and does not go out',
    async (shown, expiresInMs) => {
      const thrown: unknown[] = [];
      const tool = asking((ask) => ask({ message: 'Why?', expiresInMs: expiresInMs as number }));
      const { session, agent } = open(tool, { onError: (error) => thrown.push(error) });
      await run(session, hello);
      expect(thrown).toMatchObject([{ name: 'AgentChatError', code: 'invalid_options' }]);
      expect(resultIn(agent)).toContain("'refund'");
      expect(resultIn(agent)).toContain(`not ${shown}`);
    },
  );

  it('that expires in Infinity has no deadline and waits for ever', async () => {
    const clock = createManualClock();
    const tool = asking((ask) => ask({ message: 'Why?', expiresInMs: Infinity }));
    const { session, agent } = open(tool, { clock });
    const asked = await run(session, hello);
    expect(requestIn(asked).toolCalls[0]).not.toHaveProperty('deadline');
    expect(clock.waiting).toBe(0);
    await clock.advance(2 ** 40);
    await run(session, answer(asked, { answer: 'because' }));
    expect(resultIn(agent)).toBe('because');
  });

  it('that expires in more than 2^31 milliseconds waits that long, and no longer', async () => {
    const clock = createManualClock();
    const expiresInMs = 2 ** 31 + 1_000;
    const tool = asking((ask) =>
      ask({ message: 'Why?', expiresInMs }).catch(({ message }: Error) => message),
    );
    const { session, agent } = open(tool, { clock });
    const asked = requestIn(await run(session, hello));
    const [call] = asked.toolCalls;
    expect(call?.deadline).toBe(clock.now() + expiresInMs);
    await clock.advance(expiresInMs - 1);
    expect(agent.contexts).toHaveLength(1);
    await clock.advance(1);
    await run(session, { type: 'resume', executionId: asked.executionId, cursor: 0 });
    expect(resultIn(agent)).toContain('not answered in time');
  });
});
