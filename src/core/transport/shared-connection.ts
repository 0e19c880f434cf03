import { AgentChatError } from '../../shared/errors.ts';
import { callSafely } from '../../shared/report-thrown.ts';
import type { AgentTransport, Connection, ConnectionStatus } from './agent-transport.ts';

/** The status of a transport without a connection of its own (requests): it can be used at any time. */
const ALWAYS_CONNECTED: ConnectionStatus = /* @__PURE__ */ Object.freeze({ state: 'connected' });

/** The transports of a fallback, and the one in use. */
export interface TransportChoice {
  readonly transports: readonly AgentTransport[];
  getActive(): AgentTransport;
  use(transport: AgentTransport): void;
}

/** The connection of a fallback transport: that of the transport in use. */
export class SharedConnection implements Connection {
  readonly #choice: TransportChoice;
  readonly #listeners = new Set<(status: ConnectionStatus) => void>();
  #unsubscribe = () => {};

  constructor(choice: TransportChoice) {
    this.#choice = choice;
  }

  getStatus(): ConnectionStatus {
    return this.#choice.getActive().connection?.getStatus() ?? ALWAYS_CONNECTED;
  }

  subscribe(listener: (status: ConnectionStatus) => void): () => void {
    if (this.#listeners.size > 0) callSafely(() => listener(this.getStatus()));
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.follow();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.follow();
    };
  }

  /** Connects the first transport that can, and uses it. */
  async connect(): Promise<void> {
    let failure: unknown;
    for (const transport of this.#choice.transports) {
      try {
        await transport.connection?.connect();
        return this.#choice.use(transport);
      } catch (thrown) {
        failure = thrown;
      }
    }
    throw AgentChatError.isInstance(failure) ? failure : connectionFailed(failure);
  }

  disconnect(): void {
    for (const { connection } of this.#choice.transports) connection?.disconnect();
  }

  /** Follows the status of the transport in use, and notifies the listeners of it at once. */
  follow(): void {
    this.#unsubscribe();
    this.#unsubscribe = () => {};
    if (this.#listeners.size === 0) return;
    const notify = (status: ConnectionStatus) => {
      for (const listener of [...this.#listeners]) callSafely(() => listener(status));
    };
    const { connection } = this.#choice.getActive();
    if (connection === undefined) notify(ALWAYS_CONNECTED);
    else this.#unsubscribe = connection.subscribe(notify);
  }
}

function connectionFailed(cause: unknown): AgentChatError {
  return new AgentChatError({
    code: 'connection_failed',
    message: 'Connection failed',
    retryable: true,
    cause,
  });
}
