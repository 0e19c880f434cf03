/** What both kinds of peers need: a `fetch` with headers, one question that is asked once, and errors that name them. */
import { AgentChatError, describeThrown, invalidOptions } from '../../shared/errors.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import { TOOL_NAME } from '../limits.ts';

/** How a peer is reached. */
export interface PeerOptions {
  /** Sent with every request to the peer, or how to get them: a token that expires is asked for each time. */
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
 * One attempt for all who ask meanwhile and later; once it has failed the next who asks makes another. Nobody who
 * stops waiting ends it for the others.
 */
export function askOnce<Answer>(ask: () => Promise<Answer>): {
  (signal: AbortSignal): Promise<Answer>;
  /** What was found is no longer true: the next who asks begins anew. */
  forget(): void;
} {
  let asked: Promise<Answer> | undefined;
  const forget = () => {
    asked = undefined;
  };
  const get = async (signal: AbortSignal): Promise<Answer> => {
    signal.throwIfAborted();
    if (asked === undefined) {
      const attempt = ask();
      asked = attempt;
      attempt.catch(() => {
        if (asked === attempt) forget();
      });
    }
    const answer = await untilAborted(asked, signal);
    signal.throwIfAborted();
    return answer as Answer;
  };
  return Object.assign(get, { forget });
}

/** A peer that cannot be reached, or says what it should not. */
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

/** The SDK of a peer, which is installed by those who use it. */
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
