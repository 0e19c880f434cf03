import { describe, expect, it, onTestFinished } from 'vitest';
import { type AgentChatOptions, createPersistence } from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { calls, createListAgent, stop, text } from '../../server/support.ts';
import { createFakeBrowser } from '../../support/fake-tabs.ts';
import { type Device, shareSession } from '../../support/shared-session.ts';

const ADA = { id: 'ada', name: 'Ada' };
const BOB = { id: 'bob', name: 'Bob' };
const interactive = { clientTools: { ask: 'interactive' } } satisfies Partial<AgentChatOptions>;

function show(device: Device): Device {
  device.chat.subscribe(() => {});
  onTestFinished(() => device.chat.destroy());
  return device;
}

const texts = ({ chat }: Device) =>
  chat
    .getState()
    .messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));

async function eventually(passes: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !passes(); turn += 1) await new Promise((next) => setImmediate(next));
  expect(passes()).toBe(true);
}

/** Pages of one browser, which share a storage, and a phone. */
function open(...invocations: Parameters<typeof createListAgent>) {
  const shared = shareSession({ agent: createListAgent(...invocations) });
  const storage = createMemoryStorage();
  const page = (more: Partial<AgentChatOptions> = {}) =>
    show(
      shared.device(ADA, {
        id: 's',
        persistence: createPersistence({ storage }),
        openOnStart: true,
        ...interactive,
        ...more,
      }),
    );
  const phone = () => show(shared.device(BOB, interactive));
  return { ...shared, page, phone };
}

describe('openOnStart with persistence', () => {
  it('a stored conversation that is older than that of the server is replaced', async () => {
    const { page, phone } = open([...text('Hi'), stop], [...text('Again'), stop]);
    const first = page();
    await first.chat.sendMessage('hello');
    first.chat.destroy();
    const other = phone();
    await other.chat.open?.();
    await other.chat.sendMessage('more');
    const reloaded = page();
    await eventually(() => texts(reloaded).length === 4);
    expect(texts(reloaded)).toEqual(['hello', 'Hi', 'more', 'Again']);
  });

  it('a question that was answered elsewhere while the page was away is closed after the reload', async () => {
    const { page, phone } = open(calls('ask'), [...text('Thanks'), stop]);
    const first = page();
    await first.chat.sendMessage('hello');
    first.chat.destroy();
    const other = phone();
    await other.chat.open?.();
    other.chat.getState().pendingCalls[0]?.submit('from the phone');
    await eventually(() => other.chat.getState().status === 'idle');
    const reloaded = page();
    await eventually(() => reloaded.chat.getState().status === 'idle' && texts(reloaded).includes('Thanks'));
    expect(reloaded.chat.getState().pendingCalls).toEqual([]);
    expect(reloaded.notified).toEqual([]);
  });

  it('a question that still waits keeps what was typed into it, and can be answered', async () => {
    const { page } = open(calls('ask'), [...text('Thanks'), stop]);
    const first = page();
    await first.chat.sendMessage('hello');
    first.chat.getState().pendingCalls[0]?.saveInput({ note: 'half' });
    first.chat.destroy();
    const reloaded = page();
    await eventually(() => reloaded.sent.length === 2);
    const [call] = reloaded.chat.getState().pendingCalls;
    expect(call?.getSavedInput()).toEqual({ note: 'half' });
    call?.submit('yes');
    await eventually(() => texts(reloaded).includes('Thanks'));
    // The last one follows the conversation at rest.
    await eventually(() => reloaded.sent.length === 4);
    expect(reloaded.sent).toEqual(['open', 'open', 'continue', 'open']);
  });

  it('a message that could not be sent stays, so that it can be sent again', async () => {
    const { page } = open([...text('Hi'), stop]);
    const first = page();
    await eventually(() => first.sent.length === 2);
    first.goOffline();
    await first.chat.sendMessage('hello');
    expect(first.chat.getState().status).toBe('error');
    first.chat.destroy();
    const reloaded = page();
    await eventually(() => texts(reloaded).length === 1);
    expect(reloaded.sent).toEqual([]);
    await reloaded.chat.retry();
    expect(texts(reloaded)).toEqual(['hello', 'Hi']);
  });

  it('a conversation that could not be opened is opened after a reload', async () => {
    const { page, phone, clock } = open([...text('Hi'), stop]);
    await phone().chat.sendMessage('hello');
    const first = page();
    first.goOffline();
    await clock.advance(60_000);
    await eventually(() => first.chat.getState().status === 'error');
    first.chat.destroy();
    const reloaded = page();
    await eventually(() => texts(reloaded).length === 2);
    expect(reloaded.chat.getState()).toMatchObject({ status: 'idle', error: null });
  });

  it('the owner tab opens, for itself and when another tab asks', async () => {
    const { page, phone } = open([...text('Hi'), stop], [...text('Again'), stop]);
    await phone().chat.sendMessage('hello');
    const browser = createFakeBrowser();
    const storage = createMemoryStorage();
    const openTab = () =>
      page({ persistence: createPersistence({ storage, tabs: browser.openTab().environment }) });
    const owner = openTab();
    await eventually(() => texts(owner).length === 2);
    const follower = openTab();
    await eventually(() => texts(follower).length === 2);
    const other = phone();
    await other.chat.open?.();
    await other.chat.sendMessage('more');
    await eventually(() => texts(follower).length === 4);
    expect(texts(owner)).toEqual(['hello', 'Hi', 'more', 'Again']);
    const before = owner.sent.length;
    await follower.chat.open?.();
    await eventually(() => owner.sent.length > before);
    expect(new Set([...owner.sent, ...follower.sent])).toEqual(new Set(['open']));
    expect(follower.sent).toEqual([]);
  });
});
