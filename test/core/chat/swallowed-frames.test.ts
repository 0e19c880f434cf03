/** A proxy swallows one frame of a socket, and passes all others: the page notices, and sends the request again. */
import { expect, it } from 'vitest';
import type { AgentContext, ModelEvent } from '../../../src/server/agent.ts';
import { createListAgent, stop, text } from '../../server/support.ts';
import { createDeferred } from '../../support/deferred.ts';
import { ADA, isAtRest, lastText, openPage, untilAll } from '../../support/open-pages.ts';
import { type SharedSession, shareSession } from '../../support/shared-session.ts';

/** Lets a minute pass, in which frames arrive as on a real network. A heartbeat shows by then that a frame is missing. */
async function passMinute({ clock }: SharedSession): Promise<void> {
  for (let second = 0; second < 60; second += 5) {
    await clock.advance(5_000);
    for (let task = 0; task < 20; task += 1) await new Promise((next) => setImmediate(next));
  }
}

it('a message whose frame is swallowed is sent again, and the agent is asked once', async () => {
  const agent = createListAgent([...text('Hi'), stop]);
  const shared = shareSession({ agent });
  const page = openPage(shared, ADA, 'socket', { openOnStart: false });
  page.swallow('trigger');
  void page.chat.sendMessage('hello');
  await untilAll(({ sent }) => sent.length === 1, page);
  await passMinute(shared);
  await untilAll((each) => isAtRest(each) && lastText(each.chat) === 'Hi', page);
  expect([page.sent, page.notified, agent.contexts.length]).toEqual([['trigger', 'trigger'], [], 1]);
});

it('a page whose request to follow is swallowed sees what is said on another page', async () => {
  const shared = shareSession({ agent: createListAgent([...text('Hi'), stop]) });
  const page = openPage(shared, ADA, 'socket', { openOnStart: false });
  await page.chat.open?.();
  const follower = openPage(shared, ADA, 'socket');
  await untilAll(({ sent }) => sent.length === 1, follower);
  follower.swallow('open');
  await untilAll(({ sent }) => sent.length === 2, follower);
  await passMinute(shared);
  void page.chat.sendMessage('hello');
  await untilAll((each) => isAtRest(each) && lastText(each.chat) === 'Hi', follower);
  expect([follower.sent.slice(0, 3), follower.notified]).toEqual([['open', 'open', 'open'], []]);
});

it('a run whose resume is swallowed goes on', async () => {
  const gate = createDeferred();
  const agent = async function* (_context: AgentContext): AsyncGenerator<ModelEvent> {
    yield* text('Hel');
    await gate.promise;
    yield* text('lo', 'u');
    yield stop;
  };
  const shared = shareSession({ agent });
  const page = openPage(shared, ADA, 'socket', { openOnStart: false });
  void page.chat.sendMessage('hello');
  await untilAll(({ chat }) => lastText(chat) === 'Hel', page);
  page.swallow('resume');
  page.goOffline();
  page.goOnline();
  await passMinute(shared);
  gate.resolve();
  await untilAll((each) => isAtRest(each) && lastText(each.chat) === 'Hello', page);
  expect([page.sent, page.notified]).toEqual([['trigger', 'resume', 'resume'], []]);
});

it('a server that is silent because its agent works keeps its connection', async () => {
  const gate = createDeferred();
  const agent = async function* (_context: AgentContext): AsyncGenerator<ModelEvent> {
    await gate.promise;
    yield* text('Hi');
    yield stop;
  };
  const shared = shareSession({ agent });
  const page = openPage(shared, ADA, 'socket', { openOnStart: false });
  void page.chat.sendMessage('hello');
  await untilAll(({ sent }) => sent.length === 1, page);
  await passMinute(shared);
  await passMinute(shared);
  gate.resolve();
  await untilAll((each) => isAtRest(each) && lastText(each.chat) === 'Hi', page);
  expect(page.sent).toEqual(['trigger']);
});
