/** Arguments that a person has changed before allowing a call: they are what runs, and what everybody is shown from then on. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { PendingToolCall } from '../../../src/core/protocol/events.ts';
import { toUIMessages } from '../../../src/server/sessions/to-ui-messages.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import type { ServerToolDefinition } from '../../../src/server/tools/server-tool.ts';
import { testEditedArguments } from '../stores/edited-arguments.ts';
import { createListAgent, hello, requestIn, run, stop, text } from '../support.ts';
import { answer, callRefund, done, open, resultIn } from './support.ts';

describe('with the store in memory', () => {
  const store = createMemorySessionStore();
  testEditedArguments(() => store);
});

const input = z.object({
  orderId: z.string(),
  amount: z.number(),
  pin: z.string().meta({ format: 'password' }).optional(),
});
const asking = (more: Partial<ServerToolDefinition> = {}) =>
  defineServerTool({
    input,
    approval: 'always',
    editable: true,
    execute: ({ amount }, { ask }) => ask({ message: `Why ${amount}?` }),
    ...(more as object),
  });
const yes = (editedArgs: object) => ({ confirmed: true, editedArgs });
const firstCall = (events: Parameters<typeof requestIn>[0]) =>
  requestIn(events).toolCalls[0] as PendingToolCall;

describe('the arguments of a later question', () => {
  it('a question of a call that nobody has changed has no originalArgs', async () => {
    const { session } = open(asking());
    const asked = await run(session, hello);
    expect(firstCall(asked)).not.toHaveProperty('originalArgs');
    expect(firstCall(await run(session, answer(asked, { confirmed: true })))).not.toHaveProperty(
      'originalArgs',
    );
  });

  it('an edit that changes nothing has no originalArgs, in the question and in the part', async () => {
    const { session, store } = open(asking());
    const asked = await run(session, hello);
    const next = await run(session, answer(asked, yes({ orderId: 'o-1', amount: 80 })));
    expect(firstCall(next)).not.toHaveProperty('originalArgs');
    const [, message] = toUIMessages((await store.load('s')) as never);
    for (const part of message?.parts ?? []) expect(part).not.toHaveProperty('originalArgs');
  });

  it('a secret that a person has typed into the arguments is in neither form of them', async () => {
    const { session, store } = open(asking());
    const asked = await run(session, hello);
    const next = await run(session, answer(asked, yes({ orderId: 'o-1', amount: 45, pin: 'hunter2' })));
    expect(firstCall(next)).toMatchObject({
      args: { orderId: 'o-1', amount: 45 },
      originalArgs: { orderId: 'o-1', amount: 80 },
    });
    const shown = [
      next,
      await run(session, { type: 'open' }),
      await store.load('s'),
      await store.listOpenCalls?.(),
    ];
    expect(JSON.stringify(shown)).not.toContain('hunter2');
  });

  it('redactStored decides what other pages see of the changed arguments', async () => {
    const redactStored = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll('o-2', 'hidden')) as unknown;
    const { session } = open(asking(), { redactStored });
    const asked = await run(session, hello);
    const next = await run(session, answer(asked, yes({ orderId: 'o-2', amount: 45 })));
    expect(JSON.stringify(next)).not.toContain('o-2');
    expect(firstCall(next)).toMatchObject({ args: { orderId: 'hidden', amount: 45 } });
  });

  it('a no with edited arguments changes nothing of the call', async () => {
    const { session, store, agent } = open(asking());
    const asked = await run(session, hello);
    await run(session, answer(asked, { confirmed: false, editedArgs: { orderId: 'o-1', amount: 45 } }));
    expect(resultIn(agent)).toMatchObject({ confirmed: false });
    const [, message] = toUIMessages((await store.load('s')) as never);
    expect(message?.parts[0]).toMatchObject({ args: { amount: 80 }, outcome: 'declined' });
    expect(message?.parts[0]).not.toHaveProperty('originalArgs');
  });

  it('an agent cannot say itself that arguments were changed', async () => {
    const [request, end] = callRefund as [{ type: 'tool-request'; toolCalls: PendingToolCall[] }, never];
    const toolCalls = request.toolCalls.map((call) => ({ ...call, originalArgs: { amount: 1 } }));
    const agent = createListAgent([{ ...request, toolCalls }, end], done);
    const { session } = open(asking(), {}, agent);
    expect(firstCall(await run(session, hello))).not.toHaveProperty('originalArgs');
  });
});

describe('the schema of the arguments', () => {
  it.each([true, false])('is sent with an approval whose arguments are editable: %s', async (editable) => {
    const { session } = open(asking({ editable }));
    expect(firstCall(await run(session, hello)).question).toMatchObject({
      inputSchema: { properties: { amount: { type: 'number' } } },
    });
  });

  it('is sent with the questions that a tool asks in its work', async () => {
    const { session } = open(asking({ approval: 'never' }));
    expect(firstCall(await run(session, hello)).question).toMatchObject({
      inputSchema: { properties: { amount: { type: 'number' } } },
    });
  });
});

describe('the name of a call', () => {
  const titled = {
    type: 'tool-input-start',
    toolCallId: 'call-1',
    toolName: 'choose',
    title: 'Choose what you get',
  } as const;
  const choose = [
    titled,
    { type: 'tool-request', toolCalls: [{ toolCallId: 'call-1', toolName: 'choose', args: {} }] },
    { type: 'finish', finishReason: 'tool-calls' },
  ] as const;

  it('the name under which the agent has announced a call outlives a reload', async () => {
    const agent = createListAgent([...choose], [...text('Done'), stop]);
    const { session, store } = open(asking(), {}, agent);
    await run(session, hello);
    const [snapshot] = await run(session, { type: 'open' });
    const part = { toolName: 'choose', displayName: 'Choose what you get' };
    expect(snapshot).toMatchObject({ messages: [{}, { parts: [part] }] });
    expect(toUIMessages((await store.load('s')) as never)).toMatchObject([{}, { parts: [part] }]);
  });

  it('the title of the tool counts before the name under which the agent has announced the call', async () => {
    const agent = createListAgent([{ ...titled, toolName: 'refund' }, ...callRefund], done);
    const { session } = open(asking({ title: 'Refund' }), {}, agent);
    await run(session, hello);
    const [snapshot] = await run(session, { type: 'open' });
    expect(snapshot).toMatchObject({ messages: [{}, { parts: [{ displayName: 'Refund' }] }] });
  });

  it('a run whose events are lost is replayed with the names and the arguments that ran', async () => {
    const { session, store, agent, restart } = open(asking({ title: 'Refund', execute: () => 'paid' }));
    const asked = await run(session, hello);
    const { executionId } = requestIn(asked);
    await run(session, answer(asked, yes({ orderId: 'o-1', amount: 45 })));
    expect(agent.contexts).toHaveLength(2);
    expect(await store.load('s')).toMatchObject({ execution: { state: 'done' } });
    const { load, save } = store;
    const elsewhere = restart(asking({ title: 'Refund' }), { store: { load, save } });
    expect(await run(elsewhere, { type: 'resume', executionId, cursor: 0 })).toContainEqual(
      expect.objectContaining({
        type: 'tool-input-available',
        title: 'Refund',
        input: { orderId: 'o-1', amount: 45 },
      }),
    );
  });
});
