/**
 * A stand-in for the Mantyx platform: runs and sessions over real HTTP, by the agent-runs and wire protocols 0.11. If the
 * two disagree, an option chooses one.
 *
 * It plays a script and records the history that the model would have seen: every message, every call, and every answer
 * it accepted. It also records every request with the status of its response.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../src/shared/clock.ts';
import { listen } from '../integration/listen.ts';
import { asJson, createMantyxApi, findRoute, type MantyxRoute, type Reply } from './mantyx-platform-api.ts';
import type { Json } from './mantyx-platform-rules.ts';
import type { MantyxAnswer, MantyxLine, MantyxRun, MantyxScript } from './mantyx-platform-script.ts';
import { type Cut, createMantyxStreams, type Envelope } from './mantyx-platform-stream.ts';
import type { RunVariants } from './mantyx-platform-variants.ts';

export interface MantyxPlatformOptions extends Partial<RunVariants> {
  /** Default: a script with a greeting. */
  readonly script?: MantyxScript;
  /** Default `acme`. */
  readonly workspace?: string;
  /** Default `nested`. */
  readonly envelope?: Envelope;
  /** True if frames have an `event:` line, which middleware may strip. Default true. */
  readonly eventLine?: boolean;
  /** Default 202. */
  readonly createStatus?: 201 | 202;
  /** Default 204. */
  readonly postStatus?: 200 | 204;
  /** The status of a result after the end of the run. Default 409. */
  readonly overStatus?: 404 | 409;
}

export interface MantyxRequest {
  readonly route: MantyxRoute;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
  /** Undefined before the response, and for a lost one. */
  status: number | undefined;
}

/** The fault of the next request of a route. `request`: the request never arrives. `response`: the response is lost. */
export type MantyxFault =
  | { readonly status: number; readonly body?: Json; readonly headers?: Readonly<Record<string, string>> }
  | { readonly lose: 'request' | 'response' };

export interface MantyxPlatform {
  /** Without `/api/v1/...`. */
  readonly baseUrl: string;
  readonly workspace: string;
  readonly requests: readonly MantyxRequest[];
  readonly runs: readonly MantyxRun[];
  /** The run of that id, or the latest one. Throws if there is none. */
  run(id?: string): MantyxRun;
  /** The histories of all runs. */
  readonly transcript: readonly MantyxLine[];
  /** The problems of requests that were refused with 400. */
  readonly refusals: readonly string[];
  /** Another client answers an open call of the latest run. */
  answerElsewhere(toolUseId: string, answer: MantyxAnswer): void;
  /** Cuts a stream after this many more frames, counted over all streams. */
  cutAfter(frames: number, how: Cut): void;
  /** Each fault applies to one request; several faults of a route apply in order. */
  failNext(route: MantyxRoute, fault: MantyxFault): void;
  close(): Promise<void>;
}

/** The API key that requests must have. */
export const MANTYX_KEY = 'mantyx_key_of_the_stand_in';

export async function startMantyxPlatform(options: MantyxPlatformOptions = {}): Promise<MantyxPlatform> {
  const { workspace = 'acme' } = options;
  const variants: RunVariants = {
    clock: options.clock ?? systemClock,
    localTimeout: options.localTimeout ?? { afterMs: 300_000, outcome: 'continue' },
    usage: options.usage ?? true,
    resultShape: options.resultShape ?? 'ok',
    toolResultShape: options.toolResultShape ?? 'result',
    resultInShape: options.resultInShape ?? 'output',
  };
  const streams = createMantyxStreams(options.envelope ?? 'nested', options.eventLine ?? true);
  const root = `/api/v1/workspaces/${workspace}/`;
  const requests: MantyxRequest[] = [];
  const api = createMantyxApi({
    script: options.script ?? (() => ['Hello!']),
    variants,
    streams,
    root,
    createStatus: options.createStatus ?? 202,
    postStatus: options.postStatus ?? 204,
    overStatus: options.overStatus ?? 409,
  });
  const { runs, transcript, refusals } = api;
  let faults: { readonly route: MantyxRoute; readonly fault: MantyxFault }[] = [];

  const respond = (request: MantyxRequest, response: ServerResponse): Reply | 'streaming' => {
    const { authorization = '', 'x-api-key': apiKey } = request.headers;
    if (authorization !== `Bearer ${MANTYX_KEY}` && apiKey !== MANTYX_KEY)
      return { status: 401, body: { error: 'unauthorized' } };
    const url = new URL(request.path, 'http://localhost');
    if (!url.pathname.startsWith(root))
      return { status: 404, body: { error: 'not_found', hint: 'No such workspace for this key.' } };
    const id = url.pathname.slice(root.length).split('/')[1];
    const reply = api.answer(request.route, id, request.body);
    if (!('stream' in reply)) return reply;
    const seq = url.searchParams.get('lastSeq') ?? request.headers['last-event-id'] ?? 0;
    request.status = 200;
    streams.serve(reply.stream, Number(seq), response);
    return 'streaming';
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url ?? '/';
    const method = incoming.method ?? 'GET';
    const text = await readBody(incoming);
    const body = asJson(text === '' ? {} : JSON.parse(text));
    const route = findRoute(method, path);
    const request: MantyxRequest = {
      route,
      method,
      path,
      headers: incoming.headers,
      body,
      status: undefined,
    };
    requests.push(request);
    const fault = faults.find((candidate) => candidate.route === route);
    faults = faults.filter((candidate) => candidate !== fault);
    const loss = fault !== undefined && 'lose' in fault.fault ? fault.fault.lose : undefined;
    if (loss === 'request') return void response.destroy();
    const reply: Reply | 'streaming' =
      fault !== undefined && 'status' in fault.fault ? fault.fault : respond(request, response);
    if (loss === 'response') return void response.destroy();
    if (reply === 'streaming') return;
    request.status = reply.status;
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
  };

  const server = await listen((request, response) => void handle(request, response));

  const platform: MantyxPlatform = {
    baseUrl: `http://127.0.0.1:${server.port}`,
    workspace,
    requests,
    runs,
    transcript,
    refusals,
    run(id) {
      const run = id === undefined ? runs.at(-1) : runs.find((candidate) => candidate.id === id);
      if (run === undefined) throw new Error(`There is no run ${id ?? 'yet'}`);
      return run;
    },
    answerElsewhere(toolUseId, answer) {
      const taken = platform.run().answer(toolUseId, answer);
      if (taken !== 'taken') throw new Error(`${toolUseId} is not open: ${taken}`);
    },
    cutAfter: streams.cutAfter,
    failNext(route, fault) {
      faults = [...faults, { route, fault }];
    },
    close: server.close,
  };
  return platform;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
