/** Serves one request of a client: reads the payload, waits until earlier requests are handled, handles it. */

import type { ToolResultAcknowledgedEvent } from '../../core/protocol/events.ts';
import { forReader } from '../answers/for-reader.ts';
import { mayAnswerListed } from '../answers/may-answer.ts';
import { checkAccess } from '../answers/may-open.ts';
import { toCallChoices } from '../answers/remembered-choices.ts';
import { withAnswer } from '../answers/with-answer.ts';
import { type SessionRequest, takeParsed } from '../parse-session-request.ts';
import { reportFailure } from '../report-failure.ts';
import { createRun } from '../runs/run.ts';
import { runRequest } from '../runs/run-request.ts';
import { createRunSource, withCursor } from '../runs/run-source.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import { SessionConflict, storeFailure } from '../session-errors.ts';
import { rememberCallCheck } from '../store/call-checks.ts';
import type { LoggedEvent } from '../store/event-log.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import type { Run } from '../store/live-run.ts';
import type { LiveSession } from '../store/live-session.ts';
import type { HandleRequest } from '../store/session-cluster.ts';
import { loadSessionState, type SessionState } from '../store/session-state.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { toReceivedEntry, traceRefusal, traceSaved } from '../store/session-trace.ts';
import { hostOf } from '../store/store-host.ts';
import { toSender } from '../to-sender.ts';
import { followSession } from './follow-session.ts';
import { handleContinue } from './handle-continue.ts';
import { handleOpen } from './handle-open.ts';
import { handleResume } from './handle-resume.ts';
import { handleStop } from './handle-stop.ts';
import { handleTrigger } from './handle-trigger.ts';
import { expireQuestions, expiringCalls, recoverRun } from './recover-session.ts';
import { type ReadOptions, type RequestContext, settleWaitingRun } from './request-context.ts';
import { closeQuestions, showAccepted, showQuestions } from './show-questions.ts';

/** How long a run waits for a client that comes back, if the app does not say. Milliseconds. */
export const DEFAULT_RESUME_WINDOW_MS = 60_000;

/** How often a request is handled again because another process saved first. */
const MAX_CONFLICTS = 3;

/** Handles a request. Never rejects: refusals and failures of the store are `error` events. */
export async function serveRequest(
  settings: SessionSettings,
  payload: unknown,
  given: ReadOptions,
): Promise<EventSource> {
  const { trace } = settings;
  if (given.signal?.aborted) return createListSource([{ type: 'finish', finishReason: 'stop' }]);
  const sender = toSender(given.principal);
  if (sender.refused) return traceRefusal(trace, createListSource([sender.refused]));
  const request = takeParsed(payload);
  if (request.type === 'error') return traceRefusal(trace, createListSource([request]));
  trace?.(toReceivedEntry(request));
  const source = await openRequest(settings, request, { ...given, principal: sender.principal });
  return traceRefusal(trace, forReader(source, settings, sender.principal), request.type);
}

async function openRequest(
  settings: SessionSettings,
  request: SessionRequest,
  options: ReadOptions,
): Promise<EventSource> {
  if (request.type !== 'open' || !request.follow) return openOnce(settings, request, options);
  return followSession(request, {
    open: closeQuestions((position) => openOnce(settings, { ...request, ...position }, options)),
    watch: (listener) => hostOf(settings.store).watch((id = settings.id) => id === settings.id && listener()),
    signal: options.signal,
  });
}

function openOnce(
  settings: SessionSettings,
  request: SessionRequest,
  options: ReadOptions,
): Promise<EventSource> {
  const { cluster } = hostOf(settings.store);
  if (cluster === undefined) return openHere(settings, request, options);
  const report = (thrown: unknown) => reportStoreFailure(settings, thrown);
  return cluster
    .open({ ...options, sessionId: settings.id, request, report }, openLeased(settings))
    .catch((thrown) => toFailedSource(settings, thrown));
}

