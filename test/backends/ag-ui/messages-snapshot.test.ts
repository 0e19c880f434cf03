/** MESSAGES_SNAPSHOT is the list of messages: what the agent has corrected, removed, moved or added is shown as it says. */
import { describe, expect, it } from 'vitest';
import type { UIMessage } from '../../../src/core.ts';
import { converse, ok } from './ask-agent.ts';
import { called, ended, gave, type RawEvent, type RawInput, said, started } from './raw-agent.ts';

const user = (id: string, content = 'Hi') => ({ id, role: 'user', content });
const answer = (id: string, content: string, more: object = {}) => ({
  id,
  role: 'assistant',
  content,
  ...more,
});
const callOf = (id: string, name = 'look') => ({ id, type: 'function', function: { name, arguments: '{}' } });
const snapshot = (...messages: object[]): RawEvent => ({ type: 'MESSAGES_SNAPSHOT', messages });
const wordsOf = ({ parts }: UIMessage) => parts.flatMap((part) => ('text' in part ? part.text : part.type));
const shownIn = ({ chat }: Awaited<ReturnType<typeof converse>>) => chat.getState().messages.map(wordsOf);

describe('the answer that is being written', () => {
  it.each<[string, RawEvent[], unknown]>([
    [
      'a text is corrected',
      [...said('a1', 'The card is 4111'), snapshot(user('u'), answer('a1', 'The card is [removed]'))],
      [['Hi'], ['The card is [removed]']],
    ],
    [
      'a text is removed',
      [...said('a1', 'Oops'), ...said('a2', 'Fine'), snapshot(user('u'), answer('a2', 'Fine'))],
      [['Hi'], ['Fine']],
    ],
    [
      'a text has moved under another id',
      [...said('a1', 'Hello'), snapshot(user('u'), answer('db-1', 'Hello'))],
      [['Hi'], ['Hello']],
    ],
    ['a text is in the list alone', [snapshot(user('u'), answer('a1', 'Hello'))], [['Hi'], ['Hello']]],
    [
      'a text goes on',
      [
        ...said('a1', 'He').slice(0, 2),
        snapshot(user('u'), answer('a1', 'Oh, he')),
        ...said('a1', 'llo').slice(1),
      ],
      [['Hi'], ['Oh, hello']],
    ],
    [
      'words for the model are in it',
      [
        snapshot(
          { id: 's', role: 'system', content: 'Secret' },
          user('u'),
          { id: 'd', role: 'developer', content: 'Secret' },
          answer('a1', 'Hello'),
        ),
      ],
      [['Hi'], ['Hello']],
    ],
    [
      'reasoning stays',
      [
        { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r', delta: 'Hm.' },
        ...said('a1', 'Hello'),
        snapshot(user('u'), answer('a1', 'Hello!')),
      ],
      [['Hi'], ['Hm.', 'Hello!']],
    ],
  ])('%s', async (_, events, shown) => {
    expect(shownIn(await converse([[started, ...events, ended]]))).toEqual(shown);
  });

  it('a message of a subagent is a thread of its own', async () => {
    const events = [snapshot(user('u'), answer('a1', 'Searching', { subagentRunId: 's' }))];
    const { chat } = await converse([[started, ...events, ended]]);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ text: 'Searching', thread: 's' }]);
  });

  it('a result that was streamed is shown and posted, also where the list lacks it', async () => {
    const list = snapshot(user('u'), answer('m-c1', '', { toolCalls: [callOf('c1')] }));
    const conversation = await converse([
      [started, ...called('c1', 'look'), gave('c1', '3'), list, ended],
      ok,
    ]);
    expect(conversation.chat.getState().messages.at(-1)?.parts).toMatchObject([
      { status: 'done', result: '3' },
    ]);
    await conversation.chat.sendMessage('Again');
    expect(conversation.inputs[1]?.messages).toContainEqual(
      expect.objectContaining({ role: 'tool', toolCallId: 'c1', content: '3' }),
    );
  });

  it('a result in the list comes before the streamed one', async () => {
    const result = { id: 'r', role: 'tool', toolCallId: 'c1', content: '4' };
    const list = snapshot(user('u'), answer('m-c1', '', { toolCalls: [callOf('c1')] }), result);
    const { chat } = await converse([[started, ...called('c1', 'look'), gave('c1', '3'), list, ended]]);
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([{ status: 'done', result: '4' }]);
  });

  it('the answer of a person stays at its call', async () => {
    const { chat } = await converse(
      [
        [started, ...called('c1', 'confirm'), ended],
        [
          started,
          snapshot(
            user('u'),
            answer('m-c1', '', { toolCalls: [callOf('c1', 'confirm')] }),
            answer('a2', 'Well.'),
          ),
          ended,
        ],
      ],
      { clientTools: { confirm: 'interactive' } },
    );
    chat.getState().pendingCalls[0]?.decline('no');
    await new Promise<void>((resolve) =>
      chat.subscribe(() => chat.getState().status === 'idle' && resolve()),
    );
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([
      { toolName: 'confirm', outcome: 'declined', reason: 'no' },
      { text: 'Well.' },
    ]);
  });
});

describe('messages before the answer', () => {
  const twice = async (change: (posted: RawInput['messages']) => readonly object[]) => {
    const posted: RawInput['messages'][] = [];
    const second: RawEvent[] = [];
    const conversation = await converse([[started, ...said('a1', 'Hello'), ended], second]);
    const [first, before] = conversation.chat.getState().messages;
    const thread = [
      { id: first?.id ?? '', role: 'user', content: 'Hi' },
      { id: 'a1', role: 'assistant', content: 'Hello' },
      { id: 'new', role: 'user', content: 'Again' },
    ];
    posted.push(thread);
    second.push(started, snapshot(...change(thread)), ...said('a2', 'Well.'), ended);
    await conversation.chat.sendMessage('Again');
    return { ...conversation, first, before };
  };

  it('equal ones keep their identity, also under other ids', async () => {
    const same = await twice((thread) => thread);
    expect(shownIn(same)).toEqual([['Hi'], ['Hello'], ['Again'], ['Well.']]);
    expect(same.chat.getState().messages[0]).toBe(same.first);
    expect(same.chat.getState().messages[1]).toBe(same.before);
    const moved = await twice((thread) => thread.map((one, index) => ({ ...one, id: `db-${index}` })));
    expect(moved.chat.getState().messages.slice(0, 2)).toEqual([moved.first, moved.before]);
    expect(shownIn(moved)).toEqual([['Hi'], ['Hello'], ['Again'], ['Well.']]);
  });

  it.each<[string, (thread: RawInput['messages']) => readonly object[], unknown]>([
    [
      'are corrected',
      ([one, , three]) => [one, answer('a1', 'Hello, Ann'), three] as object[],
      [['Hi'], ['Hello, Ann'], ['Again'], ['Well.']],
    ],
    ['are removed', ([, , three]) => [three] as object[], [['Again'], ['Well.']]],
    [
      'are added',
      (thread) => [user('u0', 'Before'), answer('a0', 'Yes'), ...thread],
      [['Before'], ['Yes'], ['Hi'], ['Hello'], ['Again'], ['Well.']],
    ],
  ])('%s as the list says', async (_, change, shown) => {
    const conversation = await twice(change);
    expect(shownIn(conversation)).toEqual(shown);
    const ids = conversation.chat.getState().messages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
