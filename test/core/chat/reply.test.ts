import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  type AgentChatOptions,
  createPersistence,
  defineClientTool,
  type SettledCall,
} from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { answersOf, asked, payTool, settledIn } from '../../support/asked-calls.ts';
import { createFakeBrowser } from '../../support/fake-tabs.ts';
import { open, restored } from '../../support/persisted-page.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../support/scripted-events.ts';

const reply = { whilePending: 'reply' } as const;
const form = defineClientTool({
  interactive: true,
  output: z.object({ street: z.string(), pin: z.string().meta({ writeOnly: true }).optional() }),
});
const tools = { ...payTool('always').tools, form, ask: 'interactive' } as const;

describe('an answer in words', () => {
  it('declines every waiting call with the text, and sends no message', async () => {
    const calls: SettledCall[] = [];
    const page = await asked(tools, [call('1', 'pay'), call('2', 'form'), call('3', 'ask')], {
      onCallSettled: (one) => calls.push(one),
    });
    const rested = page.chat.sendMessage('Wrong address', reply);
    await settledIn();
    expect(page.waiting()).toEqual([]);
    expect(answersOf(page.backend.commands)).toMatchObject(
      ['1', '2', '3'].map((toolCallId) => ({
        toolCallId,
        outcome: 'declined',
        result: { outcome: 'declined', reason: 'Wrong address' },
      })),
    );
    expect(page.backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond']);
    expect(calls).toMatchObject([{ reason: 'Wrong address', answeredBy: 'person' }, {}, {}]);
    const { messages } = page.chat.getState();
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1);
    expect(messages.at(-1)?.parts).toMatchObject([{ outcome: 'declined', reason: 'Wrong address' }, {}, {}]);
    const run = await page.backend.request(1);
    run.send(stopped);
    run.end();
    await expect(rested).resolves.toBeUndefined();
    expect(page.chat.getState().status).toBe('idle');
  });

  it('is the reason that a tool wants for a no', async () => {
    const { tools: strict } = payTool('always', { reason: 'required' });
    const page = await asked(strict, [call('1', 'pay')]);
    void page.chat.sendMessage('Too much', reply);
    await settledIn();
    expect(answersOf(page.backend.commands)).toMatchObject([{ result: { reason: 'Too much' } }]);
  });

  it('leaves the questions for other people alone', async () => {
    const others = { ...call('2', 'ask'), mayAnswer: false as const };
    const page = await asked(tools, [call('1', 'ask'), others]);
    void page.chat.sendMessage('Wrong address', reply);
    await settledIn();
    expect(page.waiting()).toMatchObject([{ toolCallId: '2', status: 'waiting' }]);
    expect(answersOf(page.backend.commands)).toMatchObject([{ toolCallId: '1', outcome: 'declined' }]);
  });

  it('is a plain message where no call waits for this person', async () => {
    const { chat, backend } = scriptedChat({ clientTools: tools });
    void chat.sendMessage('Hi', reply);
    await settled();
    expect(backend.commands).toMatchObject([{ type: 'trigger', input: { USER_MESSAGE: 'Hi' } }]);
    const others = { ...call('1', 'ask'), mayAnswer: false as const };
    const page = await asked(tools, [others]);
    await expect(page.chat.sendMessage('Hi', reply)).rejects.toMatchObject({ code: 'awaiting_input' });
    expect(page.waiting()).toHaveLength(1);
  });

  it('is a message after all where the time of the question has just run out', async () => {
    const limited = { ask: defineClientTool({ interactive: true, timeoutMs: 1_000 }) };
    const page = await asked(limited, [call('1', 'ask')]);
    // The machine slept past the deadline: the timer has not fired yet.
    vi.spyOn(page.clock, 'now').mockReturnValue(page.clock.now() + 5_000);
    void page.chat.sendMessage('Wrong address', reply);
    await settledIn();
    expect(answersOf(page.backend.commands)).toMatchObject([{ outcome: 'timed-out' }]);
    (await page.backend.request(1)).send(start, stopped);
    await settledIn();
    expect(page.backend.commands.at(-1)).toMatchObject({
      type: 'trigger',
      input: { USER_MESSAGE: 'Wrong address' },
    });
  });

  /** Another device has answered the question. */
  const answered = {
    type: 'tool-result-acknowledged',
    toolCallId: '1',
    answeredBy: { id: 'eve' },
    outcome: 'submitted',
    result: 'yes',
  } as const;

  it('is a message where the answer of another device came first', async () => {
    const page = await asked(tools, [call('1', 'ask')], {}, [{ ...answered, status: 'accepted' }]);
    void page.chat.sendMessage('Wrong address', reply);
    await settledIn();
    expect(answersOf(page.backend.commands)).toEqual([]);
    expect(page.chat.getState().messages.filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  it('gives way to the answer of another device that the server had first, and is sent once', async () => {
    const page = await asked(tools, [call('1', 'ask')]);
    void page.chat.sendMessage('Wrong address', reply);
    await settledIn();
    const run = await page.backend.request(1);
    run.send(start, { ...answered, status: 'duplicate' }, stopped);
    run.end();
    await settledIn();
    expect(answersOf(page.backend.commands)).toHaveLength(1);
    const { messages, status } = page.chat.getState();
    expect(status).toBe('idle');
    const parts = messages.flatMap((message) => [...message.parts]);
    expect(parts).toContainEqual(
      expect.objectContaining({ outcome: 'submitted', answeredBy: { id: 'eve' } }),
    );
  });

  const file = { id: 'f', mediaType: 'text/plain', url: 'https://shop.example/f' };
  it.each([
    ['files', { content: 'See this', files: [file] }, 'it has files'],
    ['files to upload', { content: 'See this', files: [new File(['x'], 'x.txt')] }, 'it has files'],
    ['no text', { content: ' ' }, 'it has no text'],
    ['characters that nobody sees', { content: '\u200b\u00ad' }, 'it has no text'],
    ['an object', { content: { type: 'order' } }, 'it has no text'],
  ])('with %s is refused, and nothing changes', async (_, message, fault) => {
    const requestUploadUrls = vi.fn();
    const page = await asked(tools, [call('1', 'ask')], { requestUploadUrls });
    const before = page.chat.getState();
    await expect(page.chat.sendMessage(message, reply)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(fault),
    });
    expect([page.chat.getState(), requestUploadUrls.mock.calls]).toEqual([before, []]);
  });

  it('can come from send() with any trigger, as its user message', async () => {
    const page = await asked(tools, [call('1', 'ask')]);
    void page.chat.send('say', { topic: 'x' }, { ...reply, userMessage: 'Wrong address' });
    await settledIn();
    expect(answersOf(page.backend.commands)).toMatchObject([{ result: { reason: 'Wrong address' } }]);
  });

  /** The owner tab of a conversation in which a call waits, and another tab. */
  async function twoTabs() {
    const browser = createFakeBrowser();
    const storage = createMemoryStorage();
    const calls: SettledCall[] = [];
    let ids = 0;
    const openTab = async () => {
      const tab = browser.openTab();
      const page = scriptedChat({
        ...{ id: 'c', clientTools: tools, createId: () => `message-${++ids}` },
        onCallSettled: (one) => calls.push(one),
        persistence: createPersistence({ storage, tabs: tab.environment }),
      });
      await restored(page.chat);
      return { ...page, tab };
    };
    const owner = await openTab();
    const other = await openTab();
    void owner.chat.sendMessage('Hi');
    (await owner.backend.request(0)).send(start, request(call('1', 'ask')), awaitingAnswers);
    await settledIn();
    return { owner, other, calls };
  }

  it('from another tab is given once, and that tab is named', async () => {
    const { owner, other, calls } = await twoTabs();
    void other.chat.sendMessage('Wrong address', reply);
    await settledIn();
    expect(calls).toMatchObject([
      { outcome: 'declined', reason: 'Wrong address', tabId: expect.any(String) },
    ]);
    expect(answersOf(owner.backend.commands)).toHaveLength(1);
    expect(other.chat.getState().pendingCalls).toEqual([]);
  });

  it('from another tab is no message as well when the owner tab goes away before it could confirm', async () => {
    const { owner, other } = await twoTabs();
    void other.chat.sendMessage('Wrong address', reply);
    await settledIn();
    owner.tab.crash();
    await settledIn();
    await restored(other.chat);
    expect(other.backend.commands.filter(({ type }) => type === 'trigger')).toEqual([]);
    expect(answersOf(other.backend.commands)).toMatchObject([{ outcome: 'declined' }]);
  });
});

describe('what was typed before an answer in words', () => {
  /** A page on which a form was answered in words after somebody had typed into it. */
  async function answeredInWords(options: Partial<AgentChatOptions> = {}) {
    const page = await asked(tools, [call('1', 'form')], options);
    page.waiting()[0]?.saveInput({ street: 'Main Street', pin: '4711' });
    void page.chat.sendMessage('Wait', reply);
    await settledIn();
    const ask = async (...calls: ReturnType<typeof call>[]) => {
      const run = await page.backend.request(1);
      run.send(start, request(...calls), awaitingAnswers);
      await settledIn();
    };
    return { ...page, ask };
  }

  it('is in the form of the next call of the tool, without secrets', async () => {
    const page = await answeredInWords();
    await page.ask(call('2', 'form'));
    expect(page.waiting()[0]?.getSavedInput()).toEqual({ street: 'Main Street' });
  });

  it('is for one call only, and for no other tool', async () => {
    const page = await answeredInWords();
    await page.ask(call('2', 'ask'), call('3', 'form'), call('4', 'form'));
    expect(page.waiting().map((tool) => tool.getSavedInput())).toEqual([
      undefined,
      { street: 'Main Street' },
      undefined,
    ]);
  });

  it('is not shown in a question for other people', async () => {
    const page = await answeredInWords();
    await page.ask({ ...call('2', 'form'), mayAnswer: false });
    expect(page.waiting()[0]?.getSavedInput()).toBeUndefined();
  });

  it('does not come back after a plain no', async () => {
    const page = await asked(tools, [call('1', 'form')]);
    page.waiting()[0]?.saveInput({ street: 'Main Street' });
    page.waiting()[0]?.decline('Wait');
    await settledIn();
    (await page.backend.request(1)).send(start, request(call('2', 'form')), awaitingAnswers);
    await settledIn();
    expect(page.waiting()[0]?.getSavedInput()).toBeUndefined();
  });

  it('outlives a reload, and the storage has no secret of it', async () => {
    const storage = createMemoryStorage();
    const before = open(storage, { clientTools: tools });
    await restored(before.chat);
    void before.chat.sendMessage('Hi');
    (await before.backend.request(0)).send(start, request(call('1', 'form')), awaitingAnswers);
    await settledIn();
    before.chat.getState().pendingCalls[0]?.saveInput({ street: 'Main Street', pin: '4711' });
    void before.chat.sendMessage('Wait', reply);
    await settledIn();
    (await before.backend.request(1)).send(stopped);
    await settledIn();
    expect(JSON.stringify([...storage.entries])).not.toContain('4711');
    const after = open(storage, { clientTools: tools });
    await restored(after.chat);
    void after.chat.sendMessage('Again');
    (await after.backend.request(0)).send(
      { type: 'start', executionId: 'run-2' },
      { type: 'client-tool-request', executionId: 'run-2', toolCalls: [call('1', 'form')] },
      awaitingAnswers,
    );
    await settledIn();
    expect(after.chat.getState().pendingCalls[0]?.getSavedInput()).toEqual({ street: 'Main Street' });
  });
});
