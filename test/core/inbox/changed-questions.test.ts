/** Questions in an inbox that changed while they waited: another question, which begins anew. */
import { expect, onTestFinished, test } from 'vitest';
import { createInbox } from '../../../src/core/inbox/create-inbox.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { settle } from '../../server/support.ts';

/** An inbox with one question of a server tool, whose server says what it is told to. */
async function openInbox() {
  const clock = createManualClock();
  const server = {
    definition: 'd-1' as string | undefined,
    description: 'Pay',
    args: { amount: 45 } as object,
    posted: [] as unknown[],
    isRefusing: false,
  };
  const fetch = async (_url: unknown, init?: RequestInit) => {
    if (init?.method === 'POST') {
      server.posted.push(JSON.parse(String(init.body)));
      const refused = { error: 'Read the new question.', code: 'question_changed' };
      return server.isRefusing ? Response.json(refused, { status: 409 }) : Response.json({});
    }
    const { definition, description, args } = server;
    const question = { ui: 'confirm', description };
    const call = { toolCallId: 'c', toolName: 'pay', args, executedBy: 'server', definition, question };
    return Response.json({ calls: [{ sessionId: 's', executionId: 'e', call, askedAt: 1 }] });
  };
  const inbox = createInbox(() => ({
    url: 'http://localhost/inbox',
    fetch: fetch as never,
    clock,
    live: false,
  }));
  onTestFinished(inbox.start());
  await settle();
  const only = () => {
    const [call] = inbox.getState().calls;
    if (call === undefined) throw new Error('The inbox is empty.');
    return call;
  };
  const refresh = async () => {
    inbox.refresh();
    await settle();
  };
  return { server, only, refresh };
}

test('a question whose tool was changed is another one in the inbox', async () => {
  const { server, only, refresh } = await openInbox();
  const { tool } = only();
  await refresh();
  expect(only().tool).toBe(tool);
  Object.assign(server, { definition: 'd-2', description: 'Pay twice' });
  await refresh();
  expect(only()).toMatchObject({ status: 'waiting', tool: { definition: { description: 'Pay twice' } } });
  expect(only().tool).not.toBe(tool);
});

test('an answer repeats the definition that its card shows', async () => {
  const { server, only } = await openInbox();
  only().tool.submit({ confirmed: true });
  await settle();
  expect(server.posted).toMatchObject([{ toolResults: [{ toolCallId: 'c', definition: 'd-1' }] }]);
});

test('a yes to the old text is refused, and the card shows the new text that came meanwhile', async () => {
  const { server, only, refresh } = await openInbox();
  Object.assign(server, { definition: 'd-2', description: 'Pay twice', isRefusing: true });
  only().tool.submit({ confirmed: true });
  await refresh();
  const after = only();
  expect(after).toMatchObject({
    status: 'waiting',
    error: { backendCode: 'question_changed' },
    tool: { refusal: 'Read the new question.', definition: { description: 'Pay twice' } },
  });
  server.isRefusing = false;
  after.tool.submit({ confirmed: true });
  await settle();
  expect(server.posted.at(-1)).toMatchObject({ toolResults: [{ definition: 'd-2' }] });
});

test.each<[string, object]>([
  ['arguments', { args: { amount: 4500 } }],
  ['words', { description: 'Pay twice' }],
  ['rules', { definition: 'd-2' }],
])(
  'a yes to a question is refused after it was asked with other %s, and nothing is sent',
  async (_, change) => {
    const { server, only, refresh } = await openInbox();
    const { tool: stale } = only();
    Object.assign(server, change);
    await refresh();
    expect(stale.submit({ confirmed: true })).toMatchObject({ settled: false, reason: 'invalid-result' });
    await settle();
    expect(server.posted).toEqual([]);
    expect(only().status).toBe('waiting');
    expect(only().tool.submit({ confirmed: true })).toEqual({ settled: true });
    await settle();
    expect(server.posted).toHaveLength(1);
  },
);

test('a no to an earlier form of a question counts, because it lets nothing happen', async () => {
  const { server, only, refresh } = await openInbox();
  const { tool: stale } = only();
  server.args = { amount: 4500 };
  await refresh();
  expect(stale.decline('Too much')).toEqual({ settled: true });
  await settle();
  expect(server.posted).toMatchObject([{ toolResults: [{ outcome: 'declined' }] }]);
});

test('other arguments under the same call are shown, also by a server without definitions', async () => {
  const { server, only, refresh } = await openInbox();
  server.definition = undefined;
  await refresh();
  const { tool } = only();
  await refresh();
  expect(only().tool).toBe(tool);
  server.args = { amount: 4500 };
  await refresh();
  expect(only().tool.args).toEqual({ amount: 4500 });
  expect(only().tool.requestedAt.getTime()).toBeGreaterThan(tool.requestedAt.getTime());
});
