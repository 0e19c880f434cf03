/** One attempt to connect a socket. */
import type { Clock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import { dismiss, opened, type SocketLike } from './socket-like.ts';

/** Some proxies drop the handshake silently, and browsers then wait for minutes. */
const LIMIT_MS = 20_000;

/**
 * The socket, once it is open. An attempt that takes longer than 20 s has failed: it would hold up all others, and the
 * next way of a fallback. Ends with the signal as well; what comes later is closed unused.
 *
 * @throws AgentChatError `connection_failed` for what is no socket and for one that takes too long; or whatever `connect`
 * throws, and undefined where the socket does not open.
 */
export function openSocket(
  connect: () => SocketLike | Promise<SocketLike>,
  clock: Clock,
  signal: AbortSignal,
): Promise<SocketLike> {
  return new Promise((resolve, reject) => {
    let dialled: SocketLike | undefined;
    let isOver = false;
    const end = () => {
      isOver = true;
      cancel();
      signal.removeEventListener('abort', giveUp);
    };
    const giveUp = (error?: unknown) => {
      if (isOver) return;
      end();
      if (dialled !== undefined) dismiss(dialled);
      reject(error);
    };
    const cancel = clock.after(LIMIT_MS, () => giveUp(tooSlow()));
    signal.addEventListener('abort', giveUp);

    const dial = async () => {
      const made = await connect();
      if (typeof made?.send !== 'function') throw noSocket();
      if (isOver) return dismiss(made);
      dialled = made;
      await opened(made);
      if (isOver) return;
      end();
      resolve(made);
    };
    dial().catch(giveUp);
  });
}

function tooSlow(): AgentChatError {
  return new AgentChatError({
    code: 'connection_failed',
    message: `The connection did not open within ${LIMIT_MS / 1000} s. Check the network and the address, then retry.`,
    retryable: true,
  });
}

function noSocket(): AgentChatError {
  const message =
    '`connect` must return a socket; it returned something without send() (a missing `return`?).';
  return new AgentChatError({ code: 'connection_failed', message });
}
