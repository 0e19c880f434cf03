/** Shared by both kinds of peers: a `fetch` with headers, a connection that is made once, and errors that name the peer. */
import { AgentChatError, describeThrown, invalidOptions } from '../../../shared/errors.ts';
import { untilAborted } from '../../../shared/until-aborted.ts';
import { TOOL_NAME } from '../assert-limit.ts';

/** Options of a peer's connection. */
export interface PeerOptions {
  /** Sent with every request to the peer. A function is called for each request, for tokens that expire. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>);
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** @throws AgentChatError `invalid_options` for a name the platform would refuse. */
export function checkPeerName(maker: string, name: string): void {
  if (TOOL_NAME.test(name)) return;
  throw invalidOptions(
    `${maker} got the name ${JSON.stringify(name)}. Use 1 to 64 letters, digits and underscores.`,
  );
}

export function createPeerFetch({ headers, fetch: send }: PeerOptions): typeof fetch {
  return async (input, init) => {
    const all = new Headers(init?.headers);
    const added = new Headers(typeof headers === 'function' ? await headers() : headers);
    for (const [name, value] of added) all.set(name, value);
    return (send ?? globalThis.fetch)(input, { ...init, headers: all });
  };
}

/**
 * Shares one call: callers get the same promise until it rejects, and then the next caller starts a new call. A caller whose
 * signal aborts stops waiting and leaves the call to the others.
 */
export function createSharedCall<Value>(start: () => Promise<Value>): {
  (signal: AbortSignal): Promise<Value>;
  /** Drops the result: the next caller starts a new call. */
  forget(): void;
} {
  let shared: Promise<Value> | undefined;
  const forget = () => {
    shared = undefined;
  };
  const get = async (signal: AbortSignal): Promise<Value> => {
    signal.throwIfAborted();
    if (shared === undefined) {
      const attempt = start();
      shared = attempt;
      attempt.catch(() => {
        if (shared === attempt) forget();
      });
    }
    const value = await untilAborted(shared, signal);
    signal.throwIfAborted();
    return value as Value;
  };
  return Object.assign(get, { forget });
}

/** The error of a peer that cannot be reached or sends an invalid description. */
export function toPeerError(peer: string, thrown: unknown): AgentChatError {
  if (AgentChatError.isInstance(thrown)) return thrown;
  return new AgentChatError({
    code: 'connection_failed',
    errorType: 'tool_error',
    source: 'tool',
    retryable: true,
    message: `${peer} could not be asked what it offers: ${describeThrown(thrown, 'no answer')}`,
    cause: thrown,
  });
}

/** Imports the SDK of a peer, an optional dependency of the app. */
export async function importPeer<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (thrown) {
    throw invalidOptions(
      `${name} could not be loaded: ${describeThrown(thrown, 'it is missing')}. Install it: npm install ${name}`,
      thrown,
    );
  }
}
