/** Files of the page, in memory: `POST /files` returns a URL per file, which takes one `PUT` and then serves `GET`. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from './send-json.ts';

/** The composer shows the same limit, but only the server can enforce it. */
const MAX_BYTES = 10_000_000;
/** The oldest files are dropped first. */
const MOST_FILES = 100;

interface StoredFile {
  readonly filename: string;
  readonly mediaType: string;
  /** Undefined until the `PUT`. */
  readonly body: Buffer | undefined;
}

export interface FileStore {
  /** @param path the path after `/files` */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
}

export function createFileStore(): FileStore {
  const stored = new Map<string, StoredFile>();

  async function giveAddresses(request: IncomingMessage): Promise<unknown> {
    const wanted = readWanted(JSON.parse(String(await readBody(request))));
    const files = wanted.map((file) => {
      const id = randomUUID();
      stored.set(id, { ...file, body: undefined });
      return { id, uploadUrl: `/api/files/${id}`, downloadUrl: `/api/files/${id}` };
    });
    for (const id of [...stored.keys()].slice(0, -MOST_FILES)) stored.delete(id);
    return { files };
  }

  return {
    async handle(request, response, path) {
      const id = path.slice(1);
      const file = stored.get(id);
      if (Number(request.headers['content-length']) > MAX_BYTES) {
        return sendJson(response, 413, { error: `A file has at most ${MAX_BYTES} bytes.` });
      }
      try {
        if (request.method === 'POST' && id === '')
          return sendJson(response, 200, await giveAddresses(request));
        if (request.method === 'PUT' && file !== undefined && file.body === undefined) {
          stored.set(id, { ...file, body: await readBody(request) });
          return sendJson(response, 200, { stored: true });
        }
      } catch (thrown) {
        return sendJson(response, 400, { error: thrown instanceof Error ? thrown.message : String(thrown) });
      }
      if (request.method !== 'GET' || file?.body === undefined) {
        return sendJson(response, 404, { error: 'There is no such file here.' });
      }
      response.writeHead(200, {
        'content-type': file.mediaType,
        // Whatever its media type, the file must not run as a page of this server.
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
        'content-security-policy': 'sandbox',
        'x-content-type-options': 'nosniff',
      });
      response.end(file.body);
    },
  };
}

function readWanted(body: unknown): Omit<StoredFile, 'body'>[] {
  const files = (body as { files?: unknown } | null)?.files;
  if (!Array.isArray(files)) throw new TypeError('Send { files: [{ filename, mediaType }] }.');
  return files.slice(0, MOST_FILES).map((file: { filename?: unknown; mediaType?: unknown } | null) => ({
    filename: String(file?.filename ?? 'file'),
    mediaType: /^[\w.+-]+\/[\w.+-]+$/.exec(String(file?.mediaType))?.[0] ?? 'application/octet-stream',
  }));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new RangeError(`A file has at most ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
