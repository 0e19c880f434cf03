import type { AgentEvent } from '../../core/protocol/events.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { createId as createUniqueId } from '../../shared/ids.ts';
import { isRecord } from '../../shared/json.ts';
import { type Principal, toPrincipal } from '../../shared/principal.ts';
import type { Agent } from '../agent.ts';
import { mayAnswerListed } from '../answers/may-answer.ts';
import type { ClientToolRule } from '../client-tool-rule.ts';
import type { MayOpen } from '../open-rule.ts';
import type { Receipts } from '../receipts/receipts.ts';
import type { FailureListener } from '../report-failure.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import { createMemorySessionStore } from '../store/create-memory-session-store.ts';
import { createEventGenerator } from '../store/event-source.ts';
import type { OpenCall, SessionStore } from '../store/session-store.ts';
import { createSessionTrace, type SessionTraceStep, withTrace } from '../store/session-trace.ts';
import { hostOf } from '../store/store-host.ts';
import type { RedactStored } from '../store/stored-form.ts';
import { checkGuards } from '../tools/define-server-tool.ts';
import type { MayAnswer, ServerTools } from '../tools/server-tool.ts';
import { recoverSession, serveRequest } from './serve-request.ts';

/** Options of {@link createAgentSession}. */
export interface AgentSessionOptions {
  /** Names the conversation. Sessions with the same id and store continue the same one. */
  readonly id: string;
  readonly agent: Agent;
  /** Tools that run on the server. The client is asked to answer the calls of any other tool. */
  readonly tools?: ServerTools;
  /** Stores history, open calls and events. Default: in memory, for this session object alone. */
  readonly store?: SessionStore;
  /**
   * Returns the result of a tool as the store may keep it, for example without the password that a person typed. It gets every
   * tool result of the history before each save, so it must leave a result that is redacted already as it is. Default: results
   * are stored as they are.
   *
   * The agent gets the whole result in the request that the answer opens. Later requests may get the stored one.
   */
  readonly redactStored?: RedactStored;
  /**
   * Who may answer the calls of this conversation, the questions of server tools among them. Default: whoever can send a request to it.
   * With it, an answer without a `principal` is refused.
   */
  readonly mayAnswer?: MayAnswer;
  /**
   * Who may read this conversation and go on with it: `open`, `resume`, messages and `stop` of anybody else are refused as `not_allowed`.
   * Default: everybody who started a turn of it or answered a call of it. Besides, a person whom a rule (`mayAnswer`) lets answer an open
   * call may open that call, without the messages around it.
   *
   * A new conversation is open to whoever comes first. One of which a turn was started without a `principal` is open to requests without
   * one, and by default to everybody: it is as open as its id is secret.
   */
  readonly mayOpen?: MayOpen;
  /**
   * Signs what people are asked and what they answer, see `createHmacReceipts`. An answer without the receipt of its call is refused
   * then. Default: nothing is signed.
   */
  readonly receipts?: Receipts;
  /**
   * Which tools of the page the agent sees as `context.clientTools`, where the page describes its tools (`describeClientTools`): `'all'`, a list
   * of names, or a function that returns true for those it allows. A function that throws, returns anything but true, or takes over ten
   * seconds leaves its tool out, and so does a tool of the server with the same name. Descriptions come from the browser: what they say is
   * read by the model. Default: none.
   */
  readonly clientTools?: ClientToolRule;
  /** How many times one execution may call tools before it fails with `tool_rounds_exceeded`. Default 50. */
  readonly maxToolRounds?: number;
  /**
   * How long a run goes on and waits for a `resume` after its reader went away. Milliseconds. Default: a minute behind a
   * socket, and for a client that gives its triggers an `idempotencyKey`, as `useAgentChat` does; else 0, which ends the run at
   * once. Meanwhile the agent is asked for up to 10,000 more events.
   */
  readonly resumeWindowMs?: number;
  /**
   * Called with the error that the agent, a tool or the store threw, for your logs; the second argument names the source and
   * the conversation. The listener changes nothing: the client gets an `error` event for a failed agent or store, and the agent
   * gets an error text for a failed tool.
   */
  readonly onError?: FailureListener;
  /**
   * Gets every step of the session as data, to find out what a stuck run does: requests, runs, the agent, tools with their calls and steps,
   * saves. Steps hold ids, words and numbers, and no arguments, results, texts or names of people. Each process traces its own steps. An
   * error that the function throws goes to `onError`, and changes nothing.
   */
  readonly trace?: (step: SessionTraceStep) => void;
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
  /**
   * Who sends the request, as your login knows them. Never take it from the request itself. A conversation whose turns were all started
   * by people with a `principal` is closed to a request without one.
   */
  readonly principal?: Principal | null | undefined;
}

