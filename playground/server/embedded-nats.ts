/**
 * A NATS server inside this process, for a machine that has only Node. It speaks as much of the client protocol, of JetStream and of its
 * API as `handrail/utp` and its tests use, and keeps everything in memory. Not for production: it has no users, no TLS, no limits.
 *
 * The protocol is that of https://docs.nats.io/reference/reference-protocols, the answers are those of nats-server 2.9.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Broker } from './embedded-nats/broker.ts';
import { type ServerInfo, serveClient } from './embedded-nats/client-connection.ts';
import { JetStream } from './embedded-nats/jetstream.ts';
import { serveJetStreamApi } from './embedded-nats/jetstream-api.ts';

export interface EmbeddedNats {
  /** `nats://127.0.0.1:<port>` */
  readonly url: string;
  /** Closes all connections. The messages are gone. */
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts a server on a free port of this machine. Resolves when it accepts connections. */
export async function startEmbeddedNats(): Promise<EmbeddedNats> {
  const broker = new Broker();
  const jetStream = new JetStream(broker);
  serveJetStreamApi(broker, jetStream);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveClient(socket, broker, createInfo(portOf(server)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, HOST, resolve);
  });
  return {
    url: `nats://${HOST}:${portOf(server)}`,
    async stop() {
      jetStream.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** The client asks for the features of this version. */
function createInfo(port: number): ServerInfo {
  return {
    server_id: 'EMBEDDED',
    server_name: 'embedded',
    version: '2.9.10',
    proto: 1,
    host: HOST,
    port,
    headers: true,
    jetstream: true,
    max_payload: 1024 * 1024,
  };
}
