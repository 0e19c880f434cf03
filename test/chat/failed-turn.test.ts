/** What a turn that failed still owes the agent, and what `retry()` asks for: each rule of `failed-turn.ts`. */
import { describe, expect, it } from 'vitest';
import { AgentChatError, type AgentChatErrorInit } from '../../src/core.ts';
import type { AgentEvent } from '../../src/protocol/events.ts';
import { createScriptedTransport, type ScriptedRequest } from '../../src/testing/scripted-transport.ts';
import type { TransportCapabilities } from '../../src/transport/agent-transport.ts';
import { scriptedChat, settled } from '../support/scripted-chat.ts';
import { awaitingAnswers, call, failure, request, start, stopped, text } from '../support/scripted-events.ts';

const fault = (init: Partial<AgentChatErrorInit>) =>
  new AgentChatError({ code: 'connection_failed', message: 'No network', retryable: true, ...init });
const unavailable = fault({});
const forbidden = fault({ code: 'http_error', errorType: 'authentication_error', retryable: false });
const malformed = fault({ code: 'http_error', errorType: 'validation_error', retryable: false });
const failedFinish: AgentEvent = { type: 'finish', finishReason: 'error' };
/** The run says where it stands. */
const begun: AgentEvent = { ...start, cursor: 'p1' };

type End = (response: ScriptedRequest) => void;
const breaks =
  (error: AgentChatError, ...events: AgentEvent[]): End =>
  (response) => {
    if (events.length > 0) response.send(...events);
    response.fail(error);
  };
const says =
  (...events: AgentEvent[]): End =>
  (response) => {
    response.send(...events);
    response.end();
  };

interface Failing {
  /** How the backend answers each request of the turn. */
  readonly responses: readonly End[];
  readonly results?: TransportCapabilities['results'];
  readonly maxToolRounds?: number;
  readonly resume?: boolean;
}

/** A chat whose first turn has failed. */
async function failed({ responses, results = 'together', maxToolRounds = 25, resume = true }: Failing) {
  const backend = createScriptedTransport({ results, resume });
  const { chat } = scriptedChat({ clientTools: { now: () => 'noon' }, maxToolRounds }, backend);
  void chat.sendMessage('one');
  for (const [index, respond] of responses.entries()) respond(await backend.request(index));
  await settled();
  expect(chat.getState().status).toBe('error');
  const asked = () => backend.commands.slice(responses.length).map(({ type }) => type);
  return { chat, backend, asked };
}

const calling = says(start, request(call('1', 'now')), awaitingAnswers);
const callingAt = says(begun, { ...request(call('1', 'now')), cursor: 'p2' }, awaitingAnswers);
/** The stream stays open for the answer. */
const waitingAt: End = (response) => response.send(begun, { ...request(call('1', 'now')), cursor: 'p2' });

describe('the message after a turn that failed', () => {
  it.each<[string, Failing, string]>([
    [
      'goes alone where a request failed that answered nothing',
      { responses: [breaks(unavailable)] },
      'trigger',
    ],
    ['follows answers that never arrived', { responses: [calling, breaks(unavailable)] }, 'respond'],
    [
      'follows answers to which the backend said nothing but an error',
      { responses: [calling, says(failure)] },
      'respond',
    ],
    [
      'goes alone after answers that were refused for good',
      { responses: [calling, breaks(malformed)] },
      'trigger',
    ],
    [
      'goes alone after answers the agent went on with',
      { responses: [calling, breaks(unavailable, start, ...text('t', 'Half'))] },
      'trigger',
    ],
    [
      'follows answers a run never got that takes them one by one',
      { responses: [waitingAt, breaks(unavailable)], results: 'one-by-one' },
      'respond',
    ],
  ])('%s', async (_, failing, first) => {
    const { chat, asked } = await failed(failing);
    void chat.sendMessage('two');
    await settled();
    expect(asked()[0]).toBe(first);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['both', [], ['1', '2']],
    ['the one that had not arrived', ['1'], ['2']],
    ['none that had arrived', ['1', '2'], []],
  ])('of a run that took answers one by one and broke follows %s', async (_, arrived, owed) => {
    const { chat, backend } = scriptedChat(
      { clientTools: { now: () => 'noon' } },
      createScriptedTransport({ results: 'one-by-one' }),
    );
    void chat.sendMessage('one');
    const run = await backend.request(0);
    run.send(begun, request(call('1', 'now'), call('2', 'now')));
    for (const id of arrived) (await backend.request(Number(id))).end();
    await backend.request(2);
    await settled();
    run.fail(unavailable);
    await settled();
    void chat.sendMessage('two');
    for (const index of owed.keys()) (await backend.request(3 + index)).end();
    await settled();
    // The run is told to stop once it has them; a run that awaits no answer is over as it is.
    const stops = owed.length > 0 ? [{ type: 'stop', executionId: 'run-1' }] : [];
    expect(backend.commands.slice(3)).toMatchObject([
      ...owed.map((toolCallId) => ({ type: 'respond', answers: [{ toolCallId }] })),
      ...stops,
      { type: 'trigger' },
    ]);
  });

  it('does not follow answers the agent had, though giving them again at a retry failed', async () => {
    const { chat, backend, asked } = await failed({
      responses: [callingAt, says(begun, ...text('t', 'Half'), failure)],
    });
    void chat.retry();
    breaks(unavailable)(await backend.request(2));
    await settled();
    void chat.sendMessage('two');
    await settled();
    expect(asked()).toEqual(['respond', 'trigger']);
  });

  it('follows answers of a turn before, which the failed one could not deliver either', async () => {
    const { chat, backend, asked } = await failed({ responses: [calling, breaks(unavailable)] });
    void chat.sendMessage('two');
    breaks(unavailable)(await backend.request(2));
    await settled();
    expect(chat.getState().status).toBe('error');
    void chat.sendMessage('three');
    const delivery = await backend.request(3);
    expect(delivery.command).toMatchObject({
      type: 'respond',
      answers: [{ toolCallId: '1', result: 'noon' }],
    });
    delivery.end();
    await settled();
    expect(asked()).toEqual(['respond', 'respond', 'stop', 'trigger']);
    expect(backend.commands.at(-1)).toMatchObject({ input: { USER_MESSAGE: 'three' } });
  });
});

