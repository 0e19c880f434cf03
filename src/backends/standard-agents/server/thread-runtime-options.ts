import type { SessionStore } from '../../../server/store/session-store.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { AnyAgentDefinition } from './agent-definition.ts';
import type { ThreadEndpoints } from './define-thread-endpoint.ts';
import type { StandardAgentsKit } from './kit/standard-agents-kit.ts';
import type { ThreadFailureSource } from './thread-runner.ts';
import type { RunCode, ThreadState } from './thread-state.ts';

/** The source of an error, and the thread it belongs to. */
export interface ThreadFailure {
  /** `request`: an endpoint, or the store while a request was handled. */
  readonly source: ThreadFailureSource | 'request';
  /** Undefined if the request creates a thread. */
  readonly threadId: string | undefined;
}

/** Options of `createThreadRuntime`. */
export interface ThreadRuntimeOptions {
  readonly agents: Readonly<Record<string, AnyAgentDefinition>>;
  /**
   * Returns the id of the user whom the bearer token belongs to. Undefined is answered with 401. Each thread belongs to the user who
   * created it: others get the same 404 as for a thread that does not exist.
   */
  readonly authenticate: (token: string | undefined) => string | undefined | Promise<string | undefined>;
  /** Endpoints below each thread, by file name. */
  readonly endpoints?: ThreadEndpoints;
  /** Endpoints of packages, in the same namespace. An endpoint of `endpoints` with the same route wins. */
  readonly packedEndpoints?: readonly ThreadEndpoints[];
  /** Its endpoints, its answer to a stop, and its `inbox` of the threads of this runtime. Its tools go to the agents. */
  readonly kit?: StandardAgentsKit;
  /** Called when a person stopped a thread: `abortPending` of `standardAgentsKit`. */
  readonly onStop?: (state: ThreadState) => unknown;
  /** Runs the code of `state.runCode`: `runCode` of `handrail/sandbox`. Default: `state.runCode` throws. */
  readonly runCode?: RunCode;
  /**
   * Where threads live: `createMemorySessionStore`, `createPostgresSessionStore` or `createRedisSessionStore`. Sessions may live there,
   * too. Send all requests of a thread to one process: its execution and its clients are in the memory of that process, and a save of
   * another one is answered with 503. Default: in memory.
   */
  readonly store?: SessionStore;
  /** Longest accepted body, in bytes; a longer one is answered with 413 and `body_too_large`. Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Called with errors of models, tools, endpoints and the store, without secrets of the thread, for your logs. */
  readonly onError?: (thrown: unknown, failure: ThreadFailure) => unknown;
  readonly clock?: Clock;
}
