/** `reconnecting`: the connection was lost and another attempt is under way or scheduled. */
export type ConnectionState = 'disconnected' | 'connecting' | 'connected' | 'reconnecting' | 'error';

/** What a connection listener is told. `error` is set in state `error`, and in `reconnecting` when its cause is known. */
export interface ConnectionStatus {
  readonly state: ConnectionState;
  readonly error?: Error | undefined;
}
