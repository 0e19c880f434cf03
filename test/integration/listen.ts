/** Servers on a free port of this machine, whose connections can be cut. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface Listening {
  readonly port: number;
  /** Cuts every open connection without a closing handshake. */
  cut(): void;
  close(): Promise<void>;
}

export async function listen(
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
  onSocket?: (socket: WebSocket, request: IncomingMessage) => void,
): Promise<Listening> {
  const server = createServer(onRequest);
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  if (onSocket !== undefined) new WebSocketServer({ server }).on('connection', onSocket);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const connection of connections) connection.destroy();
  };
  return {
    port,
    cut,
    async close() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
