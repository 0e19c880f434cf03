/** Our transports to a server of this machine, as an application creates them. */
import { WebSocket } from 'ws';
import { createHttpTransport } from '../../src/core/transport/create-http-transport.ts';
import { createSocketTransport } from '../../src/core/transport/create-socket-transport.ts';
import type { AgentTransport } from '../../src/core.ts';

export type Carrier = 'http' | 'ws';

/** The id of the session. */
export const SESSION = 'session-1';

/** Reconnects without a delay, because tests do not wait. */
export const reconnect = { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 5 };

/** @param onRequest called with every HTTP request */
export function connect(carrier: Carrier, port: number, onRequest?: () => void): AgentTransport {
  return carrier === 'http'
    ? createHttpTransport({
        url: `http://127.0.0.1:${port}/api/agent`,
        body: { sessionId: SESSION },
        fetch(...args) {
          onRequest?.();
          return fetch(...args);
        },
        reconnect,
      })
    : createSocketTransport({ connect: () => new WebSocket(`ws://127.0.0.1:${port}`), reconnect });
}
