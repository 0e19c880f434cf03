/**
 * The seam that every backend implements. The engine knows only this.
 *
 * Octavus ends its response at a client tool and opens a second one with all results; Mantyx keeps one stream open and takes results
 * one at a time. Both fit without a special case: what a backend can do is data (`capabilities`), never a branch on its name.
 */
import type { RunCommand, StopCommand } from '../protocol/commands.ts';
import type { AgentEvent, PendingToolCall } from '../protocol/events.ts';
import type { ConnectionStatus } from '../shared/connection.ts';
import type { JsonValue } from '../shared/json.ts';

export type { ConnectionState, ConnectionStatus } from '../shared/connection.ts';

/** The capabilities of a backend. */
export interface TransportCapabilities {
  /**
   * `together`: a `respond` command carries all answers of a request and opens the continuation of the run.
   * `one-by-one`: it carries one answer; the run goes on in the stream that its `trigger` opened.
   */
  readonly results: 'together' | 'one-by-one';
  /** True if `run` takes a `resume` command. A given run can be resumed once one of its events carried a `cursor`. */
  readonly resume: boolean;
  /** True if `stop` reaches the server. If not, the aborted signal is all that the backend notices. */
  readonly stop: boolean;
  /** True if calls may carry a `deadline`. */
  readonly deadlines: boolean;
}

/** JSON of one conversation that is opaque to the engine. The engine persists it with the conversation. */
export interface TransportMemory {
  /** Returns the value set last, also before a reload; undefined at first. */
  get(): JsonValue | undefined;
  set(value: JsonValue | undefined): void;
}

/** The engine's side of one request. */
export interface TransportIO {
  /** Aborts when the engine no longer wants the events. The stream must end soon, by returning or throwing. */
  readonly signal: AbortSignal;
  /** JSON that the transport needs to post again, for backends without a history of their own. */
  readonly memory: TransportMemory;
  /** Reports a received value that is no known event. The stream goes on. */
  onUnknownEvent(event: unknown): void;
}

/**
 * The events of one request. Events that arrived together are yielded together: the engine applies an array in one step, which is
 * much cheaper than one promise per event.
 *
 * The stream returns when the response is over. A response that was cut also just ends: the engine knows it by the missing
 * `finish`. The stream throws an `AgentChatError` when the request failed or its body is unreadable.
 */
export type AgentEventStream = AsyncIterable<readonly AgentEvent[]>;

/** Control over a connection that outlives single requests (sockets). */
export interface Connection {
  getStatus(): ConnectionStatus;
  /** Calls back at once with the current status, then at each change. Returns the unsubscribe function. */
  subscribe(listener: (status: ConnectionStatus) => void): () => void;
  /** Resolves once connected; at once if it is. Rejects with code `connection_failed` and leaves state `error`. */
  connect(): Promise<void>;
  /** Closes and stays closed until the next `connect` or the next request. */
  disconnect(): void;
}

/** A tool that the transport brings itself. The engine runs and settles its calls like those of the app's tools. */
export interface TransportTool {
  /**
   * What it returns goes to the agent; what it throws goes to the agent as an error text. An `AgentChatError` says that the
   * tool could not be reached, and goes to `onError` as well.
   */
  execute(
    args: Readonly<Record<string, unknown>>,
    context: { readonly signal: AbortSignal },
  ): Promise<unknown>;
  /** Milliseconds until the call settles as `timed-out`. Default 60,000. */
  readonly timeoutMs?: number;
  /** Running it twice does no harm, so a call that was cut off by a reload just runs again; else a person is asked. */
  readonly idempotent?: boolean;
}

/** A backend as the engine sees it. Make one with `createHttpTransport` or `createSocketTransport`, or write your own. */
export interface AgentTransport {
  readonly capabilities: TransportCapabilities;
  /**
   * Sends one command and streams its response: `trigger` starts a run, `respond` delivers answers (see
   * {@link TransportCapabilities.results}), `resume` goes on with a run from a cursor.
   */
  run(command: RunCommand, io: TransportIO): AgentEventStream;
  /**
   * Ends the run on the server. Called right after the run's signal was aborted, when a person stopped the turn or a new message
   * interrupts it. The engine ignores a failure: the run is over for this client either way.
   */
  stop?(command: StopCommand): void | Promise<void>;
  readonly connection?: Connection;
  /** The transport's own tool for a call that is not for the tools of the app. Must answer for calls of before a reload. */
  clientTool?(call: PendingToolCall): TransportTool | undefined;
}