/** Opens a request in this process. Never rejects. */
async function openHere(
  settings: SessionSettings,
  request: SessionRequest,
  options: ReadOptions,
): Promise<EventSource> {
  try {
    return await handle(settings, options, async (context) => {
      traceHandled(context, request);
      const access = await checkAccess(settings, options.principal, context.state.getRecord(), request);
      if (access.type === 'error') return createListSource([access]);
      if (request.type !== 'stop') await expireQuestions(context);
      if (access.type === 'questions') return showQuestions(context, access.request);
      if (access.type === 'answers')
        return showAccepted(context, await handleContinue(context, access.request));
      return handleRequest(context, request);
    });
  } catch (thrown) {
    return toFailedSource(settings, thrown);
  }
}

function traceHandled({ settings, state }: RequestContext, { type: request }: SessionRequest): void {
  const { revision, execution } = state.getRecord();
  const { id: executionId, state: status } = execution ?? {};
  settings.trace?.({ type: 'request-handled', request, executionId, status, revision });
}

/** Opens the requests that the cluster gives to this process. */
function openLeased(settings: SessionSettings): HandleRequest {
  return (given, store) => openHere({ ...settings, store }, given.request, given);
}

function toFailedSource(settings: SessionSettings, thrown: unknown): EventSource {
  reportStoreFailure(settings, thrown);
  return createListSource([storeFailure(thrown)]);
}

/** See `AgentSession.recover`. Nothing needs to be recovered in a session that a process of the cluster owns. */
export async function recoverSession(settings: SessionSettings): Promise<boolean> {
  const { cluster } = hostOf(settings.store);
  if (cluster === undefined) return recoverHere(settings);
  const isRecovered = await cluster.own(settings.id, openLeased(settings), (leased) =>
    recoverHere({ ...settings, store: leased }),
  );
  return isRecovered ?? false;
}

function recoverHere(settings: SessionSettings): Promise<boolean> {
  const nobody = { signal: undefined, windowMs: undefined, principal: undefined };
  return handle(settings, nobody, async (context) => {
    await settleWaitingRun(context);
    return (await expireQuestions(context)) || recoverRun(context);
  });
}

/** Calls the handler of a request when earlier requests of the session were handled, and again if another process saved first. */
async function handle<Value>(
  given: SessionSettings,
  options: ReadOptions,
  handler: (context: RequestContext) => Promise<Value>,
): Promise<Value> {
  const host = hostOf(given.store);
  return host.handle(given.store, given.id, async (live) => {
    // Whatever is asked, answered or expires in this request does so by the time of the store.
    const settings = { ...given, clock: await host.toStoreClock(given.clock) };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const context = await createContext(settings, live, options, attempt > 1);
        const value = await handler(context);
        watchDeadlines(given, context.state.getRecord());
        return value;
      } catch (thrown) {
        if (!(thrown instanceof SessionConflict) || attempt >= MAX_CONFLICTS) throw thrown;
      }
    }
  });
}

/** Recovers the session when the next of its questions expires, unless the process has died by then. */
function watchDeadlines(settings: SessionSettings, record: SessionRecord): void {
  const { id, clock, store } = settings;
  const report = (thrown: unknown) => reportStoreFailure(settings, thrown);
  const deadlines = expiringCalls(record).flatMap(({ deadline }) => deadline ?? []);
  const host = hostOf(store);
  const expire = () => void recoverSession({ ...settings, store: host.store }).catch(report);
  const next = deadlines.length > 0 ? Math.min(...deadlines) : undefined;
  host.setDeadline(id, next, clock, expire).catch(report);
}

function handleRequest(context: RequestContext, request: SessionRequest): Promise<EventSource> {
  switch (request.type) {
    case 'trigger':
      return handleTrigger(context, request);
    case 'continue':
      return handleContinue(context, request);
    case 'resume':
      return handleResume(context, request);
    case 'open':
      return handleOpen(context, request);
    case 'stop':
      return handleStop(context, request);
    default:
      return request satisfies never;
  }
}

/** After a save. A list of open calls asks the sessions of this process who may answer. */
function onSaved(settings: SessionSettings, record: SessionRecord, before: SessionRecord): void {
  const { id, store, trace } = settings;
  const { execution } = record;
  traceSaved(trace, before, record);
  rememberCallCheck(store, id, execution?.state === 'waiting', (principal, { call, startedBy }) =>
    mayAnswerListed(settings, principal, call, startedBy),
  );
  hostOf(store).notifySaved(id);
}

