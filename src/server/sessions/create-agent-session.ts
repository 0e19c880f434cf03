import type { AgentEvent } from '../../protocol/events.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { createId as createUniqueId } from '../../shared/ids.ts';
import { isRecord } from '../../shared/json.ts';
import type { Agent, ServerTools } from '../agent.ts';
import { type FailureListener, reportFailure } from '../report-failure.ts';
import { createEventGenerator, createListSource, type EventSource } from './event-source.ts';
import { decideLive, type LiveSession, openEventLog } from './live-session.ts';
import { parseSessionRequest, type SessionRequest } from './parse-session-request.ts';
import { createRun, type Run } from './run.ts';
import { runLeg } from './run-request.ts';
import { createRunSource } from './run-source.ts';
import { SessionConflict, storeFailure } from './session-errors.ts';
import { type Desk, decideContinue, decideResume, decideStop, decideTrigger } from './session-requests.ts';
import { loadSessionState, type SessionState } from './session-state.ts';
import { createMemorySessionStore, type SessionStore } from './session-store.ts';

/** Options of {@link createAgentSession}. */
export interface AgentSessionOptions {
  /** Names the conversation. Sessions with the same id and store continue the same one. */
  readonly id: string;
  readonly agent: Agent;
  /** Tools that run here. Calls of any other tool are handed to the client. */
  readonly tools?: ServerTools;
  /** Where history, open calls and events are kept. Default: in memory, for this session object alone. */
  readonly store?: SessionStore;
  /** How many times one execution may call tools before it fails with `tool_rounds_exceeded`. Default 50. */
  readonly maxToolRounds?: number;
  /**
   * How long a run waits for a `resume` when its reader went away. Milliseconds. Default 0: the run ends at once, but behind
   * a socket it waits for a minute. While it waits the agent is not pulled.
   */
  readonly resumeWindowMs?: number;
  /**
   * Hears what the agent, a tool or the store threw, for your logs; the second argument says which and where. It changes
   * nothing: the client is told of a failed agent or store, the agent of a failed tool.
   */
  readonly onError?: FailureListener;
  readonly clock?: Clock;
  /** Makes ids of executions and messages. Default: random. */
  readonly createId?: () => string;
}

/** Options of {@link AgentSession.execute}. */
export interface ExecuteOptions {
  /** Aborting it ends the run; its stream ends with `finish{stop}`. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the session's `resumeWindowMs` for this reader. */
  readonly resumeWindowMs?: number | undefined;
}

/** One conversation between an agent and a client. */
export interface AgentSession {
  readonly id: string;
  /** As in its options. */
  readonly resumeWindowMs?: number | undefined;
  /**
   * Does what a client asked and streams what happens (Octavus protocol 2.0, sections 2, 3 and 10). `payload` is
   * whatever the client sent:
   *
   * - `{ type: 'trigger', triggerName, input? }` opens an execution and ends the one before it
   * - `{ type: 'continue', executionId, toolResults }` answers all calls of a `client-tool-request`
   * - `{ type: 'resume', executionId, cursor }` reads an execution again, after the event with that cursor. Where events
   *   are no longer kept it is refused as `cursor_expired`; a question is asked and a failure told all the same, after a
   *   `notice` with the code `events_lost`
   * - `{ type: 'stop', executionId? }` ends the run; yields nothing itself
   *
   * Nothing happens before the first `next()`, and the agent runs only as fast as the events are read. `return()`
   * ends the run at once, or leaves it for a `resume` within `resumeWindowMs`.
   *
   * Never throws for what the client sent or the agent did: those are `error` events whose `code` is a
   * `SessionErrorCode` (or the agent's own). A refused request changes nothing.
   */
  execute(payload: unknown, options?: ExecuteOptions): AsyncGenerator<AgentEvent, void, undefined>;
}

const DEFAULT_MAX_TOOL_ROUNDS = 50;
/** How often a decision is taken anew because another process saved first. */
const MAX_CONFLICTS = 3;

/**
 * A session that runs an agent and its server tools, and hands every other call to the client.
 *
 * @throws AgentChatError `invalid_options` when `id` or `agent` is missing or a tool is not a function.
 */
