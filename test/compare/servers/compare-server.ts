import type { ServerState } from './script.ts';

/** A server with the scripted agent, in the protocol of a library. */
export interface CompareServer {
  readonly state: ServerState;
  /** Loses what the process has in memory, and keeps what it has stored. */
  restart(): void | Promise<void>;
  handle(request: Request): Promise<Response>;
}
