/** A page that follows a conversation stays with it, whatever the people on other pages do. */
import { describe, expect, it } from 'vitest';
import type { AgentContext, ModelEvent } from '../../../src/server/agent.ts';
import { calls, stop, text } from '../../server/support.ts';
import {
  askTwo,
  CARRIERS,
  callParts,
  firstCall,
  isAsked,
  isAtRest,
  lastText,
  untilAll,
} from '../../support/open-pages.ts';
import { shareSession } from '../../support/shared-session.ts';

const interactive = { clientTools: { ask: 'interactive' } } as const;
/** Asks after each message, and ends the turn once it has the answer. */
async function* agent({ messages }: AgentContext): AsyncGenerator<ModelEvent> {
  const last = messages.at(-1);
  if (last?.role === 'user') yield* [...text(`${last.content}?`), ...calls('ask')];
  else yield* [...text('Thanks'), stop];
}
const userTexts = (page: {
  chat: { getState(): { messages: readonly { role: string; parts: readonly object[] }[] } };
}) =>
  page.chat
    .getState()
    .messages.filter(({ role }) => role === 'user')
    .flatMap(({ parts }) => parts);

describe.each(CARRIERS)('a page over %s follows at a question', (carrier) => {
  it.each(['a message that cancels the question', 'an edit of the message'])(
    'past %s to the next question, which it answers',
    async (how) => {
      const { ada, bob } = await askTwo(shareSession({ agent }), carrier, interactive);
      const first = firstCall(bob);
      if (how.startsWith('a message')) void ada.chat.sendMessage('other', { whilePending: 'cancel' });
      else
        void ada.chat.editMessage?.(ada.chat.getState().messages[0]?.id ?? '', 'other', {
          whilePending: 'cancel',
        });
      await untilAll((page) => isAsked(page) && lastText(page.chat) === 'other?', ada, bob);
      expect(firstCall(bob)).not.toBe(first);
      firstCall(bob).submit('from Bob');
      await untilAll((page) => isAtRest(page) && lastText(page.chat).endsWith('Thanks'), ada, bob);
      expect(userTexts(bob)).toEqual(userTexts(ada));
      expect(callParts(ada.chat).at(-1)).toMatchObject({ result: 'from Bob' });
      expect([...ada.notified, ...bob.notified].filter((line) => line.startsWith('error'))).toEqual([]);
    },
  );

  it('past the question that it answers in the moment in which somebody else goes on with another message', async () => {
    const { ada, bob } = await askTwo(shareSession({ agent }), carrier, interactive);
    void ada.chat.sendMessage('other', { whilePending: 'cancel' });
    firstCall(bob).submit('too late');
    await untilAll((page) => isAsked(page) && lastText(page.chat) === 'other?', ada, bob);
    expect(bob.notified.filter((line) => line.startsWith('error'))).toEqual([]);
    firstCall(bob).submit('in time');
    await untilAll((page) => isAtRest(page) && lastText(page.chat).endsWith('Thanks'), ada, bob);
    expect(callParts(ada.chat).at(-1)).toMatchObject({ result: 'in time' });
  });

  it('past the question that it answers without a network while somebody else goes on with another message', async () => {
    const shared = shareSession({ agent });
    const { ada, bob } = await askTwo(shared, carrier, interactive);
    bob.goOffline();
    firstCall(bob).submit('too late');
    await untilAll(({ sent }) => carrier === 'socket' || sent.includes('continue'), bob);
    void ada.chat.sendMessage('other', { whilePending: 'cancel' });
    await untilAll((page) => isAsked(page) && lastText(page.chat) === 'other?', ada);
    bob.goOnline();
    await shared.clock.advance(60_000);
    await untilAll((page) => isAsked(page) && lastText(page.chat) === 'other?', ada, bob);
    expect(bob.notified.filter((line) => line.startsWith('error'))).toEqual([]);
    firstCall(bob).submit('in time');
    await untilAll((page) => isAtRest(page) && lastText(page.chat).endsWith('Thanks'), ada, bob);
    expect(callParts(ada.chat).at(-1)).toMatchObject({ result: 'in time' });
    expect(bob.settled.map(({ outcome }) => outcome)).toEqual(['submitted', 'expired', 'submitted']);
  });

  it('past the question that it answers in the moment in which somebody else stops the run', async () => {
    const { ada, bob } = await askTwo(shareSession({ agent }), carrier, interactive);
    ada.chat.stop();
    firstCall(bob).submit('too late');
    await untilAll(isAtRest, ada, bob);
    expect(bob.chat.getState().error).toBeNull();
    void ada.chat.sendMessage('again');
    await untilAll((page) => isAsked(page) && lastText(page.chat) === 'again?', ada, bob);
  });
});
