import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';

/** What the page is told about a backend. */
export interface BackendInfo {
  readonly id: string;
  readonly label: string;
  /** One sentence for people. */
  readonly description: string;
}

/** Something the playground can talk to, by requests and by socket. */
export interface Backend {
  readonly info: BackendInfo;
  handle(request: IncomingMessage, response: ServerResponse, session: string): Promise<void>;
  serve(socket: WebSocket, session: string): void;
  close?(): Promise<void>;
}