export function createAgentSession(options: AgentSessionOptions): AgentSession {
  checkOptions(options);
  const { id, agent, tools = {}, maxToolRounds = DEFAULT_MAX_TOOL_ROUNDS } = options;
  const { clock = systemClock, createId = createUniqueId, onError } = options;
  const store = options.store ?? createMemorySessionStore({ maxSessions: 1 });

  function reportStore(thrown: unknown, run: { executionId?: string } = {}): void {
    if (thrown instanceof SessionConflict) return;
    reportFailure(onError, thrown, { source: 'store', sessionId: id, ...run });
  }

  function startRun(
    live: LiveSession,
    state: SessionState,
    acknowledge: readonly string[],
    lastSeq: number,
  ): Run {
    const executionId = state.getRecord().execution?.id ?? '';
    const run = createRun({
      executionId,
      lastSeq,
      clock,
      log: openEventLog(store, id, executionId, lastSeq),
      start: (signal, position) =>
        runLeg({ sessionId: id, agent, tools, maxToolRounds, state, signal, acknowledge, position, onError }),
      onEnded: live.forgetEnded,
      onStoreFailed: (thrown) => reportStore(thrown, { executionId }),
    });
    live.setRun(run, state);
    return run;
  }

  async function decide(
    live: LiveSession,
    request: SessionRequest,
    io: ExecuteOptions,
    contended: boolean,
  ): Promise<EventSource> {
    const windowMs = io.resumeWindowMs ?? options.resumeWindowMs ?? 0;
    const { signal } = io;
    // A run that waited here for its reader while the session was served elsewhere knows less than the store.
    if (await live.getState()?.isOvertaken()) await live.getRun()?.end('superseded');
    const state = live.getState() ?? (await loadSessionState(store, id));
    const desk: Desk = {
      live,
      state,
      contended,
      createId,
      openLog: (execution) => openEventLog(store, id, execution.id, execution.lastSeq),
      startLeg(acknowledge, lastSeq) {
        const run = startRun(live, state, acknowledge, lastSeq);
        // Who sent the answers knows by the `start` that they were taken. Only who resumes is told with an event, which is
        // no kind of the protocol: clients of others take what they know and nothing else.
        const omit = 'tool-result-acknowledged';
        return createRunSource({ run, replay: [], after: lastSeq, windowMs, signal, omit });
      },
      readRun: (run, replay, after) => createRunSource({ run, replay, after, windowMs, signal }),
    };
    switch (request.type) {
      case 'trigger':
        return decideTrigger(desk, request);
      case 'continue':
        return decideContinue(desk, request);
      case 'resume':
        return decideResume(desk, request);
      case 'stop':
        return decideStop(desk, request);
      default:
        return request satisfies never;
    }
  }

  async function open(payload: unknown, io: ExecuteOptions): Promise<EventSource> {
    if (io.signal?.aborted) return createListSource([{ type: 'finish', finishReason: 'stop' }]);
    const request = parseSessionRequest(payload);
    if (request.type === 'error') return createListSource([request]);
    try {
      return await decideLive(store, id, async (live) => {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await decide(live, request, io, attempt > 1);
          } catch (thrown) {
            if (!(thrown instanceof SessionConflict) || attempt >= MAX_CONFLICTS) throw thrown;
          }
        }
      });
    } catch (thrown) {
      reportStore(thrown);
      return createListSource([storeFailure(thrown)]);
    }
  }

  return {
    id,
    resumeWindowMs: options.resumeWindowMs,
    execute: (payload, io = {}) => createEventGenerator(() => open(payload, io)),
  };
}

function checkOptions(options: AgentSessionOptions): void {
  const { id, agent, tools = {}, maxToolRounds = DEFAULT_MAX_TOOL_ROUNDS } = options ?? {};
  if (typeof id !== 'string' || id === '') fail('id must be a non-empty string that names the conversation');
  if (typeof agent !== 'function')
    fail('agent must be a function of a context that returns an async iterable');
  // Not a number would be no limit at all.
  if (!(typeof maxToolRounds === 'number' && maxToolRounds >= 0)) {
    fail(`maxToolRounds must be a number of 0 or more, not ${String(maxToolRounds)}`);
  }
  if (!isRecord(tools)) fail('tools must be an object of functions by tool name');
  for (const [name, tool] of Object.entries(tools)) {
    if (typeof tool !== 'function') {
      fail(
        `tools['${name}'] must be a function; leave tools of the client out, they are handed over by name`,
      );
    }
  }
}

function fail(message: string): never {
  throw invalidOptions(`createAgentSession: ${message}.`);
}
