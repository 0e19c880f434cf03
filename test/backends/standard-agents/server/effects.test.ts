/** Effects (specification 0.15, `scheduleEffect`): work that runs later, outside of the execution. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AgentDefinition } from '../../../../src/backends/standard-agents/server/agent-definition.ts';
import { defineEffect } from '../../../../src/backends/standard-agents/server/define-effect.ts';
import type { ThreadState } from '../../../../src/backends/standard-agents/server/thread-state.ts';
import { createMemoryThreadStore } from '../../../../src/backends/standard-agents/server/thread-store.ts';
import { createManualClock } from '../../../../src/testing/manual-clock.ts';
import { settle } from '../../../server/support.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { createScriptedModel, openRuntime, readThread } from './open-runtime.ts';

const START = Date.UTC(2026, 0, 1);

/** A thread with the effect `remind`, and its state as an endpoint gets it. */
async function open(effects: AgentDefinition['effects'], options: Parameters<typeof openRuntime>[0] = {}) {
  let state: ThreadState | undefined;
  const agent: AgentDefinition = {
    type: 'ai_human',
    model: createScriptedModel().model,
    ...(effects && { effects }),
  };
  const opened = openRuntime({
    ...options,
    agents: { helper: agent },
    endpoints: {
      'take.ts': (_, taken) => {
        state = taken;
        return new Response();
      },
    },
  });
  const take = async (id: string) => {
    await opened.ask('GET', `/${id}/take`);
    return state as ThreadState;
  };
  return { ...opened, take };
}

function createReminder() {
  const ran: unknown[] = [];
  const remind = defineEffect({
    description: 'Writes down a text.',
    args: z.object({ text: z.string() }),
    execute: (state, { text }) => void ran.push([state.threadId, state.execution, text]),
  });
  return { ran, remind };
}

test('an effect runs once, when its time has come', async () => {
  const { ran, remind } = createReminder();
  const { clock, createThread, take } = await open({ remind });
  const id = await createThread();
  const state = await take(id);
  const effectId = await state.scheduleEffect('remind', { text: 'Call' }, 5_000);
  expect(await state.getScheduledEffects()).toEqual([
    {
      id: effectId,
      name: 'remind',
      args: { text: 'Call' },
      createdAt: START * 1_000,
      scheduledAt: (START + 5_000) * 1_000,
    },
  ]);
  expect(await state.getScheduledEffects('other')).toEqual([]);
  await clock.advance(4_999);
  await settle();
  expect(ran).toEqual([]);
  await clock.advance(1);
  await settle();
  expect([ran, await state.getScheduledEffects()]).toEqual([[[id, null, 'Call']], []]);
  await clock.advance(100_000);
  expect(ran).toHaveLength(1);
});

test('an effect that is removed before its time does not run, and one that runs cannot be removed', async () => {
  const isDone = createDeferred<void>();
  const { ran, remind } = createReminder();
  const slow = defineEffect({ description: 'd', execute: () => isDone.promise });
  const { clock, createThread, take } = await open({ remind, slow });
  const state = await take(await createThread());
  const [first, second] = [
    await state.scheduleEffect('remind', { text: 'Call' }, 10),
    await state.scheduleEffect('slow'),
  ];
  expect(await state.removeScheduledEffect(first)).toBe(true);
  expect(await state.removeScheduledEffect(first)).toBe(false);
  await clock.advance(20);
  await settle();
  expect(ran).toEqual([]);
  expect([await state.removeScheduledEffect(second), await state.removeScheduledEffect('none')]).toEqual([
    false,
    false,
  ]);
  isDone.resolve();
  await settle();
  expect(await state.getScheduledEffects()).toEqual([]);
});

test('an effect whose process died runs as soon as the thread is used in another one', async () => {
  const store = createMemoryThreadStore();
  const dead = createReminder();
  const before = await open({ remind: dead.remind }, { store });
  const id = await before.createThread();
  await (await before.take(id)).scheduleEffect('remind', { text: 'Late' }, 1_000);
  const { ran, remind } = createReminder();
  const after = await open({ remind }, { store });
  await after.clock.advance(2_000);
  const state = await after.take(id);
  await after.clock.advance(0);
  await settle();
  expect([dead.ran, ran]).toEqual([[], [[id, null, 'Late']]]);
  expect(await state.getScheduledEffects()).toEqual([]);
});

