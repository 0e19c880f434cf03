/** The connection of the transport in use. */
import { AgentChatError } from '../shared/errors.ts';
import { callSafely } from '../shared/report-thrown.ts';
import type { AgentTransport, Connection, ConnectionStatus } from './agent-transport.ts';

export interface SharedConnection {
  readonly connection: Connection;
  /** Another transport is in use now. */
  announce(): void;
}

/** A transport without a connection (plain requests) counts as connected. */
const ALWAYS_THERE: ConnectionStatus = /* @__PURE__ */ Object.freeze({ state: 'connected' });

/** Returns undefined if none of the transports has a connection. */
export function createSharedConnection(
  transports: readonly AgentTransport[],
  active: () => AgentTransport,
  use: (transport: AgentTransport) => void,
): SharedConnection | undefined {
  if (transports.every(({ connection }) => connection === undefined)) return undefined;
  const listeners = new Set<(status: ConnectionStatus) => void>();
  const getStatus = () => active().connection?.getStatus() ?? ALWAYS_THERE;
  let unsubscribe = () => {};

  /** Subscribing calls back at once, which notifies the listeners. */
  const announce = () => {
    unsubscribe();
    unsubscribe = () => {};
    if (listeners.size === 0) return;
    const tell = (status: ConnectionStatus) => {
      for (const listener of [...listeners]) callSafely(() => listener(status));
    };
    const { connection } = active();
    if (connection === undefined) tell(ALWAYS_THERE);
    else unsubscribe = connection.subscribe(tell);
  };

  const connect = async () => {
    let failure: unknown;
    for (const transport of transports) {
      try {
        await transport.connection?.connect();
        return use(transport);
      } catch (thrown) {
        failure = thrown;
      }
    }
    throw AgentChatError.isInstance(failure)
      ? failure
      : new AgentChatError({
          code: 'connection_failed',
          message: 'Connection failed',
          retryable: true,
          cause: failure,
        });
  };

  return {
    announce,
    connection: {
      getStatus,
      connect,
      disconnect() {
        for (const { connection } of transports) connection?.disconnect();
      },
      subscribe(listener) {
        if (listeners.size > 0) callSafely(() => listener(getStatus()));
        listeners.add(listener);
        if (listeners.size === 1) announce();
        return () => {
          listeners.delete(listener);
          if (listeners.size === 0) announce();
        };
      },
    },
  };
}
