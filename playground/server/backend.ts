import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentMessage } from 'handrail/server';
import type { WebSocket } from 'ws';

/** The description of a backend for the page. */
export interface BackendInfo {
  readonly id: string;
  readonly label: string;
  /** One sentence for people. */
  readonly description: string;
  /** The transports it supports. */
  readonly carriers: readonly ('sse' | 'socket')[];
  /** True if a message may have files; a backend elsewhere cannot load URLs of this machine. Default `false`. */
  readonly takesFiles?: boolean;
  /** Tools about which the backend asks by itself, in the way of its protocol. The page does not declare them. Default: none. */
  readonly asksAbout?: readonly string[];
  /** True for `handrail/server`: it knows who may answer, has an inbox, and opens conversations on further devices. Default `false`. */
  readonly isOwnServer?: boolean;
  /** True if the page can show the nodes that serve the backend, and kill them. Default `false`. */
  readonly showsNodes?: boolean;
  /** What this machine lacks for the backend, and how to install it. Undefined if the backend can be used. */
  readonly missing?: string | undefined;
}

/** A backend of the playground: reached by HTTP requests, and by socket if its `transports` say so. */
export interface Backend {
  readonly info: BackendInfo;
  handle(request: IncomingMessage, response: ServerResponse, session: string): Promise<void>;
  /** @param url the path and the query of the socket's address */
  serve?(socket: WebSocket, session: string, url: string): void;
  /** The history of a conversation as the agent sees it, if this server stores it. */
  readHistory?(session: string): Promise<readonly AgentMessage[]>;
  /** The open questions of the person who sends the request, over all conversations. */
  handleInbox?(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** True if the agent works for this conversation, in this process. */
  isRunning?(session: string): boolean;
  /** Goes on with the conversations of processes that died, where processes share conversations. */
  recover?(): Promise<void>;
  close?(): Promise<void>;
}
