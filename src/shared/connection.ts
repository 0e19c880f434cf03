/** `reconnecting`: the connection was lost and another attempt is under way or scheduled. */
export type ConnectionState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'error';

/** The status that a connection listener gets. `error` is set in state `error`, and in `reconnecting` when its cause is known. */
export interface ConnectionStatus {
  readonly state: ConnectionState;
  readonly error?: Error | undefined;
}
