import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { ChatStorage } from '../../../src/core/persistence/chat-storage.ts';
import { createRememberedChoices } from '../../../src/core/policies/create-remembered-choices.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { settled } from '../../support/scripted-chat.ts';

const send = { toolName: 'send', args: { to: 'ada', text: 'Hi' }, conversationId: 'c' };

function open(storage: ChatStorage = createMemoryStorage()) {
  return createRememberedChoices({ storage, clock: createManualClock() });
}

afterEach(() => vi.unstubAllGlobals());

describe('remembered choices', () => {
  it('recall() returns undefined for a call without a remembered choice', async () => {
    expect(await open().recall(send)).toBeUndefined();
  });

  it.each([
    [{ choice: 'alowed', scope: 'browser' }, `not "alowed"`],
    [{ choice: 'allowed', scope: 'brower' }, `not "brower"`],
    [{ choice: 'declined', scope: 'browser', sameArguments: 'no' }, `not "no"`],
  ])('remember() refuses %j and names the tool and the word', async (said, named) => {
    const choices = open();
    const remembering = choices.remember(send, said as never);
    await expect(remembering).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(named),
    });
    await expect(remembering).rejects.toThrow('send');
    expect(choices.getChoices()).toEqual([]);
  });

  it('a choice of scope browser counts for every call of the tool', async () => {
    const choices = open();
    await choices.remember(send, { choice: 'allowed', scope: 'browser' });
    expect(await choices.recall({ ...send, args: {}, conversationId: 'd' })).toBe('allowed');
    expect(await choices.recall({ ...send, toolName: 'pay' })).toBeUndefined();
  });

  it('a choice of scope conversation counts in that conversation only', async () => {
    const storage = createMemoryStorage();
    await open(storage).remember(send, { choice: 'allowed', scope: 'conversation' });
    const choices = open(storage);
    expect(await choices.recall(send)).toBe('allowed');
    expect(await choices.recall({ ...send, conversationId: 'd' })).toBeUndefined();
  });

  it.each([
    ['the same in another order', { text: 'Hi', to: 'ada' }, 'allowed'],
    ['another value', { to: 'bob', text: 'Hi' }, undefined],
    ['one more', { to: 'ada', text: 'Hi', bcc: 'eve' }, undefined],
    ['one less', { to: 'ada' }, undefined],
    [
      'pairs that look like the object',
      [
        ['text', 'Hi'],
        ['to', 'ada'],
      ],
      undefined,
    ],
  ])('a choice with sameArguments compares the arguments: %s', async (_, args, expected) => {
    const choices = open();
    await choices.remember(send, { choice: 'allowed', scope: 'browser', sameArguments: true });
    expect(await choices.recall({ ...send, args })).toBe(expected);
  });

  it('a declined choice takes precedence over an allowed one, in any order', async () => {
    const choices = open();
    await choices.remember(send, { choice: 'declined', scope: 'browser', sameArguments: true });
    await choices.remember(send, { choice: 'allowed', scope: 'browser' });
    expect(await choices.recall(send)).toBe('declined');
    expect(await choices.recall({ ...send, args: {} })).toBe('allowed');
  });

  it('a later choice replaces an earlier one for the same question', async () => {
    const choices = open();
    await choices.remember(send, { choice: 'declined', scope: 'browser' });
    await choices.remember({ ...send, conversationId: 'd' }, { choice: 'allowed', scope: 'browser' });
    expect(choices.getChoices()).toMatchObject([{ toolName: 'send', choice: 'allowed', scope: 'browser' }]);
  });

  it('an allowed choice in one conversation leaves a declined one in another', async () => {
    const choices = open();
    await choices.remember(send, { choice: 'declined', scope: 'conversation' });
    await choices.remember({ ...send, conversationId: 'd' }, { choice: 'allowed', scope: 'conversation' });
    await choices.remember({ ...send, conversationId: 'e' }, { choice: 'allowed', scope: 'browser' });
    expect(await choices.recall(send)).toBe('declined');
  });

  it.each([
    ['by its name', { password: 'hunter2' }, undefined],
    [
      'by the schema of the tool',
      { code: 'hunter2' },
      z.object({ code: z.string().meta({ writeOnly: true }) }),
    ],
  ])('a secret, %s, is not stored for comparison', async (_, args, input) => {
    const storage = createMemoryStorage();
    const choices = open(storage);
    const login = { ...send, args, input };
    await choices.remember(login, { choice: 'allowed', scope: 'browser', sameArguments: true });
    expect(await choices.recall(login)).toBeUndefined();
    expect([...storage.entries.values()].join()).not.toContain('hunter2');
  });

  it('the oldest choice is removed beyond 200 choices', async () => {
    const choices = open();
    for (let n = 0; n <= 200; n += 1) {
      await choices.remember({ ...send, toolName: `tool-${n}` }, { choice: 'allowed', scope: 'browser' });
    }
    expect(choices.getChoices()).toHaveLength(200);
    expect(await choices.recall({ ...send, toolName: 'tool-0' })).toBeUndefined();
    expect(await choices.recall({ ...send, toolName: 'tool-200' })).toBe('allowed');
  });
});