/** One conversation between an agent and a client. */
export interface AgentSession {
  readonly id: string;
  /** As in its options. */
  readonly resumeWindowMs?: number | undefined;
  /**
   * Returns true if this person may answer the call: by the `mayAnswer` of the session and of the tool, or, without both, because they
   * started its turn.
   */
  mayAnswer(principal: Principal, openCall: Pick<OpenCall, 'call' | 'startedBy'>): Promise<boolean>;
  /**
   * Restarts the run of a process that died, and settles questions whose time is over. The run goes on without a reader. Resolves to
   * true if there was anything to do.
   *
   * @throws what the store throws
   */
  recover(): Promise<boolean>;
  /**
   * Handles a request of a client and streams the events (Octavus protocol 2.0, sections 2, 3 and 10). `payload` is the JSON
   * the client sent:
   *
   * - `{ type: 'trigger', triggerName, input?, idempotencyKey? }` opens an execution and ends the one before it. A trigger with the
   *   key of an earlier one is that message sent again: its execution is read from the beginning, or restarted if it ended early
   * - `{ type: 'continue', executionId, toolResults, partial? }` answers all calls of a `client-tool-request`, or with `partial: true` some
   *   of them. What is answered is stored at once; the run goes on when the last answer is there
   * - `{ type: 'open', executionId?, cursor?, follow? }` reads the conversation: a `snapshot`, then the run that is under way. A client that
   *   has the execution up to `cursor` gets what came after it instead. With `follow: true` the events go on until the client leaves: over
   *   questions, the ends of turns and later turns. A turn that takes the place of another one begins with a snapshot
   * - `{ type: 'resume', executionId, cursor }` reads an execution again, after the event with that cursor. If the log has lost some of
   *   these events, a client that has nothing of the last answer gets it from the history; an open question or a failure is sent again,
   *   after a `notice` with the code `events_lost`; else the request is refused as `cursor_expired`, which is `retryable` if the trigger
   *   had an `idempotencyKey`, as the trigger sent again reads the whole answer. A cursor beyond the last event is refused as
   *   `invalid_request`
   * - `{ type: 'stop', executionId?, idempotencyKey? }` ends the run; yields nothing itself
   *
   * Nothing happens before the first `next()`, and the agent runs only as fast as the events are read. `return()`
   * ends the run at once, or lets it go on and wait for a `resume` within `resumeWindowMs`.
   *
   * Never throws for an invalid request or a failed agent: both become `error` events whose `code` is a `SessionErrorCode`
   * (or the agent's own code). A refused request changes nothing.
   */
  execute(payload: unknown, options?: ExecuteOptions): AsyncGenerator<AgentEvent, void, undefined>;
}

const DEFAULT_MAX_TOOL_ROUNDS = 50;

/**
 * Creates a session that runs an agent and its server tools, and asks the client to answer every other call.
 *
 * @throws AgentChatError `invalid_options` when `id` or `agent` is missing or a tool is not a function.
 */
export function createAgentSession(options: AgentSessionOptions): AgentSession {
  checkOptions(options);
  const { id, clock = systemClock, onError } = options;
  const trace = createSessionTrace(options.trace, { id, clock, onError });
  const settings: SessionSettings = {
    id,
    agent: options.agent,
    tools: options.tools ?? {},
    store: options.store ?? createMemorySessionStore({ maxSessions: 1 }),
    redactStored: options.redactStored,
    mayAnswer: options.mayAnswer,
    mayOpen: options.mayOpen,
    receipts: options.receipts,
    clientTools: options.clientTools,
    maxToolRounds: options.maxToolRounds ?? DEFAULT_MAX_TOOL_ROUNDS,
    onError: withTrace(trace, onError),
    trace,
    clock,
    createId: options.createId ?? createUniqueId,
  };
  hostOf(settings.store).cluster?.register((other) => createAgentSession({ ...options, id: other }));
  return {
    id,
    resumeWindowMs: options.resumeWindowMs,
    mayAnswer: async (principal, { call, startedBy }) =>
      mayAnswerListed(settings, toPrincipal(principal), call, startedBy),
    recover: () => recoverSession(settings),
    execute(payload, { signal, resumeWindowMs, principal } = {}) {
      const windowMs = resumeWindowMs ?? options.resumeWindowMs;
      const reading = { signal, windowMs, principal: principal ?? undefined };
      return createEventGenerator(() => serveRequest(settings, payload, reading));
    },
  };
}

function checkOptions(options: AgentSessionOptions): void {
  const {
    id,
    agent,
    tools = {},
    mayAnswer,
    mayOpen,
    maxToolRounds = DEFAULT_MAX_TOOL_ROUNDS,
    trace,
    clientTools = 'all',
  } = options ?? {};
  if (typeof id !== 'string' || id === '') fail('id must be a non-empty string that names the conversation');
  if (typeof agent !== 'function')
    fail('agent must be a function of a context that returns an async iterable');
  if (mayAnswer !== undefined && typeof mayAnswer !== 'function')
    fail('mayAnswer must be a function of the principal and the call');
  if (mayOpen !== undefined && typeof mayOpen !== 'function')
    fail('mayOpen must be a function of the principal and the session');
  if (trace !== undefined && typeof trace !== 'function') fail('trace must be a function of a step');
  if (clientTools !== 'all' && typeof clientTools !== 'function' && !isListOfNames(clientTools)) {
    fail("clientTools must be 'all', a list of names, or a function of the description of a tool");
  }
  // NaN would be no limit at all, because every comparison with it is false.
  if (!(typeof maxToolRounds === 'number' && maxToolRounds >= 0)) {
    fail(`maxToolRounds must be a number of 0 or more, not ${String(maxToolRounds)}`);
  }
  if (!isRecord(tools)) fail('tools must be an object of functions and tools by tool name');
  for (const [name, tool] of Object.entries(tools)) {
    if (typeof tool !== 'function' && typeof tool?.execute !== 'function') {
      fail(
        `tools['${name}'] must be a function or made by defineServerTool; leave the tools of the client out, a call of an unknown name goes to the client`,
      );
    }
    if (typeof tool === 'object') checkGuards(tool);
  }
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function fail(message: string): never {
  throw invalidOptions(`createAgentSession: ${message}.`);
}
