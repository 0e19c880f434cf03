/** While a cut response is not taken up again, the chat says so, over every transport. */
import { describe, expect, it } from 'vitest';
import type { AgentContext, ModelEvent } from '../../../src/server/agent.ts';
import type { ManualClock } from '../../../src/testing/manual-clock.ts';
import { stop, text } from '../../server/support.ts';
import { createDeferred } from '../../support/deferred.ts';
import { CARRIERS, isAtRest, lastText, openPage, type Page, untilAll } from '../../support/open-pages.ts';
import { shareSession } from '../../support/shared-session.ts';

const MINUTE = 60_000;
const STEP_MS = 500;
/** Lets time go on in steps, between which requests and streams have theirs. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await clock.advance(STEP_MS);
    for (let turns = 0; turns < 20; turns += 1) await new Promise((next) => setImmediate(next));
  }
}

const stateOf = ({ chat }: Page) => chat.getState().connectionState;

describe.each(CARRIERS)('over %s', (carrier) => {
  /** A page whose answer has begun when its network breaks. */
  async function openCut() {
    const rest = createDeferred();
    async function* agent(_: AgentContext): AsyncGenerator<ModelEvent> {
      yield* text('Once upon a time');
      await rest.promise;
      yield* [...text(' it ended.'), stop];
    }
    const shared = shareSession({ agent });
    const page = openPage(shared, undefined, carrier, { openOnStart: false });
    void page.chat.sendMessage('Tell me a story');
    await pass(shared.clock, STEP_MS);
    page.goOffline();
    return { page, rest, clock: shared.clock };
  }

  it('attempts that fail are shown, and the one that succeeds takes it back before the agent goes on', async () => {
    const { page, rest, clock } = await openCut();
    await pass(clock, 3_000);
    await untilAll((one) => stateOf(one) === 'reconnecting', page);
    page.goOnline();
    await pass(clock, 20_000);
    await untilAll((one) => stateOf(one) === 'connected', page);
    expect(page.chat.getState().status).toBe('streaming');
    rest.resolve();
    await untilAll(isAtRest, page);
    expect(lastText(page.chat)).toBe('Once upon a time it ended.');
    expect(stateOf(page)).toBe('connected');
  });
});

describe('over http', () => {
  it('nothing is shown of a cut whose first attempt succeeds, nor after the last attempt', async () => {
    const seen = new Set<unknown>();
    const shared = shareSession({
      async *agent({ signal }: AgentContext): AsyncGenerator<ModelEvent> {
        yield* text('Once');
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    const page = openPage(shared, undefined, 'http', { openOnStart: false });
    page.chat.subscribe(() => seen.add(stateOf(page)));
    void page.chat.sendMessage('Tell me a story');
    await pass(shared.clock, STEP_MS);
    page.goOffline();
    page.goOnline();
    await pass(shared.clock, 1_000);
    expect([page.sent, seen]).toEqual([['trigger', 'resume'], new Set([undefined])]);

    page.goOffline();
    await pass(shared.clock, 10 * MINUTE);
    await untilAll(isAtRest, page);
    expect(page.chat.getState().error?.code).toBe('connection_lost');
    expect([...seen]).toEqual([undefined, 'reconnecting', 'connected']);
    expect(stateOf(page)).toBe('connected');
  });
});
