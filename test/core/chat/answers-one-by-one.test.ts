/** A person answers parallel calls one after the other: the answers travel apart, and each of them counts once. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAgentChat, createHttpTransport, createSocketTransport } from '../../../src/core.ts';
import { calls, createListAgent, stop, text } from '../../server/support.ts';
import {
  ADA,
  askTwo,
  CARRIERS,
  callParts,
  isAtRest,
  lastText,
  type Page,
  untilAll,
} from '../../support/open-pages.ts';
import { shareSession } from '../../support/shared-session.ts';
import { createSocketPair } from '../../support/socket-pair.ts';
import { untilStatus } from '../../support/until-status.ts';

const BOB = { id: 'bob', name: 'Bob' };
const clientTools = { pay: 'interactive', ship: 'interactive' } as const;
const isLeftWith =
  (count: number) =>
  ({ chat }: Page) =>
    chat.getState().pendingCalls.length === count;

function submit({ chat }: Pick<Page, 'chat'>, name: string, result: unknown): void {
  chat
    .getState()
    .pendingCalls.find(({ toolName }) => toolName === name)
    ?.submit(result);
}
const settledOf = ({ settled }: Page) => settled.map(({ toolName, result }) => [toolName, result]);

describe.each(CARRIERS)('two calls that one person answers one after the other, over %s', (carrier) => {
  it.each([
    ['people are logged in', [ADA, BOB]],
    ['nobody is logged in', [undefined, undefined]],
  ])('are each reported once on every page where %s', async (_, people) => {
    const agent = createListAgent(calls('pay', 'ship'), [...text('Thanks'), stop]);
    const { ada, bob } = await askTwo(shareSession({ agent }), carrier, { clientTools }, people);
    submit(ada, 'pay', 'paid');
    await untilAll(isLeftWith(1), ada, bob);
    submit(ada, 'ship', 'shipped');
    await untilAll(isAtRest, ada, bob);
    for (const page of [ada, bob])
      expect(settledOf(page)).toEqual([
        ['pay', 'paid'],
        ['ship', 'shipped'],
      ]);
    // The person needs not be told who she is.
    expect(callParts(ada.chat).map(({ answeredBy }) => answeredBy)).toEqual([undefined, undefined]);
  });

  it('are each reported once on every page where two people answer one each', async () => {
    const agent = createListAgent(calls('pay', 'ship'), [...text('Thanks'), stop]);
    const { ada, bob } = await askTwo(shareSession({ agent }), carrier, { clientTools });
    submit(ada, 'pay', 'paid');
    await untilAll(isLeftWith(1), ada, bob);
    submit(bob, 'ship', 'shipped');
    await untilAll(isAtRest, ada, bob);
    for (const page of [ada, bob])
      expect(settledOf(page)).toEqual([
        ['pay', 'paid'],
        ['ship', 'shipped'],
      ]);
    const answeredBy = ({ chat }: Page) => callParts(chat).map((part) => part.answeredBy?.id);
    expect([answeredBy(ada), answeredBy(bob)]).toEqual([
      [undefined, 'bob'],
      ['ada', undefined],
    ]);
  });

  it('leave the page that answered the first one with its secret, which its snapshot alone lacks', async () => {
    const agent = createListAgent(calls('pay', 'ship'), [...text('Thanks'), stop]);
    const redactStored = (result: unknown) => (result === 'hunter2' ? null : result);
    const { ada, bob } = await askTwo(shareSession({ agent, redactStored }), carrier, { clientTools });
    submit(ada, 'pay', 'hunter2');
    await untilAll(isLeftWith(1), ada, bob);
    submit(ada, 'ship', 'shipped');
    await untilAll(isAtRest, ada, bob);
    expect(settledOf(ada)).toEqual([
      ['pay', 'hunter2'],
      ['ship', 'shipped'],
    ]);
    expect(settledOf(bob)[0]).toEqual(['pay', null]);
    expect(JSON.stringify(bob.chat.getState())).not.toContain('hunter2');
  });
});

describe.each(CARRIERS)('a message that cancels the question of somebody else, over %s', (carrier) => {
  const mayAnswer = (person: { id: string }, { toolName }: { toolName: string }) =>
    toolName === 'pay' ? person.id === 'ada' : person.id === 'bob';

  it('takes the answer along that was given in the same moment', async () => {
    const agent = createListAgent(calls('pay', 'ship'), [...text('Thanks'), stop]);
    const { ada, bob } = await askTwo(shareSession({ agent, mayAnswer }), carrier, { clientTools });
    submit(ada, 'pay', 'paid');
    void ada.chat.sendMessage('other', { whilePending: 'cancel' });
    await untilAll((page) => isAtRest(page) && lastText(page.chat) === 'Thanks', ada, bob);
    expect(agent.contexts.at(-1)?.messages).toContainEqual(
      expect.objectContaining({ toolCallId: 'pay-id', result: 'paid' }),
    );
    expect([...ada.notified, ...bob.notified]).toEqual([]);
  });

  it('sends no answer where the person may give none', async () => {
    const agent = createListAgent(calls('ship'), [...text('Thanks'), stop]);
    const { ada, bob } = await askTwo(shareSession({ agent, mayAnswer }), carrier, { clientTools });
    void ada.chat.sendMessage('other', { whilePending: 'cancel' });
    await untilAll((page) => isAtRest(page) && lastText(page.chat) === 'Thanks', ada, bob);
    expect(ada.sent.filter((type) => type.startsWith('continue'))).toEqual([]);
    expect(agent.contexts).toHaveLength(2);
  });
});

describe('a server that numbers its events and takes no part of the answers', () => {
  /** Speaks as such a server does: it goes on with whatever a `continue` brings. */
  function openChat(format: 'http' | 'socket') {
    const posted: { type: string; toolResults?: readonly { toolCallId: string }[]; partial?: true }[] = [];
    const asked = ['pay', 'ship'].map((name) => ({ toolCallId: name, toolName: name, args: {} }));
    const answer = (payload: (typeof posted)[number]): object[] => {
      posted.push(payload);
      return payload.type === 'trigger'
        ? [
            { type: 'start', messageId: 'm', executionId: 'run' },
            { type: 'client-tool-request', executionId: 'run', toolCalls: asked },
            { type: 'finish', finishReason: 'client-tool-calls', executionId: 'run' },
          ]
        : [
            { type: 'start', messageId: 'm', executionId: 'run' },
            { type: 'finish', finishReason: 'stop', executionId: 'run' },
          ];
    };
    let count = 0;
    const http = createHttpTransport({
      async request(payload) {
        const lines = answer(payload as never).map(
          (event) => `id: ${++count}\ndata: ${JSON.stringify(event)}\n\n`,
        );
        return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
      },
    });
    const socket = createSocketTransport({
      connect() {
        const { client, server } = createSocketPair(() => true);
        server.onmessage = ({ data }: { data: unknown }) => {
          for (const event of answer(JSON.parse(String(data))))
            server.send(JSON.stringify({ ...event, executionId: 'run', seq: ++count }));
        };
        return client;
      },
    });
    const chat = createAgentChat({ transport: format === 'http' ? http : socket, clientTools });
    chat.subscribe(() => {});
    onTestFinished(() => chat.destroy());
    return { chat, posted };
  }

  it.each(CARRIERS)('gets the answers of both calls in one request, over %s', async (carrier) => {
    const { chat, posted } = openChat(carrier);
    await chat.sendMessage('hello');
    submit({ chat }, 'pay', 'paid');
    for (let task = 0; task < 20; task += 1) await new Promise((next) => setImmediate(next));
    expect(posted).toHaveLength(1);
    submit({ chat }, 'ship', 'shipped');
    await untilStatus(chat, 'idle');
    expect(
      posted.map(({ toolResults, partial }) => [toolResults?.map(({ toolCallId }) => toolCallId), partial]),
    ).toEqual([
      [undefined, undefined],
      [['pay', 'ship'], undefined],
    ]);
  });
});
