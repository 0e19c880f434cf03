/** Several processes that serve the same sessions: one of them owns a session at a time, the others relay their requests to it. */
import type { Principal } from '../../shared/principal.ts';
import type { SessionRequest } from '../parse-session-request.ts';
import type { EventSource } from './event-source.ts';
import type { SessionStore } from './session-store.ts';

/** A request of a client, which one process may relay to another as JSON. */
export interface ClusterRequest {
  readonly sessionId: string;
  readonly request: SessionRequest;
  /** How long the run waits when its reader goes away. Milliseconds. */
  readonly windowMs: number | undefined;
  readonly principal: Principal | undefined;
  readonly signal: AbortSignal | undefined;
  /** Takes what the store throws once the request is open. It stays in this process. */
  readonly report: (thrown: unknown) => void;
}

/** The right of this process to run a session. */
export interface SessionLease {
  /**
   * Keeps the lease until the returned function is called. `onLost` is called if another process may own the session before; the store
   * refuses all writes from then on.
   */
  hold(onLost?: () => void): () => void;
}

/** The store as the owner of a session sees it: its writes carry the lease. */
export interface LeasedStore extends SessionStore {
  readonly lease: SessionLease;
  /** The store that the app made. */
  readonly shared: SessionStore;
}

/** Handles a request in this process, which owns the session. Never rejects. */
export type HandleRequest = (request: ClusterRequest, store: LeasedStore) => Promise<EventSource>;

/** A store whose processes relay requests to each other. With any other store each process handles its own requests. */
export interface ClusterStore extends SessionStore {
  readonly cluster: SessionCluster;
}

export interface SessionCluster {
  /**
   * Opens a request in the process that owns its session. Where no process does, this one becomes the owner and calls `handle`; it also
   * handles with it what other processes relay. Rejects when the store fails.
   */
  open(request: ClusterRequest, handle: HandleRequest): Promise<EventSource>;
  /** Runs a task with a session that no other process owns. Resolves to undefined if there is an owner. */
  own<Value>(
    sessionId: string,
    handle: HandleRequest,
    task: (store: LeasedStore) => Promise<Value>,
  ): Promise<Value | undefined>;
  /** Called for each session that is created with the store. The function opens other sessions with the same options. */
  register(openSession: OpenRecoverable): void;
}

/** Returns the session with an id, or undefined to leave it alone. */
export type OpenRecoverable = (sessionId: string) => Recoverable | Promise<Recoverable>;

type Recoverable = { recover(): Promise<boolean> } | undefined;
