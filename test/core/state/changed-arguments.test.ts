/** What a page shows of a call whose arguments a person has changed: those that run, beside those of the agent. */
import { describe, expect, it } from 'vitest';
import { createAuditTrail } from '../../../src/core/policies/create-audit-trail.ts';
import type { PendingToolCall } from '../../../src/core/protocol/events.ts';
import { toQuestion } from '../../../src/core/transport/to-question.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { call, request, start } from '../../support/scripted-events.ts';

const SENT = { order: '4711', amount: 89 };
const EDITED = { order: '4711', amount: 45 };
const YES = { confirmed: true, editedArgs: EDITED, changedArgs: ['amount'] };
const inputSchema = { type: 'object', properties: { pin: { format: 'password' } } };
const approval = {
  args: SENT,
  executedBy: 'server',
  question: { ui: 'confirm', title: 'Refund', editable: true, inputSchema },
} as const;

/** A page on which one call waits. */
async function openPage(asked: Partial<PendingToolCall> = approval) {
  const transport = createScriptedTransport({ results: 'one-by-one' });
  const trail = createAuditTrail();
  const { chat, backend, clock } = scriptedChat(
    { clientTools: { ask: 'interactive' }, onCallSettled: (one) => void trail.record(one) },
    Object.assign(transport, { clientTool: toQuestion }),
  );
  void chat.sendMessage('Hi');
  const run = await backend.request(0);
  run.send(start, request({ ...call('1', 'ask'), ...asked }));
  await settled();
  const part = async () => {
    await settled();
    clock.frame();
    return chat.getState().messages.at(-1)?.parts[0];
  };
  return { chat, backend, run, part, trail };
}

describe('the part of a call', () => {
  it('has the title and the schema of its question', async () => {
    const { part } = await openPage();
    expect(await part()).toMatchObject({ displayName: 'Refund', inputSchema, args: SENT });
    expect(await part()).not.toHaveProperty('originalArgs');
  });

  it('shows the arguments that a person has allowed on this page, and those of the agent beside them', async () => {
    const { chat, part } = await openPage();
    chat.getState().pendingCalls[0]?.submit(YES);
    expect(await part()).toMatchObject({ args: EDITED, originalArgs: SENT, outcome: 'submitted' });
  });

  it('shows the arguments that a person has allowed on another page, as the server has stored them', async () => {
    const { run, part } = await openPage();
    run.send({
      type: 'tool-result-acknowledged',
      toolCallId: '1',
      status: 'accepted',
      outcome: 'submitted',
      result: YES,
      reason: 'this once',
      answeredBy: { id: 'grace' },
    });
    const shown = { args: EDITED, originalArgs: SENT, reason: 'this once', answeredBy: { id: 'grace' } };
    expect(await part()).toMatchObject(shown);
    run.send({ type: 'tool-output-available', toolCallId: '1', output: 'paid 45' });
    expect(await part()).toMatchObject({ ...shown, result: 'paid 45', status: 'done' });
  });

  it('has no secret that a person has typed into its arguments', async () => {
    const { chat, part } = await openPage();
    chat.getState().pendingCalls[0]?.submit({ ...YES, editedArgs: { ...EDITED, pin: 'hunter2' } });
    expect(await part()).toMatchObject({ args: EDITED, originalArgs: SENT });
    expect(JSON.stringify(await part())).not.toContain('hunter2');
  });

  it.each([
    ['a no with other arguments', { ...YES, confirmed: false }, 'declined'],
    ['a yes that changes nothing', { ...YES, editedArgs: SENT }, 'submitted'],
  ] as const)('shows the arguments of the agent alone after %s', async (_, result, outcome) => {
    const { run, part } = await openPage();
    run.send({ type: 'tool-result-acknowledged', toolCallId: '1', status: 'accepted', outcome, result });
    expect(await part()).toMatchObject({ args: SENT, outcome });
    expect(await part()).not.toHaveProperty('originalArgs');
  });

  it('shows the arguments of the agent again when the changed ones of this page do not count', async () => {
    const { chat, run, part } = await openPage();
    chat.getState().pendingCalls[0]?.submit(YES);
    expect(await part()).toMatchObject({ args: EDITED });
    const other = { outcome: 'submitted', result: { confirmed: true }, answeredBy: { id: 'lin' } } as const;
    run.send({ type: 'tool-result-acknowledged', toolCallId: '1', status: 'expired', ...other });
    expect(await part()).toMatchObject({ args: SENT, answeredBy: { id: 'lin' } });
    expect(await part()).not.toHaveProperty('originalArgs');
  });

  it('shows both forms in a later question of the tool, before and after its answer', async () => {
    const question = { ui: 'form', title: 'Refund', description: 'Why?' } as const;
    const { chat, part } = await openPage({ args: EDITED, originalArgs: SENT, question });
    expect(await part()).toMatchObject({ args: EDITED, originalArgs: SENT });
    chat.getState().pendingCalls[0]?.submit({ why: 'broken' });
    expect(await part()).toMatchObject({ args: EDITED, originalArgs: SENT, result: { why: 'broken' } });
  });
});

it('the original arguments of a question do not go back with its answer', async () => {
  const { chat, backend } = await openPage({ args: EDITED, originalArgs: SENT });
  chat.getState().pendingCalls[0]?.submit('x');
  await settled();
  expect(backend.commands.at(-1)).toMatchObject({ type: 'respond', answers: [{ echo: {} }] });
  expect(JSON.stringify(backend.commands.at(-1))).not.toContain('89');
});

describe('the history of a call whose arguments were changed', () => {
  it.each<[string, Partial<PendingToolCall>]>([
    ['of the server', approval],
    ['of this page', { args: SENT }],
  ])('has both forms of a call %s that a person changed here', async (_, asked) => {
    const { chat, trail } = await openPage(asked);
    chat.getState().pendingCalls[0]?.submit(YES);
    await settled();
    expect(trail.getEntries()).toMatchObject([{ args: EDITED, originalArgs: SENT, outcome: 'submitted' }]);
  });

  it('has both forms of a call that a person changed on another page', async () => {
    const { run, trail } = await openPage();
    const answered = { outcome: 'submitted', result: YES, answeredBy: { id: 'grace' } } as const;
    run.send({ type: 'tool-result-acknowledged', toolCallId: '1', status: 'accepted', ...answered });
    await settled();
    expect(trail.getEntries()).toMatchObject([{ args: EDITED, originalArgs: SENT, person: { id: 'grace' } }]);
  });

  it('has one form after a yes that changes nothing, and no secret of a changed one', async () => {
    const unchanged = await openPage();
    unchanged.chat.getState().pendingCalls[0]?.submit({ confirmed: true });
    const secret = await openPage();
    secret.chat.getState().pendingCalls[0]?.submit({ ...YES, editedArgs: { ...EDITED, pin: 'hunter2' } });
    await settled();
    expect(unchanged.trail.getEntries()[0]).not.toHaveProperty('originalArgs');
    expect(secret.trail.getEntries()).toMatchObject([{ args: EDITED, originalArgs: SENT }]);
    expect(secret.trail.toJson()).not.toContain('hunter2');
  });
});