async function createContext(
  settings: SessionSettings,
  live: LiveSession,
  options: ReadOptions,
  contended: boolean,
): Promise<RequestContext> {
  const { store, id, redactStored } = settings;
  // A run that waited here for its reader is out of date if another process served the session meanwhile.
  if (await live.getState()?.isOvertaken()) await live.getRun()?.end('superseded');
  const state =
    live.getState() ??
    (await loadSessionState(store, id, {
      redactStored,
      whole: hostOf(store).whole(id),
      onSaved: (record, before) => onSaved(settings, record, before),
      onRefused: (revision) => settings.trace?.({ type: 'save-refused', revision }),
    }));
  const toEvent = (entry: LoggedEvent) => withAnswer(withCursor(entry), state.getStored());
  const reading = () => ({
    signal: options.signal,
    windowMs: options.windowMs ?? toWindow(state.getRecord()),
  });
  return {
    live,
    state,
    contended,
    settings,
    principal: options.principal,
    openLog: (execution) => hostOf(store).openLog(store, id, execution.id, execution.lastSeq),
    startRun: (acknowledge, lastSeq) => startRun(settings, live, state, acknowledge, lastSeq),
    startRequest(acknowledge, lastSeq, own) {
      const run = startRun(settings, live, state, acknowledge, lastSeq);
      // The `start` event tells the client that its answers were accepted. Only a resume replays their acknowledgements: the protocol
      // does not have this event, and clients of other vendors expect the events of the protocol alone.
      const toForeign = (entry: LoggedEvent) => {
        const { event } = entry;
        const isOwn = event.type === 'tool-result-acknowledged' && own.includes(event.toolCallId);
        return isOwn ? null : toEvent(entry);
      };
      return createRunSource({ run, replay: [], after: lastSeq, ...reading(), toEvent: toForeign });
    },
    readRun: (run, replay, after) => createRunSource({ run, replay, after, ...reading(), toEvent }),
  };
}

/** A client that names its messages comes back for a run that it lost. For any other client an aborted request means stop. */
function toWindow({ execution }: SessionRecord): number {
  return execution?.idempotencyKey === undefined ? 0 : DEFAULT_RESUME_WINDOW_MS;
}

function startRun(
  settings: SessionSettings,
  live: LiveSession,
  state: SessionState,
  acknowledge: readonly ToolResultAcknowledgedEvent[],
  lastSeq: number,
): Run {
  const { id: sessionId, store, clock } = settings;
  const executionId = state.getRecord().execution?.id ?? '';
  const run = createRun({
    executionId,
    lastSeq,
    clock,
    log: hostOf(store).openLog(store, sessionId, executionId, lastSeq),
    start: (signal, position) =>
      runRequest({
        ...{ settings, state, signal, acknowledge, position },
        choicesOf: (person, key) => toCallChoices(settings, state, person, key),
      }),
    onEnded() {
      traceEnded(settings, state.getRecord(), run.position());
      live.forgetEnded();
      watchDeadlines(settings, state.getRecord());
    },
    onStoreFailed: (thrown) => reportStoreFailure(settings, thrown, { executionId }),
  });
  live.setRun(run, state);
  settings.trace?.({ type: 'run-started', executionId, lastSeq });
  return run;
}

function traceEnded({ trace }: SessionSettings, { execution }: SessionRecord, lastSeq: number): void {
  if (trace === undefined || execution === null) return;
  const { id: executionId, state: status, ending } = execution;
  const { finishReason, code } = { finishReason: undefined, code: undefined, ...ending };
  trace({ type: 'run-ended', executionId, lastSeq, status, finishReason, code });
}

function reportStoreFailure(
  { id, onError }: SessionSettings,
  thrown: unknown,
  run: { executionId?: string } = {},
): void {
  if (thrown instanceof SessionConflict) return;
  reportFailure(onError, thrown, { source: 'store', sessionId: id, ...run });
}