describe('retry()', () => {
  const lost = fault({ code: 'connection_lost' });
  it.each<[string, Failing, string]>([
    ['reads on a run that was cut', { responses: [breaks(lost, begun)] }, 'resume'],
    ['reads on a run whose response just ended', { responses: [says(begun)] }, 'resume'],
    ['asks again where the run gave no position', { responses: [breaks(lost, start)] }, 'trigger'],
    [
      'asks again where the run has no name',
      { responses: [breaks(lost, { type: 'start', cursor: 'p1' })] },
      'trigger',
    ],
    [
      'asks again where the transport cannot read on',
      { responses: [breaks(lost, begun)], resume: false },
      'trigger',
    ],
    ['asks again where the run itself failed', { responses: [says(begun, failure)] }, 'trigger'],
    ['asks the run whether answers arrived', { responses: [callingAt, breaks(unavailable)] }, 'resume'],
    [
      'gives answers again to a run without a position',
      { responses: [calling, breaks(unavailable)] },
      'respond',
    ],
    [
      'gives answers again that the run failed with',
      { responses: [callingAt, says(begun, ...text('t', 'Half'), failure)] },
      'respond',
    ],
    [
      'gives answers again once the person is signed in',
      { responses: [callingAt, breaks(forbidden)] },
      'respond',
    ],
    ['gives answers again that were refused', { responses: [callingAt, breaks(malformed)] }, 'respond'],
    [
      'gives answers again that may not have arrived, where the run was asked and cannot say',
      { responses: [callingAt, breaks(fault({ code: 'not_resumable' }))] },
      'respond',
    ],
    [
      'gives answers that were not sent, there being too many rounds',
      { responses: [callingAt], maxToolRounds: 0 },
      'respond',
    ],
    [
      'reads on a run that stays open, in front of such answers',
      { responses: [waitingAt], maxToolRounds: 0, results: 'one-by-one' },
      'resume',
    ],
  ])('%s', async (_, failing, first) => {
    const { chat, asked } = await failed(failing);
    void chat.retry();
    await settled();
    expect(asked()[0]).toBe(first);
  });

  it.each<[string, readonly End[], End, string]>([
    ['reads on once the person is signed in', [says(begun)], breaks(forbidden), 'resume'],
    ['reads on once the server is back', [says(begun)], breaks(unavailable), 'resume'],
    [
      'reads on once the server has restarted',
      [says(begun)],
      breaks(fault({ code: 'http_error', status: 503 })),
      'resume',
    ],
    ['asks again where the run is refused', [says(begun)], breaks(malformed), 'trigger'],
    ['asks again where the run is gone', [says(begun)], breaks(fault({ code: 'not_resumable' })), 'trigger'],
    ['asks again where the run has failed', [says(begun)], says(failure), 'trigger'],
    ['asks again where its end is an error', [says(begun)], says(failedFinish), 'trigger'],
    ['gives the answers again that run began with', [callingAt, says(begun)], breaks(malformed), 'respond'],
    ['gives the answers again that the run failed with', [callingAt, says(begun)], says(failure), 'respond'],
  ])('of reading on: %s', async (_, responses, refuse, then) => {
    const { chat, backend, asked } = await failed({ responses });
    void chat.retry();
    refuse(await backend.request(responses.length));
    await settled();
    void chat.retry();
    await settled();
    expect(asked()).toEqual(['resume', then]);
  });

  it('of reading on asks again where a run that takes answers one by one had failed', async () => {
    const { chat, backend, asked } = await failed({ responses: [says(begun)], results: 'one-by-one' });
    void chat.retry();
    says(failure)(await backend.request(1));
    await settled();
    void chat.retry();
    await settled();
    expect(asked()).toEqual(['resume', 'trigger']);
  });

  it('of reading on does not give a single answer to a run that is over', async () => {
    const { chat, backend } = scriptedChat(
      { clientTools: { now: () => 'noon' } },
      createScriptedTransport({ results: 'one-by-one' }),
    );
    void chat.sendMessage('one');
    const run = await backend.request(0);
    waitingAt(run);
    says({ type: 'tool-result-acknowledged', toolCallId: '1', status: 'accepted' })(await backend.request(1));
    await settled();
    run.end();
    await settled();
    void chat.retry();
    says(failure)(await backend.request(2));
    await settled();
    void chat.retry();
    await settled();
    expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond', 'resume', 'resume']);
  });

  it('of a continuation takes back what it had said, and no more', async () => {
    const { chat, backend } = await failed({
      responses: [
        says(start, ...text('a', 'Before. '), request(call('1', 'now')), awaitingAnswers),
        breaks(unavailable, start, ...text('b', 'Half')),
      ],
    });
    const retried = chat.retry();
    (await backend.request(2)).send(start, ...text('b', 'Whole'), stopped);
    await retried;
    expect(chat.getState().messages[1]?.parts).toMatchObject([
      { text: 'Before. ' },
      { type: 'tool-call', result: 'noon' },
      { text: 'Whole' },
    ]);
  });

  it('of a continuation that breaks off again is read on from where its answers found the run', async () => {
    const { chat, backend } = await failed({
      responses: [
        callingAt,
        says({ ...start, cursor: 'p3' }, { type: 'text-start', id: 'a', cursor: 'p4' }, failure),
      ],
    });
    void chat.retry();
    (await backend.request(2)).fail(unavailable);
    await settled();
    void chat.retry();
    expect((await backend.request(3)).command).toEqual({
      type: 'resume',
      executionId: 'run-1',
      cursor: 'p2',
    });
  });
});

