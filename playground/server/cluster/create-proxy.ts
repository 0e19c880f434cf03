/** Sends each request to the next node, as a load balancer does that knows nothing of sessions. */
import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { sendJson } from '../send-json.ts';

export interface Proxy {
  /** @param request below `/api`, without the prefix */
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** @param listPorts returns the ports of the nodes that listen now */
export function createProxy(listPorts: () => readonly number[]): Proxy {
  let turn = 0;
  function nextPort(): number | undefined {
    const ports = listPorts();
    turn += 1;
    return ports[turn % ports.length];
  }
  return {
    handle(request, response) {
      const port = nextPort();
      if (port === undefined) return sendJson(response, 503, { error: 'No node is up. Wait a moment.' });
      const { method, headers, url = '/' } = request;
      const sent = send({ host: '127.0.0.1', port, method, path: `/api${url}`, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        // A node that dies in the middle must not look like the end of the response.
        answer.once('error', () => response.destroy());
      });
      sent.once('error', () => response.destroy());
      response.once('close', () => sent.destroy());
      request.pipe(sent);
    },
    upgrade(request, socket, head) {
      const port = nextPort();
      if (port === undefined) return void socket.destroy();
      const node = connect(port, '127.0.0.1', () => {
        node.write(`${toHead(request)}\r\n`);
        node.write(head);
        node.pipe(socket).pipe(node);
      });
      node.once('error', () => socket.destroy()).once('close', () => socket.destroy());
      socket.once('error', () => node.destroy()).once('close', () => node.destroy());
    },
  };
}

/** The head of a request as it came. */
function toHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2)
    head += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`;
  return head;
}
