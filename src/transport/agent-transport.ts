/**
 * The seam every backend implements. The engine knows only this.
 *
 * Octavus ends its response at a client tool and opens a second one with all results; Mantyx keeps one stream
 * open and takes results one at a time; a UTP command waits on a card. All three fit without a special case:
 * what a backend can do is data (`capabilities`), never a branch on its name.
 */
import type { RespondCommand, ResumeCommand, StopCommand, TriggerCommand } from '../protocol/commands.ts';
import type { AgentEvent, PendingToolCall } from '../protocol/events.ts';
import type { ConnectionStatus } from '../shared/connection.ts';

export type { ConnectionState, ConnectionStatus } from '../shared/connection.ts';

/** What a backend can do. */
export interface TransportCapabilities {
  /**
   * `together`: `respond` takes all answers of a request and opens the continuation of the run.
   * `one-by-one`: `respond` takes one answer; the run goes on in the stream that `start` opened.
   */
  readonly results: 'together' | 'one-by-one';
  /** Whether `attach` may work. A given run can be re-attached once one of its events carried a `cursor`. */
  readonly resume: boolean;
  /** Whether `stop` reaches the server. Where false, aborting the signal is all there is. */
  readonly stop: boolean;
  /** Whether calls may carry a `deadline`. */
  readonly deadlines: boolean;
}

/** What the engine lends a transport for one request. */
export interface TransportIO {
  /** Aborted when the engine no longer wants the events. The iterable must end soon, by returning or throwing. */
  readonly signal: AbortSignal;
  /** Takes what was received but not understood; the stream goes on. */
  onUnknownEvent(event: unknown): void;
}

/**
 * The events of one request. Whatever arrived together may be yielded together as an array: the engine applies
 * it in one step, which is much cheaper than one promise per event.
 *
 * It ends by returning when the response is over; a response that was cut also just ends (the engine knows it by
 * the missing `finish`). It throws an `AgentChatError` when the request failed or its body is unreadable.
 */
export type AgentEventStream = AsyncIterable<AgentEvent | readonly AgentEvent[]>;

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

/** A tool that the transport runs itself, on this page. The engine runs and settles its calls like those of the app's tools. */
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
  /** Opens a run: one request, until the run ends or needs the client. */
  start(command: TriggerCommand, io: TransportIO): AgentEventStream;
  /** Delivers answers, see {@link TransportCapabilities.results}. */
  respond(command: RespondCommand, io: TransportIO): AgentEventStream;
  /** Goes on reading a run after a drop or a reload, from a cursor. */
  attach?(command: ResumeCommand, io: TransportIO): AgentEventStream;
  /**
   * Ends the run on the server. Called right after the run's signal was aborted, when a person stopped the turn
   * or a new message interrupts it. Its failure is nobody's error: the run is over for this client either way.
   */
  stop?(command: StopCommand): void | Promise<void>;
  readonly connection?: Connection;
  /** The transport's own tool for a call that is not for the tools of the app. Must answer for calls of before a reload. */
  clientTool?(call: PendingToolCall): TransportTool | undefined;
}