describe('removing a choice', () => {
  it('a removed choice no longer counts in any tab', async () => {
    const storage = createMemoryStorage();
    const [here, there] = [open(storage), open(storage)];
    await here.remember(send, { choice: 'allowed', scope: 'browser' });
    await here.remember({ ...send, toolName: 'pay' }, { choice: 'allowed', scope: 'browser' });
    expect(await there.recall(send)).toBe('allowed');
    await there.revoke(there.getChoices()[1]?.id ?? '');
    expect(await here.recall(send)).toBeUndefined();
    expect(await here.recall({ ...send, toolName: 'pay' })).toBe('allowed');
  });

  it('a choice that another tab removed does not come back with a new choice of this tab', async () => {
    const storage = createMemoryStorage();
    const [here, there] = [open(storage), open(storage)];
    await here.remember(send, { choice: 'allowed', scope: 'browser' });
    await there.revokeAll();
    await here.remember({ ...send, toolName: 'pay' }, { choice: 'allowed', scope: 'browser' });
    expect(here.getChoices()).toMatchObject([{ toolName: 'pay' }]);
  });

  it('concurrent changes are all stored', async () => {
    const choices = open();
    await Promise.all(
      ['a', 'b', 'c'].map((toolName) =>
        choices.remember({ ...send, toolName }, { choice: 'allowed', scope: 'browser' }),
      ),
    );
    expect(choices.getChoices().map(({ toolName }) => toolName)).toEqual(['c', 'b', 'a']);
  });
});

describe('several tabs at once', () => {
  it('a change waits for the lock, so that it sees the change of another tab', async () => {
    const storage = createMemoryStorage();
    await open(storage).remember(send, { choice: 'allowed', scope: 'browser' });
    let grant = () => {};
    const asked: string[] = [];
    const request = (name: string, act: () => Promise<void>) => {
      asked.push(name);
      return new Promise<void>((resolve) => {
        grant = () => resolve(act());
      });
    };
    const choices = open(storage);
    vi.stubGlobal('navigator', { locks: { request } });
    const remembered = choices.remember(
      { ...send, toolName: 'pay' },
      { choice: 'allowed', scope: 'browser' },
    );
    await settled();
    storage.save('handrail-choices', '[]');
    grant();
    await remembered;
    expect(asked).toEqual(['handrail-choices.change']);
    expect(choices.getChoices()).toMatchObject([{ toolName: 'pay' }]);
  });

  it.each([
    ['refused', { request: () => Promise.reject(new DOMException('No locks here', 'SecurityError')) }],
    ['not there', undefined],
  ])('a change is stored although locks are %s', async (_, locks) => {
    vi.stubGlobal('navigator', { locks });
    const choices = open();
    await choices.remember(send, { choice: 'allowed', scope: 'browser' });
    expect(await choices.recall(send)).toBe('allowed');
  });
});

