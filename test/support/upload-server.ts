/** A server for uploads. It records the files that it gets, and can refuse, hold or drop a request. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestUploadUrls } from '../../src/core.ts';
import { createDeferred, type Deferred } from './deferred.ts';

export interface UploadServer {
  readonly url: string;
  readonly received: {
    readonly path: string;
    readonly method: string;
    readonly contentType: string | undefined;
    readonly body: string;
  }[];
  /** Calls of `requestUploadUrls`, one list of files each. */
  readonly asked: unknown[];
  readonly requestUploadUrls: RequestUploadUrls;
  /** The fault for a file of that name. */
  readonly behaviour: Map<string, 'hold' | 'drop' | number>;
  /** Resolves once a request for that name has begun. */
  begun(name: string): Promise<void>;
  /** Resolves once the client has given up a request for that name. */
  gone(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function createUploadServer(): Promise<UploadServer> {
  const received: UploadServer['received'] = [];
  const asked: unknown[] = [];
  const behaviour: UploadServer['behaviour'] = new Map();
  const moments = new Map<string, Deferred<void>>();
  const moment = (name: string) => {
    const known = moments.get(name) ?? createDeferred();
    moments.set(name, known);
    return known;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', 'PUT');
    response.setHeader('Access-Control-Allow-Headers', 'Content-Type');
    if (request.method === 'OPTIONS') return void response.end();
    const path = request.url ?? '';
    const name = path.slice(path.lastIndexOf('/') + 1);
    moment(`begun ${name}`).resolve();
    const what = behaviour.get(name);
    if (what === 'drop') return void request.socket.destroy();
    response.on('close', () => {
      if (!response.writableFinished) moment(`gone ${name}`).resolve();
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    if (what === 'hold') return;
    received.push({
      path,
      method: request.method ?? '',
      contentType: request.headers['content-type'],
      body: Buffer.concat(chunks).toString(),
    });
    response.statusCode = what ?? 200;
    response.end();
  };

  const server: Server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    asked,
    behaviour,
    begun: (name) => moment(`begun ${name}`).promise,
    gone: (name) => moment(`gone ${name}`).promise,
    async requestUploadUrls(files) {
      asked.push(files);
      return {
        files: files.map(({ filename }, index) => ({
          id: `id-${asked.length}-${index}`,
          uploadUrl: `${url}/${asked.length}/${filename}`,
          downloadUrl: `https://files.example/${asked.length}/${filename}`,
        })),
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