test('an effect for which two processes wait runs in one of them', async () => {
  const store = createMemoryThreadStore();
  const clock = createManualClock();
  const [old, next] = [createReminder(), createReminder()];
  const before = await open({ remind: old.remind }, { store, clock });
  const id = await before.createThread();
  await (await before.take(id)).scheduleEffect('remind', { text: 'Call' }, 1_000);
  const after = await open({ remind: next.remind }, { store, clock });
  await after.take(id);
  await clock.advance(1_000);
  await settle();
  expect([...old.ran, ...next.ran]).toEqual([[id, null, 'Call']]);
  expect((await readThread(store, id)).effects).toEqual([]);
});

test('an effect waits while the store fails, and then runs once', async () => {
  const memory = createMemoryThreadStore();
  let isBroken = false;
  const save: typeof memory.save = (...saved) =>
    isBroken ? Promise.reject(new Error('down')) : memory.save(...saved);
  const { ran, remind } = createReminder();
  const { clock, createThread, take, failures } = await open({ remind }, { store: { ...memory, save } });
  const state = await take(await createThread());
  await state.scheduleEffect('remind', { text: 'Call' }, 10);
  isBroken = true;
  await clock.advance(10);
  await settle();
  expect([ran, failures]).toEqual([[], [['effect', 'down']]]);
  isBroken = false;
  await clock.advance(1_000);
  await settle();
  expect([ran.length, await state.getScheduledEffects()]).toEqual([1, []]);
});

test('a list of effects has no secrets, and the effect has them', async () => {
  const { ran, remind } = createReminder();
  const { ask, clock, createThread, take } = await open({ remind });
  const id = await createThread();
  await ask('PUT', `/${id}/env/KEY`, { value: 'a secret' });
  const state = await take(id);
  await state.scheduleEffect('remind', { text: await state.env('KEY') });
  expect(await state.getScheduledEffects()).toMatchObject([{ args: { text: '••••••' } }]);
  await clock.advance(0);
  await settle();
  expect(ran).toEqual([[id, null, 'a secret']]);
});

test('the error of an effect goes to onError without secrets, and the effect is over', async () => {
  const fail = defineEffect({
    description: 'd',
    async execute(state) {
      throw new Error(`refused ${await state.env('KEY')}`);
    },
  });
  const { ask, clock, createThread, take, failures } = await open({ fail });
  const id = await createThread();
  await ask('PUT', `/${id}/env/KEY`, { value: 'a secret' });
  const state = await take(id);
  await state.scheduleEffect('fail');
  await clock.advance(0);
  await settle();
  expect(failures).toEqual([['effect', 'refused ••••••']]);
  expect(await state.getScheduledEffects()).toEqual([]);
});

test.each<[string, Parameters<ThreadState['scheduleEffect']>, string]>([
  [
    'an unknown effect',
    ['constructor'],
    'There is no effect named constructor. Add it to the effects of the agent',
  ],
  ['wrong arguments', ['remind', { text: 1 }], 'The arguments of the effect remind are invalid: text'],
  ['a delay that is no time', ['remind', { text: '' }, Number.NaN], 'milliseconds from 0 on, got NaN'],
  ['a negative delay', ['remind', { text: '' }, -1], 'milliseconds from 0 on, got -1'],
])('scheduleEffect refuses %s', async (_, args, message) => {
  const { createThread, take } = await open({ remind: createReminder().remind });
  const state = await take(await createThread());
  await expect(state.scheduleEffect(...args)).rejects.toThrow(message);
  expect(await state.getScheduledEffects()).toEqual([]);
});

test.each([
  [{ description: ' ', execute: () => {} }, 'description must be a text'],
  [{ description: 'd' }, 'execute must be a function'],
  [
    { description: 'd', args: z.object({ at: z.date() }), execute: () => {} },
    'defineEffect: args.at is a ZodDate',
  ],
])('defineEffect refuses a definition that is not whole', (definition, message) => {
  expect(() => defineEffect(definition as never)).toThrow(message);
});
