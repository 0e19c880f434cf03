import type { IncomingMessage, Server } from 'node:http';
import { serveSocket } from 'handrail/server';
import { WebSocketServer } from 'ws';
import { findPerson } from './agent/people.ts';
import { openSession } from './agent/session.ts';

/** Serves conversations over sockets at /api/agent. The inbox stays on HTTP. */
export function serveSockets(server: Server): void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    // Vite takes its own socket by itself.
    if (request.headers['sec-websocket-protocol']?.startsWith('vite-')) return;
    const url = new URL(request.url ?? '/', 'http://localhost');
    const id = url.searchParams.get('session');
    if (url.pathname !== '/api/agent' || !id || isOfOtherSite(request)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      serveSocket(opened, openSession(id), { principal: findPerson(url), onError: console.error });
    });
  });
}

/** Browsers open sockets from pages of any site, with the cookies of this one. */
function isOfOtherSite({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host);
}
