/** A page of `@octavus/react`, and the page that docs/migrate-from-octavus.md makes of it, in front of the same `@octavus/server-sdk`. */
import { OctavusClient, type SessionRequest, toSSEStream } from '@octavus/server-sdk';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOctavusStandIn, STAND_IN_KEY } from '../../playground/server/octavus-stand-in.ts';
import type { Agent } from '../../src/server/agent.ts';
import { type Listening, listen } from './listen.ts';
import { type PageServer, type Pages, type ServedPage, startPages } from './serve-page.ts';

let pages: Pages;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  pages = await startPages('octavus', 'moved-from-octavus');
  return () => pages.stop();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Asks the page where it is, or whether it may pay, and says what it was told. */
const agent: Agent = async function* ({ messages }) {
  const last = messages.at(-1);
  const said = last?.role === 'user' ? last.content : '';
  const toolName = said.includes('Pay') ? 'pay' : said.includes('Where') ? 'locate' : undefined;
  if (toolName !== undefined) {
    const toolCallId = `${toolName}-${messages.length}`;
    const args = toolName === 'pay' ? { amount: 3 } : {};
    yield { type: 'tool-request', toolCalls: [{ toolCallId, toolName, args }] };
    yield { type: 'finish', finishReason: 'tool-calls' };
    return;
  }
  const told = last?.role === 'tool' ? `Got ${last.error ?? JSON.stringify(last.result)}.` : 'Hello.';
  yield { type: 'text-start', id: 't' };
  yield { type: 'text-delta', id: 't', delta: told };
  yield { type: 'text-end', id: 't' };
  yield { type: 'finish', finishReason: 'stop' };
};

/** Does the same with both pages, each with a platform of its own. Returns what the person saw, and the answers that the route got. */
async function onBoth<Seen>(act: (page: ServedPage) => Promise<Seen>) {
  const results = [];
  for (const name of ['octavus', 'moved-from-octavus']) {
    const standIn = createOctavusStandIn(agent);
    const platform: Listening = await listen((request, response) => void standIn(request, response));
    const client = new OctavusClient({ baseUrl: `http://127.0.0.1:${platform.port}`, apiKey: STAND_IN_KEY });
    const answers: unknown[] = [];
    const server: PageServer = await pages.serve(async (request) => {
      const { sessionId, ...payload } = (await request.json()) as SessionRequest & { sessionId: string };
      if (payload.type === 'continue')
        answers.push(
          payload.toolResults.map(({ toolCallId, result, error }) => ({ toolCallId, result, error })),
        );
      const session = client.agentSessions.attach(sessionId, { tools: {} });
      const events = session.execute(payload as SessionRequest, { signal: request.signal });
      return new Response(toSSEStream(events), { headers: { 'content-type': 'text/event-stream' } });
    });
    closing.push(server.close, platform.close);
    results.push({ seen: await act(await server.open(name)), answers });
  }
  const [before, moved] = results;
  if (before === undefined || moved === undefined) throw new Error('A page is missing.');
  return { before, moved };
}

describe('a page that is moved from @octavus/react', () => {
  it('shows the same messages', async () => {
    const { before, moved } = await onBoth(async (page) => {
      await page.send('Hi');
      return page.untilShown('Hello.');
    });
    expect(moved).toEqual(before);
    expect(before.seen.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('runs a tool of the page, and posts its result', async () => {
    const { before, moved } = await onBoth(async (page) => {
      await page.send('Where am I?');
      return page.untilShown('Got ');
    });
    expect(moved).toEqual(before);
    expect(before.answers).toMatchObject([[{ result: { place: 'here' } }]]);
  });

  it.each(['Allow', 'Decline'] as const)('answers a question with %s', async (button) => {
    const { before, moved } = await onBoth(async (page) => {
      await page.send('Pay');
      await page.untilShown('pay {"amount":3}');
      await page.press(button);
      return page.untilShown('Got ');
    });
    expect(moved).toEqual(before);
    expect(before.answers).toHaveLength(1);
  });
});
