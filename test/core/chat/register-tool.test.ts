import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { RespondCommand } from '../../../src/core/protocol/commands.ts';
import { type AgentChatOptions, type ClientTools, defineClientTool } from '../../../src/core.ts';
import { createDeferred } from '../../support/deferred.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';

/** A chat whose agent calls `pick` before or after the test has registered it. */
async function started(options: Partial<AgentChatOptions> = {}) {
  const scripted = scriptedChat(options);
  void scripted.chat.sendMessage('Hi');
  const run = await scripted.backend.request(0);
  const ask = async (...calls: Parameters<typeof request>) => {
    run.send(start, request(...calls), awaitingAnswers);
    run.end();
    await settled();
  };
  const answers = () =>
    scripted.backend.commands
      .filter((command): command is RespondCommand => command.type === 'respond')
      .flatMap((command) => command.answers.map(({ result, error }) => error ?? result));
  const pick = () => scripted.chat.getState().pendingClientTools.pick?.[0];
  return { ...scripted, run, ask, answers, pick };
}

const pickColor = defineClientTool({
  title: 'Pick a colour',
  interactive: true,
  output: z.object({ color: z.string() }),
});

describe('registerTool', () => {
  it('a registered handler answers calls until it is unregistered', async () => {
    const { chat, ask, answers } = await started();
    chat.registerTool('pick', () => 'red').unregister();
    chat.registerTool('pick', () => 'green');
    await ask(call('1', 'pick'));
    expect(answers()).toEqual(['green']);
  });

  it('a question whose tool is updated while it is open shows the new text, and takes no yes to the old one', async () => {
    const { chat, ask, pick, answers } = await started();
    const pay = (title: string) =>
      defineClientTool({ title, approval: 'always', execute: () => `paid by ${title}` });
    const registration = chat.registerTool('pick', pay('Card'));
    await ask(call('1', 'pick'));
    const old = pick();
    registration.update(pay('Card'));
    await settled();
    expect(pick()).toBe(old);
    registration.update(pay('Bank'));
    await settled();
    expect(pick()?.definition?.title).toBe('Bank');
    expect(+(pick()?.requestedAt ?? 0)).toBeGreaterThan(+(old?.requestedAt ?? 0));
    expect(old?.submit(undefined)).toMatchObject({ settled: false });
    expect(pick()?.submit(undefined)).toEqual({ settled: true });
    await settled();
    expect(answers()).toEqual(['paid by Bank']);
  });

  it('a call whose tool is missing waits a second, then the agent gets the missing-handler text', async () => {
    const { ask, answers, clock, chat } = await started();
    await ask(call('1', 'pick'));
    await clock.advance(999);
    expect(answers()).toEqual([]);
    expect(chat.getState().status).toBe('streaming');
    await clock.advance(1);
    await settled();
    expect(answers()).toEqual(['No client handler for tool: pick']);
  });

  it('a call whose tool comes within the time runs it, once', async () => {
    const { chat, ask, answers, clock } = await started();
    const handler = vi.fn(() => 'red');
    await ask(call('1', 'pick'));
    await clock.advance(900);
    chat.registerTool('pick', handler);
    await settled();
    expect(answers()).toEqual(['red']);
    await clock.advance(5000);
    expect(handler).toHaveBeenCalledTimes(1);
    expect(answers()).toEqual(['red']);
  });

  it.each([
    [0, 0],
    [5000, 5000],
  ])('registrationGraceMs %d makes a call wait %d ms', async (registrationGraceMs, ms) => {
    const { ask, answers, clock } = await started({ registrationGraceMs });
    await ask(call('1', 'pick'));
    await clock.advance(Math.max(0, ms - 1));
    if (ms > 0) expect(answers()).toEqual([]);
    await clock.advance(1);
    await settled();
    expect(answers()).toEqual(['No client handler for tool: pick']);
  });

  it.each([[-1], [Number.NaN], ['1000']])('refuses registrationGraceMs %s', (registrationGraceMs) => {
    const options = { registrationGraceMs } as Partial<AgentChatOptions>;
    expect(() => scriptedChat(options)).toThrow('registrationGraceMs must be a number of 0 or more');
  });

  it('stop ends the wait for a tool, and a tool that comes later does not run', async () => {
    const { chat, ask, answers, clock } = await started();
    const handler = vi.fn(() => 'red');
    await ask(call('1', 'pick'));
    chat.stop();
    chat.registerTool('pick', handler);
    await clock.advance(1000);
    expect(answers()).toEqual([]);
    expect(handler).not.toHaveBeenCalled();
  });

  it.each([
    ['the latest registration wins, over clientTools too', [], 'second'],
    ['the registration before is back when the latest goes', ['second', 'second'], 'first'],
    ['clientTools are back when all registrations have gone', ['first', 'second'], 'declared'],
  ] as const)('%s', async (_, gone, answer) => {
    const clientTools: ClientTools = { pick: () => 'declared' };
    const { chat, ask, answers } = await started({ clientTools });
    const first = chat.registerTool('pick', () => 'first');
    const second = chat.registerTool('pick', () => 'second');
    expect([first.replaces, second.replaces]).toEqual(['declared', 'registered']);
    for (const name of gone) (name === 'first' ? first : second).unregister();
    await ask(call('1', 'pick'));
    expect(answers()).toEqual([answer]);
  });

  it('update replaces the tool for later calls', async () => {
    const { chat, ask, answers } = await started();
    const registration = chat.registerTool('pick', () => 'old');
    expect(registration.replaces).toBeUndefined();
    registration.update(() => 'new');
    await ask(call('1', 'pick'));
    expect(answers()).toEqual(['new']);
  });

  it('a handler that runs when its tool is unregistered runs to its end', async () => {
    const { chat, ask, answers } = await started();
    const slow = createDeferred<string>();
    let aborted: AbortSignal | undefined;
    const registration = chat.registerTool('pick', (_args, { signal }) => {
      aborted = signal;
      return slow.promise;
    });
    await ask(call('1', 'pick'));
    registration.unregister();
    await settled();
    expect(aborted?.aborted).toBe(false);
    slow.resolve('red');
    await settled();
    expect(answers()).toEqual(['red']);
  });

  it('a call that waits for a person survives, and is asked as the next tool of the name asks it', async () => {
    const { chat, ask, answers, clock, pick } = await started();
    const registration = chat.registerTool('pick', pickColor);
    await ask(call('1', 'pick'));
    const before = pick();
    registration.unregister();
    await clock.advance(60_000);
    expect(answers()).toEqual([]);
    expect(chat.getState().status).toBe('awaiting-input');
    chat.registerTool('pick', { ...pickColor, title: 'Choose' });
    const now = pick();
    expect([before?.definition?.title, now?.definition?.title]).toEqual(['Pick a colour', 'Choose']);
    expect(now?.submit({ shade: 1 })).toMatchObject({ settled: false, reason: 'invalid-result' });
    expect(now?.submit({ color: 'red' })).toEqual({ settled: true });
    expect(before?.submit({ color: 'blue' })).toMatchObject({ settled: false, reason: 'already-settled' });
    await settled();
    expect(answers()).toEqual([{ color: 'red' }]);
  });

  it('a yes that comes after the tool has gone runs nothing, also not the tool that comes later', async () => {
    const { chat, ask, answers, pick } = await started();
    const [first, second] = [vi.fn(), vi.fn()];
    const registration = chat.registerTool('pick', { execute: first, approval: 'always' });
    await ask(call('1', 'pick'));
    registration.unregister();
    pick()?.submit(undefined);
    chat.registerTool('pick', { execute: second, approval: 'always' });
    await settled();
    expect(first).not.toHaveBeenCalled();
    expect(second).not.toHaveBeenCalled();
    expect(answers()).toEqual(['No client handler for tool: pick']);
  });

  it('refuses a tool without a name, and a definition that the engine could not use', async () => {
    const { chat } = await started();
    expect(() => chat.registerTool('', () => 1)).toThrow('under a name');
    const faulty = { execute: () => 1, severity: 'high' } as unknown as ClientTools[string];
    expect(() => chat.registerTool('pick', faulty)).toThrow('Tool pick: severity of a client tool must be');
  });
});
