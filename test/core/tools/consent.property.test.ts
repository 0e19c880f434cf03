/**
 * Consent while everything moves: whatever is asked a second time with other arguments, however often a tool is redefined, and whichever
 * dialog a person still has in front of them, a handler runs only as the tool and with the arguments that the person read, and once.
 */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createAgentChatFrom } from '../../../src/core/chat/create-agent-chat.ts';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { defineClientTool, type InteractiveTool, type ToolCallPart } from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { settledIn } from '../../support/asked-calls.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { call, request, start } from '../../support/scripted-events.ts';

const SENT = { amount: 1, to: 'ada' };
const args = fc.record({ amount: fc.integer({ min: 1, max: 9 }), to: fc.constantFrom('ada', 'bob') });

const step = fc.oneof(
  fc.record({ type: fc.constant('ask again' as const), args }),
  fc.record({ type: fc.constant('arguments again' as const), args }),
  fc.record({ type: fc.constant('redefine' as const), version: fc.nat(2), tells: fc.boolean() }),
  fc.record({ type: fc.constant('yes' as const), dialog: fc.nat(5) }),
  fc.record({ type: fc.constant('edit' as const), dialog: fc.nat(5), args }),
  fc.record({ type: fc.constant('broken edit' as const), dialog: fc.nat(5) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function openWorld() {
  const ran: unknown[] = [];
  const backend = createScriptedTransport();
  const toTools = (version: number) => ({
    pay: defineClientTool({
      title: `Version ${version}`,
      input: z.object({ amount: z.number(), to: z.string() }),
      approval: 'always',
      editable: true,
      execute(given) {
        ran.push({ version, ...given });
        // The handler may do to its arguments whatever it likes.
        Object.assign(given, { amount: 1_000_000 });
        return 'paid';
      },
    }),
  });
  let clientTools = toTools(0);
  let version = 0;
  const chat = createAgentChatFrom(() => ({
    ...{ transport: backend, clock: createManualClock(), id: 'c' },
    clientTools: clientTools as never,
  }));
  void chat.sendMessage('Hi');
  const run = await backend.request(0);
  run.send(start, request(call('1', 'pay', SENT)));
  await settledIn();

  /** Every dialog that was ever shown: a person may press the button of any of them. */
  const dialogs: InteractiveTool[] = [];
  const look = () => {
    const [tool] = chat.getState().pendingCalls;
    if (tool && !dialogs.includes(tool)) dialogs.push(tool);
  };
  const part = () =>
    chat
      .getState()
      .messages.flatMap(({ parts }) => parts)
      .find((each): each is ToolCallPart => each.type === 'tool-call');
  look();
  return {
    ran,
    part,
    look,
    dialogs,
    send: (event: AgentEvent) => run.send(event),
    version: () => version,
    redefine(next: number, tells: boolean) {
      version = next;
      clientTools = toTools(next);
      if (tells) chat.refreshTools();
    },
  };
}

/** Plays the steps, and returns what went against the promise. */
async function play(steps: readonly Step[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const world = await openWorld();
  let expected: unknown;
  let shown: unknown = SENT;
  const press = (index: number, editedArgs?: Record<string, unknown>) => {
    const dialog = world.dialogs[index % world.dialogs.length] as InteractiveTool;
    const isCurrent = dialog.definition?.title === `Version ${world.version()}`;
    const { settled } = dialog.submit({ confirmed: true, ...(editedArgs && { editedArgs }) });
    if (!settled) return;
    if (expected !== undefined) faults.push('two answers counted');
    if (!isCurrent) faults.push('the yes to an earlier text counted');
    shown = editedArgs ?? dialog.args;
    expected = { version: world.version(), ...(shown as object) };
  };
  for (const each of steps) {
    if (each.type === 'ask again') world.send(request(call('1', 'pay', each.args)));
    else if (each.type === 'arguments again')
      world.send({ type: 'tool-input-available', toolCallId: '1', toolName: 'pay', input: each.args });
    else if (each.type === 'redefine') world.redefine(each.version, each.tells);
    else if (each.type === 'yes') press(each.dialog);
    else if (each.type === 'edit') press(each.dialog, each.args);
    else press(each.dialog, { amount: 'much' });
    await settledIn();
    world.look();
    if (JSON.stringify(world.part()?.args) !== JSON.stringify(shown))
      faults.push('other arguments are shown');
    if (world.dialogs.some((dialog) => JSON.stringify(dialog.args) !== JSON.stringify(SENT)))
      faults.push('a dialog shows other arguments');
  }
  const runs = expected === undefined ? [] : [expected];
  if (JSON.stringify(world.ran) !== JSON.stringify(runs))
    faults.push(`ran ${JSON.stringify(world.ran)} in place of ${JSON.stringify(runs)}`);
  return faults;
}

it('a handler runs once, as the tool and with the arguments that the person read', async () => {
  const counts = { ran: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      expect(await play(steps)).toEqual([]);
      if (steps.some(({ type }) => type === 'yes' || type === 'edit')) counts.ran += 1;
    }),
    { numRuns: caseCount(60) },
  );
  expect(counts.ran).toBeGreaterThan(10);
});
