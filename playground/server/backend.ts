import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentMessage } from 'handrail/server';
import type { WebSocket } from 'ws';

/** What the page is told about a backend. */
export interface BackendInfo {
  readonly id: string;
  readonly label: string;
  /** One sentence for people. */
  readonly description: string;
  /** Ways to talk to it. */
  readonly carriers: readonly ('sse' | 'socket')[];
  /** Whether a message may have files; the addresses of this machine are of no use elsewhere. Default `false`. */
  readonly takesFiles?: boolean;
}

/** Something the playground can talk to: by requests, and by socket where it says so. */
export interface Backend {
  readonly info: BackendInfo;
  handle(request: IncomingMessage, response: ServerResponse, session: string): Promise<void>;
  serve?(socket: WebSocket, session: string): void;
  /** What the agent has seen of a conversation, where this server keeps it. */
  readHistory?(session: string): Promise<readonly AgentMessage[]>;
  close?(): Promise<void>;
}
