/** The answers that a failed turn left undelivered, and the request of `retry()`: each rule of `failed-turn.ts`. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { TransportCapabilities } from '../../../src/core/transport/agent-transport.ts';
import { AgentChatError, type AgentChatErrorInit } from '../../../src/core.ts';
import { createScriptedTransport, type ScriptedRequest } from '../../../src/testing/scripted-transport.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import {
  awaitingAnswers,
  call,
  failure,
  request,
  start,
  stopped,
  text,
} from '../../support/scripted-events.ts';

const fault = (init: Partial<AgentChatErrorInit>) =>
  new AgentChatError({ code: 'connection_failed', message: 'No network', retryable: true, ...init });
const unavailable = fault({});
const forbidden = fault({ code: 'http_error', errorType: 'authentication_error', retryable: false });
const malformed = fault({ code: 'http_error', errorType: 'validation_error', retryable: false });
const failedFinish: AgentEvent = { type: 'finish', finishReason: 'error' };
/** The start of a run with a cursor. */
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
/** A response whose stream stays open for the answer. */
const waitingAt: End = (response) => response.send(begun, { ...request(call('1', 'now')), cursor: 'p2' });

describe('the message after a turn that failed', () => {
  it.each<[string, Failing, string]>([
    [
      'goes alone when the failed request delivered no answer',
      { responses: [breaks(unavailable)] },
      'trigger',
    ],
    ['follows answers that never arrived', { responses: [calling, breaks(unavailable)] }, 'respond'],
    [
      'follows answers to which the backend sent only an error',
      { responses: [calling, says(failure)] },
      'respond',
    ],
    [
      'goes alone after answers that were refused for good',
      { responses: [calling, breaks(malformed)] },
      'trigger',
    ],
    [
      'goes alone after answers with which the agent went on',
      { responses: [calling, breaks(unavailable, start, ...text('t', 'Half'))] },
      'trigger',
    ],
    [
      'follows answers that never reached a one-by-one run',
      { responses: [waitingAt, breaks(unavailable)], results: 'one-by-one' },
      'respond',
    ],
  ])('the message after a failed turn %s', async (_, failing, first) => {
    const { chat, asked } = await failed(failing);
    void chat.sendMessage('two');
    await settled();
    expect(asked()[0]).toBe(first);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['both', [], ['1', '2']],
    ['the one that had not arrived', ['1'], ['2']],
    ['none that had arrived', ['1', '2'], []],
  ])(
    'the message after a run that took answers one by one and broke follows %s',
    async (_, arrived, undelivered) => {
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
      for (const index of undelivered.keys()) (await backend.request(3 + index)).end();
      await settled();
      // The chat stops the run once the run has them. A run that awaits no answer is over without a stop.
      const stops = undelivered.length > 0 ? [{ type: 'stop', executionId: 'run-1' }] : [];
      expect(backend.commands.slice(3)).toMatchObject([
        ...undelivered.map((toolCallId) => ({ type: 'respond', answers: [{ toolCallId }] })),
        ...stops,
        { type: 'trigger' },
      ]);
    },
  );

  it('the message after a failed retry does not follow answers that the agent already had', async () => {
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

  it('the message after a failed turn follows undelivered answers of the turn before it', async () => {
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
    ['resumes a run that was cut', { responses: [breaks(lost, begun)] }, 'resume'],
    ['resumes a run whose response just ended', { responses: [says(begun)] }, 'resume'],
    ['triggers again when the run gave no cursor', { responses: [breaks(lost, start)] }, 'trigger'],
    [
      'triggers again when the run has no name',
      { responses: [breaks(lost, { type: 'start', cursor: 'p1' })] },
      'trigger',
    ],
    [
      'triggers again when the transport cannot resume',
      { responses: [breaks(lost, begun)], resume: false },
      'trigger',
    ],
    ['triggers again when the run itself failed', { responses: [says(begun, failure)] }, 'trigger'],
    ['asks the run whether answers arrived', { responses: [callingAt, breaks(unavailable)] }, 'resume'],
    [
      'sends answers again to a run without a cursor',
      { responses: [calling, breaks(unavailable)] },
      'respond',
    ],
    [
      'sends answers again with which the run failed',
      { responses: [callingAt, says(begun, ...text('t', 'Half'), failure)] },
      'respond',
    ],
    [
      'sends answers again once the person is signed in',
      { responses: [callingAt, breaks(forbidden)] },
      'respond',
    ],
    ['sends answers again that were refused', { responses: [callingAt, breaks(malformed)] }, 'respond'],
    [
      'sends answers again that may not have arrived, when the run cannot be resumed',
      { responses: [callingAt, breaks(fault({ code: 'not_resumable' }))] },
      'respond',
    ],
    ['sends answers that maxToolRounds left unsent', { responses: [callingAt], maxToolRounds: 0 }, 'respond'],
    [
      'resumes a run that stays open before it sends such answers',
      { responses: [waitingAt], maxToolRounds: 0, results: 'one-by-one' },
      'resume',
    ],
  ])('retry() %s', async (_, failing, first) => {
    const { chat, asked } = await failed(failing);
    void chat.retry();
    await settled();
    expect(asked()[0]).toBe(first);
  });

  it.each<[string, readonly End[], End, string]>([
    ['resumes once the person is signed in', [says(begun)], breaks(forbidden), 'resume'],
    ['resumes once the server is back', [says(begun)], breaks(unavailable), 'resume'],
    [
      'resumes once the server has restarted',
      [says(begun)],
      breaks(fault({ code: 'http_error', status: 503 })),
      'resume',
    ],
    ['triggers again when the run is refused', [says(begun)], breaks(malformed), 'trigger'],
    [
      'triggers again when the run is gone',
      [says(begun)],
      breaks(fault({ code: 'not_resumable' })),
      'trigger',
    ],
    ['triggers again when the run has failed', [says(begun)], says(failure), 'trigger'],
    ['triggers again when the run ends with an error', [says(begun)], says(failedFinish), 'trigger'],
    [
      'sends the answers again with which the run began',
      [callingAt, says(begun)],
      breaks(malformed),
      'respond',
    ],
    ['sends the answers again with which the run failed', [callingAt, says(begun)], says(failure), 'respond'],
  ])('retry() of a resume: %s', async (_, responses, refuse, then) => {
    const { chat, backend, asked } = await failed({ responses });
    void chat.retry();
    refuse(await backend.request(responses.length));
    await settled();
    void chat.retry();
    await settled();
    expect(asked()).toEqual(['resume', then]);
  });

  it('retry() of a resume triggers again when a run that takes answers one by one had failed', async () => {
    const { chat, backend, asked } = await failed({ responses: [says(begun)], results: 'one-by-one' });
    void chat.retry();
    says(failure)(await backend.request(1));
    await settled();
    void chat.retry();
    await settled();
    expect(asked()).toEqual(['resume', 'trigger']);
  });

  it('retry() of a resume sends no single answer to a run that is over', async () => {
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

  it('retry() of a continuation removes the parts of that continuation, and no others', async () => {
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

  it('retry() of a continuation that breaks again resumes from the cursor at which its answers were sent', async () => {
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

it('a continuation whose first event says that the run still waits gets the answers again', async () => {
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

it('an interactive call whose run failed is pending again when the repeated answers lead to it', async () => {
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

it('a turn that fails closes its open responses, so that its retry does not read beside them', async () => {
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

it('a run that keeps saying that it waits gets the answers at most maxToolRounds times', async () => {
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

it('retry() does not repeat by itself what fails after the run went on', async () => {
  const { chat, backend } = scriptedChat();
  void chat.sendMessage('Hi');
  breaks(fault({ code: 'connection_lost' }), begun)(await backend.request(0));
  await settled();
  void chat.retry();
  const resumed = await backend.request(1);
  says({ ...start, cursor: 'p2' }, { ...failure, retryable: true })(resumed);
  await settled();
  expect(chat.getState().status).toBe('error');
  expect(backend.commands.map(({ type }) => type)).toEqual(['trigger', 'resume']);
});