describe('a storage that fails', () => {
  it('a storage that fails to read rejects recall(), without an answer from memory', async () => {
    const choices = open({ load: () => Promise.reject(new Error('closed')), save() {}, remove() {} });
    await expect(choices.recall(send)).rejects.toThrow('closed');
  });

  it('a storage that fails to write is reported, and a removed choice stays removed on this page', async () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const stored = createMemoryStorage();
    await open(stored).remember(send, { choice: 'allowed', scope: 'browser' });
    const full = new Error('full');
    const choices = open({ ...stored, save: () => Promise.reject(full) });
    expect(await choices.recall(send)).toBe('allowed');
    await choices.revokeAll();
    expect(report.mock.calls).toEqual([[full]]);
    expect(await choices.recall(send)).toBeUndefined();
  });

  it('a choice that could not be stored can still be removed', async () => {
    vi.stubGlobal('reportError', vi.fn());
    const choices = open({ ...createMemoryStorage(), save: () => Promise.reject(new Error('full')) });
    await choices.remember(send, { choice: 'allowed', scope: 'browser' });
    expect(await choices.recall(send)).toBe('allowed');
    await choices.revokeAll();
    expect([await choices.recall(send), choices.getChoices()]).toEqual([undefined, []]);
  });

  it('an unreadable storage is reported, and a new choice does not overwrite it', async () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const stored = createMemoryStorage();
    await open(stored).remember(send, { choice: 'declined', scope: 'browser' });
    const closed = new Error('closed');
    let isClosed = true;
    const load: ChatStorage['load'] = (key) => (isClosed ? Promise.reject(closed) : stored.load(key));
    const choices = open({ ...stored, load });
    await choices.remember({ ...send, toolName: 'pay' }, { choice: 'allowed', scope: 'browser' });
    expect(report.mock.calls).toEqual([[closed]]);
    expect(choices.getChoices()).toMatchObject([{ toolName: 'pay' }]);
    expect(await open(stored).recall(send)).toBe('declined');
    isClosed = false;
    await choices.remember({ ...send, toolName: 'look' }, { choice: 'allowed', scope: 'browser' });
    await open(stored).recall(send);
    for (const each of [choices, open(stored)]) {
      expect(await each.recall(send)).toBe('declined');
      expect(each.getChoices().map(({ toolName }) => toolName)).toEqual(['look', 'pay', 'send']);
    }
  });

  it.each<[string, string]>([
    ['{"version":1,', 'is not JSON'],
    ['{"a":1}', 'is no list'],
    ['[null]', 'has 1 entries that cannot be used'],
    ...[
      { id: 7 },
      { toolName: null },
      { choice: 'maybe' },
      { scope: 'world', conversationId: 'c' },
      { scope: 'conversation' },
      { rememberedAt: 'today' },
    ].map((fault): [string, string] => {
      const choice = { id: '1', toolName: 'send', choice: 'allowed', scope: 'browser', rememberedAt: 1 };
      return [JSON.stringify([{ ...choice, ...fault }]), 'has 1 entries that cannot be used'];
    }),
  ])('the stored text %s is set aside, reported once, and gives no choices', async (stored, fault) => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const storage = createMemoryStorage();
    storage.save('handrail-choices', stored);
    const choices = open(storage);
    expect([await choices.recall(send), await choices.recall(send)]).toEqual([undefined, undefined]);
    expect(choices.getChoices()).toEqual([]);
    expect(report.mock.calls).toEqual([
      [
        new TypeError(
          `What is kept under "handrail-choices" ${fault}. All of it was put aside as "handrail-choices.rejected".`,
        ),
      ],
    ]);
    expect(storage.entries.get('handrail-choices.rejected')).toBe(stored);
  });
});

describe('listing the choices', () => {
  it('subscribers are notified of changes, also of other tabs, and unchanged choices retain their identity', async () => {
    const listeners = new Set<(event: { key: string | null }) => void>();
    vi.stubGlobal('addEventListener', (_: string, listener: never) => listeners.add(listener));
    vi.stubGlobal('removeEventListener', (_: string, listener: never) => listeners.delete(listener));
    const storage = createMemoryStorage();
    const [here, there] = [open(storage), open(storage)];
    const notified = vi.fn();
    const unsubscribe = here.subscribe(notified);
    await settled();
    await there.remember(send, { choice: 'allowed', scope: 'browser' });
    for (const tell of listeners) tell({ key: 'something-else' });
    await settled();
    expect(notified).toHaveBeenCalledTimes(0);
    for (const tell of listeners) tell({ key: 'handrail-choices' });
    await settled();
    expect(notified).toHaveBeenCalledTimes(1);
    const shown = here.getChoices();
    expect(shown).toMatchObject([{ toolName: 'send', choice: 'allowed' }]);
    expect(await here.recall(send)).toBe('allowed');
    expect(here.getChoices()).toBe(shown);
    expect(notified).toHaveBeenCalledTimes(1);
    const alsoNotified = vi.fn();
    const unsubscribeToo = here.subscribe(alsoNotified);
    await settled();
    unsubscribe();
    storage.remove('handrail-choices');
    for (const tell of listeners) tell({ key: null });
    await settled();
    expect([notified.mock.calls.length, alsoNotified.mock.calls.length]).toEqual([1, 1]);
    expect(here.getChoices()).toEqual([]);
    unsubscribeToo();
    expect(listeners.size).toBe(0);
  });
});
