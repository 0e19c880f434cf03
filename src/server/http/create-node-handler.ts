import { reportFailure } from '../report-failure.ts';
import { type AgentRequestOptions, type GetSession, handleAgentRequest } from './handle-agent-request.ts';
import { MAX_BODY_BYTES, readBody } from './read-body.ts';
import { longBody, refuseBody } from './read-json-request.ts';
import { refuse } from './refuse.ts';

/** The part of a request of `node:http`, Express or Connect that the handler uses. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as parsed by a middleware in front of the handler (`express.json()`, `text()`, `raw()`); the stream is empty then. */
  readonly body?: unknown;
}

/** The part of a response of `node:http`, Express or Connect that the handler uses. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  flushHeaders?(): void;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  /** Closes the connection, for a body that fails before its end. */
  destroy?(): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Options of {@link createNodeHandler}. */
export interface NodeHandlerOptions extends AgentRequestOptions {
  /**
   * Called with the error that `getSession`, the handler or the events threw, for your logs. The client only learns that the
   * server failed.
   */
  readonly onError?: (thrown: unknown) => unknown;
}

/** `handleAgentRequest` as a handler for `node:http`: `createServer(createNodeHandler(getSession))`. */
export function createNodeHandler(getSession: GetSession, options: NodeHandlerOptions = {}) {
  return toNodeHandler((request) => handleAgentRequest(request, getSession, options), options);
}

/**
 * Turns any handler of `Request` and `Response`, such as that of `createMantyxProxy`, into a handler for `node:http`. A client
 * that goes away aborts the request's signal and cancels the response's body. A handler that throws is answered with 500.
 */
export function toNodeHandler(
  handle: (request: Request) => Promise<Response>,
  { maxBodyBytes = MAX_BODY_BYTES, onError }: Pick<NodeHandlerOptions, 'maxBodyBytes' | 'onError'> = {},
) {
  async function respond(incoming: NodeRequest, signal: AbortSignal): Promise<Response> {
    let request: Request | null;
    try {
      request = await toRequest(incoming, maxBodyBytes, signal);
    } catch {
      // Node accepts requests that `Request` refuses (`GET //`, the method TRACE), and a client may leave in the middle of the body.
      return refuse(400, 'The request cannot be read.', 'invalid_request');
    }
    if (request === null) return refuseBody(longBody(maxBodyBytes));
    try {
      return await handle(request);
    } catch (thrown) {
      reportFailure(onError, thrown);
      return refuse(500, 'The server failed.', 'internal_error');
    }
  }

  return async (incoming: NodeRequest, outgoing: NodeResponse): Promise<void> => {
    const closed = new AbortController();
    outgoing.once('close', () => closed.abort());
    const response = await respond(incoming, closed.signal);
    if (closed.signal.aborted) return void response.body?.cancel().catch(() => {});
    await writeResponse(response, outgoing);
  };
}

async function toRequest(
  incoming: NodeRequest,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Request | null> {
  const sent = await readBody(incoming, maxBytes);
  if (sent === null) return null;
  const isParsed = sent.byteLength === 0 && incoming.body !== undefined;
  const bytes = isParsed ? toBytes(incoming.body) : sent;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined && !name.startsWith(':'))
      headers.set(name, typeof value === 'string' ? value : value.join(', '));
  }
  const method = incoming.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? null : (bytes as BodyInit);
  return new Request(new URL(incoming.url ?? '/', 'http://localhost'), { method, headers, body, signal });
}

function toBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** `set-cookie` is the one header whose lines may not be joined (RFC 9110, section 5.3), and an object keeps one value per name. */
function toNodeHeaders(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
}

/** Writes the response as fast as the client reads. A client that goes away cancels the body, which ends the run. */
async function writeResponse(response: Response, outgoing: NodeResponse): Promise<void> {
  outgoing.writeHead(response.status, toNodeHeaders(response.headers));
  outgoing.flushHeaders?.();
  const reader = response.body?.getReader();
  if (reader === undefined) {
    outgoing.end();
    return;
  }
  let wake = () => {};
  const onClose = () => {
    wake();
    void reader.cancel().catch(() => {});
  };
  outgoing.once('close', onClose);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (outgoing.write(value)) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        outgoing.once('drain', resolve);
      });
    }
  } catch {
    // The client must not take an incomplete body for a complete one.
    return void outgoing.destroy?.();
  }
  outgoing.off('close', onClose);
  outgoing.end();
}