it('a continuation whose first word is that the run still waits gets the answers again', async () => {
  const { chat, backend } = scriptedChat({ clientTools: { now: () => 'noon' } });
  const sent = chat.sendMessage('one');
  calling(await backend.request(0));
  says(awaitingAnswers)(await backend.request(1));
  const again = await backend.request(2);
  expect(again.command).toMatchObject({ type: 'respond', answers: [{ toolCallId: '1', result: 'noon' }] });
  says(start, stopped)(again);
  await sent;
  expect(chat.getState().status).toBe('idle');
});

it('a question whose run failed after it was asked is asked again where the repeated answers lead to it', async () => {
  const { chat, backend } = scriptedChat({ clientTools: { ask: 'interactive' } });
  const answer = () => chat.getState().pendingClientTools.ask?.[0]?.submit('yes');
  const asking = request(call('2', 'ask'));
  void chat.sendMessage('one');
  (await backend.request(0)).send(start, request(call('1', 'ask')), awaitingAnswers);
  await settled();
  answer();
  (await backend.request(1)).send(start, asking, failure);
  await settled();
  expect(chat.getState()).toMatchObject({ status: 'error', pendingClientTools: {} });
  void chat.retry();
  (await backend.request(2)).send(start, asking, awaitingAnswers);
  await settled();
  expect(answer()).toEqual({ settled: true });
  await settled();
  expect(backend.commands.slice(2)).toMatchObject([
    { type: 'respond', answers: [{ toolCallId: '1', result: 'yes' }] },
    { type: 'respond', answers: [{ toolCallId: '2', result: 'yes' }] },
  ]);
});

it('a turn that fails ends what is still open of it: its retry must not read beside it', async () => {
  const { chat, backend } = scriptedChat(
    { clientTools: { now: () => 'noon' } },
    createScriptedTransport({ results: 'one-by-one' }),
  );
  void chat.sendMessage('one');
  waitingAt(await backend.request(0));
  breaks(forbidden)(await backend.request(1));
  await settled();
  expect(chat.getState().error?.code).toBe('http_error');
  expect(backend.requests.map(({ signal }) => signal.aborted)).toEqual([true, true]);
});

it('a run that says again and again that it waits gets the answers as often as rounds are allowed', async () => {
  const { chat, backend } = scriptedChat({ clientTools: { now: () => 'noon' }, maxToolRounds: 3 });
  void chat.sendMessage('one');
  calling(await backend.request(0));
  for (let round = 1; round <= 5; round += 1) {
    await settled();
    const response = backend.requests[round];
    if (response !== undefined) says(awaitingAnswers)(response);
  }
  expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond', 'respond', 'respond']);
  expect(chat.getState().error?.code).toBe('tool_rounds_exceeded');
});
