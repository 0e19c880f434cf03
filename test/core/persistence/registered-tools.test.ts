/** Tools of components that come some time after the conversation was restored. */
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { ClientTools } from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { left, open, restored } from '../../support/persisted-page.ts';
import { settled } from '../../support/scripted-chat.ts';

const ask = { interactive: true, title: 'Ask', output: z.object({ size: z.string() }) } as const;

/** The next page of a conversation whose agent has called `ask`. The next page has no tools at first. */
async function reloaded(clientTools: ClientTools) {
  const storage = createMemoryStorage();
  const before = await left(storage, clientTools, undefined, 'ask');
  await before.clock.advance(0);
  const after = open(storage);
  await restored(after.chat);
  const pending = () => after.chat.getState().pendingClientTools.ask ?? [];
  const answers = () =>
    after.backend.commands.flatMap((command) => ('answers' in command ? command.answers : []));
  return { ...after, pending, answers };
}

describe('a reload of a page whose tools are registered by components', () => {
  it('a waiting call is shown when its tool comes, as the tool asks it', async () => {
    const { chat, clock, pending, answers } = await reloaded({ ask });
    expect(chat.getState().status).toBe('awaiting-input');
    expect(pending()).toEqual([]);
    await clock.advance(900);
    chat.registerTool('ask', ask);
    expect(pending()).toMatchObject([{ definition: { title: 'Ask' } }]);
    expect(pending()[0]?.submit(7)).toMatchObject({ reason: 'invalid-result' });
    expect(pending()[0]?.submit({ size: 'L' })).toEqual({ settled: true });
    await settled();
    expect(answers()).toMatchObject([{ result: { size: 'L' } }]);
  });

  it('a waiting call whose tool does not come is shown without it, so that a person can end it', async () => {
    const { chat, clock, pending, answers } = await reloaded({ ask });
    await clock.advance(1000);
    expect(pending()).toHaveLength(1);
    expect(pending()[0]).not.toHaveProperty('definition');
    expect(answers()).toEqual([]);
    chat.registerTool('ask', ask);
    expect(pending()).toMatchObject([{ definition: { title: 'Ask' } }]);
  });

  it('a call whose handler was interrupted asks the person when its tool comes', async () => {
    const handler = vi.fn(() => new Promise(() => {}));
    const { chat, clock, pending } = await reloaded({ ask: handler });
    await clock.advance(900);
    const again = vi.fn(() => 'again');
    chat.registerTool('ask', again);
    expect(pending()).toMatchObject([{ approvalReason: 'interrupted' }]);
    expect(again).not.toHaveBeenCalled();
    pending()[0]?.submit(undefined);
    await settled();
    expect(again).toHaveBeenCalledTimes(1);
  });

  it('a call whose handler was interrupted gets the missing-handler text when its tool does not come', async () => {
    const { clock, answers } = await reloaded({ ask: () => new Promise(() => {}) });
    await clock.advance(1000);
    await settled();
    expect(answers()).toMatchObject([{ outcome: 'failed', error: 'No client handler for tool: ask' }]);
  });
});
