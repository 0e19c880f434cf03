/** The button "Try again", which stands below a failed turn. */
import { describe, expect, it } from 'vitest';
import type { AgentContext, ModelEvent } from '../../../src/server/agent.ts';
import { calls, stop, text } from '../../server/support.ts';
import {
  ADA,
  CARRIERS,
  callParts,
  firstCall,
  isAsked,
  isAtRest,
  lastText,
  openPage,
  untilAll,
} from '../../support/open-pages.ts';
import { shareSession } from '../../support/shared-session.ts';

describe.each(CARRIERS)('retry() over %s after the server has given up a run that was cut', (carrier) => {
  it.each(['a message', 'an answer'])('asks again at the first press, from %s', async (from) => {
    let invocations = 0;
    const agent = async function* ({ messages, signal }: AgentContext): AsyncGenerator<ModelEvent> {
      if (from === 'an answer' && messages.at(-1)?.role === 'user') return yield* calls('ask');
      invocations += 1;
      yield* text('Hel');
      if (invocations === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      yield* text('lo', 'u');
      yield stop;
    };
    const shared = shareSession({ agent });
    const page = openPage(shared, ADA, carrier, { openOnStart: false, clientTools: { ask: 'interactive' } });
    void page.chat.sendMessage('Hi');
    if (from === 'an answer') {
      await untilAll(isAsked, page);
      firstCall(page).submit('yes');
    }
    await untilAll(({ chat }) => lastText(chat) === 'Hel', page);
    page.goOffline();
    await shared.clock.advance(300_000);
    page.goOnline();
    await shared.clock.advance(60_000);
    await untilAll(isAtRest, page);
    expect(page.chat.getState().error).toMatchObject({ retryable: true });
    page.notified.length = 0;
    await page.chat.retry();
    expect([lastText(page.chat), page.chat.getState().error, page.notified]).toEqual(['Hello', null, []]);
    expect(invocations).toBe(2);
    expect(callParts(page.chat).map(({ outcome }) => outcome)).toEqual(
      from === 'an answer' ? ['submitted'] : [],
    );
  });
});
