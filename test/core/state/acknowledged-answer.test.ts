/** What a page shows and reports of an answer that the server has: the word that the server carries, and for earlier servers one reading. */
import { describe, expect, it } from 'vitest';
import type { PendingToolCall, ToolResultAcknowledgedEvent } from '../../../src/core/protocol/events.ts';
import type { SettledCall } from '../../../src/core/tools/settled-call.ts';
import { TOOL_OUTCOMES } from '../../../src/shared/tool-outcome.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { call, request, start } from '../../support/scripted-events.ts';

type Acknowledgement = Partial<ToolResultAcknowledgedEvent>;

const ada = { id: 'ada', name: 'Ada' };
const approval = { executedBy: 'server', question: { ui: 'confirm' } } as const;

/** A page with one waiting call, `act` on it, then the acknowledgement. */
async function acknowledged(
  event: Acknowledgement,
  { act, asked = {} }: { act?: 'submit' | 'decline'; asked?: Partial<PendingToolCall> } = {},
) {
  const reported: SettledCall[] = [];
  const { chat, backend, notified, clock } = scriptedChat(
    { clientTools: { ask: 'interactive' }, onCallSettled: (settledCall) => reported.push(settledCall) },
    createScriptedTransport({ results: 'one-by-one' }),
  );
  void chat.sendMessage('Hi');
  const run = await backend.request(0);
  run.send(start, request({ ...call('1', 'ask'), ...asked }));
  await settled();
  const [tool] = chat.getState().pendingCalls;
  if (act === 'submit') tool?.submit({ note: 'mine' });
  if (act === 'decline') tool?.decline('too dear');
  run.send({ type: 'tool-result-acknowledged', toolCallId: '1', status: 'accepted', ...event });
  await settled();
  clock.frame();
  const part = chat.getState().messages.at(-1)?.parts[0];
  chat.destroy();
  return { part, reported, notified };
}

describe('an acknowledgement with an outcome', () => {
  it.each(TOOL_OUTCOMES)(
    'the outcome %s is taken as it is by the page and onCallSettled',
    async (outcome) => {
      // The value looks like a no, and the person has submitted it in a form.
      const result = { confirmed: false, outcome: 'declined', note: 'not yet' };
      const { part, reported } = await acknowledged({ outcome, result, reason: 'because', answeredBy: ada });
      expect(part).toMatchObject({ outcome, result, reason: 'because', answeredBy: ada });
      expect(reported).toMatchObject([{ outcome, result, reason: 'because', person: ada }]);
    },
  );

  it('an answer of nobody whom the server names is shown as it was given', async () => {
    const { part, reported, notified } = await acknowledged({
      outcome: 'submitted',
      result: { note: 'theirs' },
    });
    expect(part).toMatchObject({ status: 'done', outcome: 'submitted', result: { note: 'theirs' } });
    expect(reported).toMatchObject([{ outcome: 'submitted', answeredBy: 'person' }]);
    expect(notified).not.toContain('notice answered_elsewhere');
  });

  it('the files of an answer from another page are shown at once', async () => {
    const files = [{ id: 'f', mediaType: 'text/csv', url: 'https://files.example/a.csv', filename: 'a.csv' }];
    const { part } = await acknowledged({ outcome: 'submitted', result: 'made', files, answeredBy: ada });
    expect(part).toMatchObject({ status: 'done', result: 'made', files });
  });

  it('the answer of this page stays as it was given when the server has taken it', async () => {
    const { part, reported } = await acknowledged(
      { outcome: 'submitted', result: { note: null } },
      { act: 'submit' },
    );
    expect(part).toMatchObject({ outcome: 'submitted', result: { note: 'mine' } });
    expect(reported).toHaveLength(1);
  });

  it('the word of the server replaces that of this page where they differ', async () => {
    const { part, reported } = await acknowledged({ outcome: 'expired' }, { act: 'submit' });
    expect(part).toMatchObject({ status: 'cancelled', outcome: 'expired' });
    expect(reported).toMatchObject([
      { outcome: 'submitted', answeredBy: 'person' },
      { outcome: 'expired', answeredBy: 'nobody' },
    ]);
  });

  it('the answer of a colleague replaces that of this page when this one came too late', async () => {
    const { part } = await acknowledged(
      { status: 'expired', outcome: 'submitted', result: { note: 'theirs' } },
      { act: 'submit' },
    );
    expect(part).toMatchObject({ outcome: 'submitted', result: { note: 'theirs' } });
  });
});

describe('an acknowledgement of a server of before 0.2', () => {
  it.each<[string, Acknowledgement, object]>([
    ['a value', { result: { confirmed: false, note: 'not yet' } }, { outcome: 'submitted' }],
    [
      'a no',
      { result: { outcome: 'declined', reason: 'too dear' } },
      { outcome: 'declined', reason: 'too dear' },
    ],
    ['an error', { error: 'not now' }, { outcome: 'cancelled', reason: 'not now' }],
  ])('the answer of a colleague is read from %s', async (_, event, expected) => {
    const { part } = await acknowledged({ ...event, answeredBy: ada });
    expect(part).toMatchObject({ ...expected, answeredBy: ada });
  });

  it.each<[unknown, string]>([
    [{ confirmed: true }, 'submitted'],
    [{ confirmed: false }, 'declined'],
    [{ ok: false }, 'expired'],
    ['no', 'expired'],
  ])('the answer %j to an approval is read as %s', async (result, outcome) => {
    const { part } = await acknowledged({ result, answeredBy: ada }, { asked: approval });
    expect(part).toMatchObject({ outcome, executedBy: 'server' });
  });

  it('a call that was answered elsewhere, without a word how, has expired here', async () => {
    const { part, reported, notified } = await acknowledged({});
    expect(part).toMatchObject({ outcome: 'expired' });
    expect(reported).toMatchObject([{ outcome: 'expired', answeredBy: 'nobody' }]);
    expect(notified).toContain('notice answered_elsewhere');
  });
});

describe('the reason of an answer', () => {
  it.each([
    ['decline', 'too dear', { outcome: 'declined', reason: 'too dear' }],
    ['cancel', 'not now', { outcome: 'cancelled', error: 'not now', reason: 'not now' }],
    ['cancel', undefined, { outcome: 'cancelled', error: 'User cancelled' }],
  ] as const)(
    '%s with the reason %s reaches the part, onCallSettled and the backend',
    async (method, why, expected) => {
      const reported: SettledCall[] = [];
      const { chat, backend, clock } = scriptedChat(
        { clientTools: { ask: 'interactive' }, onCallSettled: (settledCall) => reported.push(settledCall) },
        createScriptedTransport({ results: 'one-by-one' }),
      );
      void chat.sendMessage('Hi');
      (await backend.request(0)).send(start, request(call('1', 'ask')));
      await settled();
      chat.getState().pendingCalls[0]?.[method](why);
      clock.frame();
      expect(chat.getState().messages.at(-1)?.parts[0]).toMatchObject(expected);
      expect(reported).toMatchObject([expected]);
      expect((await backend.request(1)).command).toMatchObject({ answers: [expected] });
      chat.destroy();
    },
  );
});
