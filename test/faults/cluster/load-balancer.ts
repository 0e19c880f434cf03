import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from '../../integration/listen.ts';

/** Sends each request to the next process that is up. */
export interface LoadBalancer extends Listening {
  /** The process that sent something last. */
  lastSender(): Upstream | undefined;
}

/** A process that takes requests. */
export interface Upstream {
  readonly port: number;
  readonly isUp: boolean;
}

export async function startLoadBalancer(upstreams: readonly Upstream[]): Promise<LoadBalancer> {
  let turn = 0;
  let lastSender: Upstream | undefined;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    for (let attempt = 0; attempt < upstreams.length; attempt += 1) {
      const upstream = upstreams[turn++ % upstreams.length];
      if (!upstream?.isUp) continue;
      const response = await send(upstream, incoming, body, outgoing).catch(() => undefined);
      if (response === undefined) continue;
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.on('data', () => {
        lastSender = upstream;
      });
      // The connection of a process that died ends here, too.
      response.on('error', () => outgoing.destroy());
      response.pipe(outgoing);
      return;
    }
    outgoing.writeHead(503).end();
  }
  const server = await listen(
    (incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()),
  );
  return { ...server, lastSender: () => lastSender };
}

function send(
  { port }: Upstream,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, resolve);
    sent.on('error', reject);
    outgoing.on('close', () => sent.destroy());
    sent.end(body);
  });
}
