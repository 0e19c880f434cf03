/** A person answers parallel calls one after the other: the answers travel apart, and each of them counts once. */
import { describe, expect, it } from 'vitest';
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

const BOB = { id: 'bob', name: 'Bob' };
const clientTools = { pay: 'interactive', ship: 'interactive' } as const;
const isLeftWith =
  (count: number) =>
  ({ chat }: Page) =>
    chat.getState().pendingCalls.length === count;

function submit({ chat }: Page, name: string, result: unknown): void {
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
