/**
 * A stand-in for the Mantyx platform: runs and sessions over real HTTP, as the agent-runs and wire protocols 0.11 have
 * them. Where the two disagree an option says which one it follows.
 *
 * It plays a script and keeps account of what the model would have seen: what was asked, every call, and every answer
 * that was taken. Every request is kept too, with the status it was answered with.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../../src/shared/clock.ts';
import { listen } from '../integration/listen.ts';
import {
  findResultProblem,
  findSpecProblem,
  isJson,
  type Json,
  type SpecUse,
} from './mantyx-platform-rules.ts';
import { createRun, type MantyxRun, type RunHabits } from './mantyx-platform-run.ts';
import type { MantyxAnswer, MantyxLine, MantyxScript } from './mantyx-platform-script.ts';
import { type Cut, createMantyxStreams, type Envelope } from './mantyx-platform-stream.ts';

export interface MantyxPlatformOptions extends Partial<RunHabits> {
  /** Default: one that says hello. */
  readonly script?: MantyxScript;
  /** Default `acme`. */
  readonly workspace?: string;
  /** Default `nested`. */
  readonly envelope?: Envelope;
  /** Whether frames have an `event:` line, which middleware may strip. Default true. */
  readonly eventLine?: boolean;
  /** Default 202. */
  readonly createStatus?: 201 | 202;
  /** Default 204. */
  readonly postStatus?: 200 | 204;
  /** What a result gets once the run is over. Default 409. */
  readonly overStatus?: 404 | 409;
}

/** What a request was for. */
export type MantyxRoute =
  | 'models'
  | 'create'
  | 'snapshot'
  | 'stream'
  | 'results'
  | 'cancel'
  | 'create-session'
  | 'session'
  | 'message'
  | 'end-session'
  | 'none';

export interface MantyxRequest {
  readonly route: MantyxRoute;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
  /** Undefined while it is not answered, and when it was lost. */
  status: number | undefined;
}

/** What goes wrong with the next request of a route. `request`: it never arrives. `response`: nothing comes back. */
export type MantyxFault =
  | { readonly status: number; readonly body?: Json; readonly headers?: Readonly<Record<string, string>> }
  | { readonly lose: 'request' | 'response' };

export interface MantyxPlatform {
  /** Without `/api/v1/...`. */
  readonly baseUrl: string;
  readonly workspace: string;
  readonly requests: readonly MantyxRequest[];
  readonly runs: readonly MantyxRun[];
  /** The run of that id, or the latest. Throws when there is none. */
  run(id?: string): MantyxRun;
  /** What the models of all runs saw. */
  readonly transcript: readonly MantyxLine[];
  /** Why requests were refused with 400. */
  readonly refusals: readonly string[];
  /** Another client answers an open call of the latest run. */
  answerElsewhere(toolUseId: string, answer: MantyxAnswer): void;
  /** Breaks a stream after so many more frames, counted over all streams. */
  cutAfter(frames: number, how: Cut): void;
  /** Each fault is for one request; several for the same route are taken in order. */
  failNext(route: MantyxRoute, fault: MantyxFault): void;
  close(): Promise<void>;
}

/** Whoever shows this key may do everything. */
export const MANTYX_KEY = 'mantyx_key_of_the_stand_in';

const MODELS = {
  models: [
    {
      id: 'platform:demo',
      label: 'Demo',
      provider: 'anthropic',
      vendorModelId: 'claude-test',
      source: 'platform_offering',
      contextWindowTokens: 200_000,
      pricing: null,
    },
  ],
  defaultModelId: 'platform:demo',
};

interface Session {
  readonly id: string;
  readonly spec: Json;
  readonly createdAt: string;
  readonly messages: { role: string; content: string }[];
  status: 'active' | 'ended';
}

interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function startMantyxPlatform(options: MantyxPlatformOptions = {}): Promise<MantyxPlatform> {
  const { script = () => ['Hello!'], workspace = 'acme', createStatus = 202, postStatus = 204 } = options;
  const habits: RunHabits = {
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
  const runs: MantyxRun[] = [];
  const sessions = new Map<string, Session>();
  const transcript: MantyxLine[] = [];
  const refusals: string[] = [];
  let faults: { readonly route: MantyxRoute; readonly fault: MantyxFault }[] = [];
  let calls = 0;

  const invalid = (message: string): Reply => {
    refusals.push(message);
    return { status: 400, body: { error: 'invalid_request', message } };
  };
  const refuse = (body: Json, use: SpecUse): Reply | undefined => {
    const problem = findSpecProblem(body, use);
    if (problem !== undefined) return invalid(problem);
    const known = MODELS.models.flatMap(({ id, vendorModelId }) => [id, vendorModelId]);
    if (body.modelId === undefined || known.includes(String(body.modelId))) return undefined;
    const message = `Model '${String(body.modelId)}' is unknown.`;
    refusals.push(message);
    return { status: 400, body: { error: 'invalid_model', message, candidates: known } };
  };
  const start = (spec: Json, text: string, session?: Session): Reply => {
    const attempt = 1 + transcript.filter((line) => 'user' in line && line.user === text).length;
    const run = createRun(
      {
        id: `run_${runs.length + 1}`,
        spec,
        text,
        attempt,
        sessionId: session?.id,
        script,
        nextCallId: () => {
          calls += 1;
          return `tu_${calls}`;
        },
        cut: (cutRun, how) => streams.cutRun(cutRun, how),
        note: (line) => transcript.push(line),
        onEnd(ended) {
          if (ended.status !== 'succeeded') return;
          session?.messages.push({ role: 'user', content: text });
          session?.messages.push({ role: 'assistant', content: ended.finalText ?? '' });
        },
      },
      habits,
    );
    runs.push(run);
    return { status: createStatus, body: { runId: run.id, streamUrl: `${root}agent-runs/${run.id}/stream` } };
  };

  const createOneShot = (body: Json): Reply => refuse(body, 'run') ?? start(body, readText(body));
  const createSession = (body: Json): Reply => {
    const refusal = refuse(body, 'session');
    if (refusal !== undefined) return refusal;
    const id = `ses_${sessions.size + 1}`;
    const createdAt = new Date(habits.clock.now()).toISOString();
    sessions.set(id, { id, spec: body, createdAt, messages: [], status: 'active' });
    return { status: 201, body: { sessionId: id, name: body.name ?? 'ephemeral', createdAt } };
  };
  const say = (session: Session, body: Json): Reply => {
    if (session.status === 'ended')
      return { status: 404, body: { error: 'not_found', hint: 'It has ended.' } };
    const refusal = refuse(body, 'message');
    if (refusal !== undefined) return refusal;
    const metadata = { ...asJson(session.spec.metadata), ...asJson(body.metadata) };
    return start({ ...session.spec, ...body, metadata }, readText(body), session);
  };
  const describeSession = ({ id, spec, status, createdAt, messages }: Session): Json => ({
    id,
    name: spec.name ?? 'ephemeral',
    status,
    createdAt,
    agentSpec: spec,
    messages,
    metadata: spec.metadata ?? {},
  });
  const endSession = (session: Session): Reply => {
    session.status = 'ended';
    for (const run of runs) if (run.sessionId === session.id) run.cancel();
    return { status: 204 };
  };
  const takeResult = (run: MantyxRun, body: Json): Reply => {
    const problem = findResultProblem(body);
    if (problem !== undefined) return invalid(problem);
    const answer = body.error === undefined ? { result: String(body.result) } : { error: String(body.error) };
    const taken = run.answer(String(body.toolUseId), answer);
    const unknown = { status: 404, body: { error: 'unknown_tool_use' } };
    if (taken === 'unknown') return unknown;
    if (taken === 'over' && options.overStatus === 404) return unknown;
    if (taken === 'over') return { status: 409, body: { error: 'run_terminal' } };
    return postStatus === 204 ? { status: 204 } : { status: 200, body: { ok: true } };
  };

  const respond = (request: MantyxRequest, response: ServerResponse): Reply | 'streaming' => {
    const { authorization = '', 'x-api-key': apiKey } = request.headers;
    if (authorization !== `Bearer ${MANTYX_KEY}` && apiKey !== MANTYX_KEY)
      return { status: 401, body: { error: 'unauthorized' } };
    const url = new URL(request.path, 'http://localhost');
    if (!url.pathname.startsWith(root))
      return { status: 404, body: { error: 'not_found', hint: 'No such workspace for this key.' } };
    const { route, body } = request;
    const id = url.pathname.slice(root.length).split('/')[1];
    const run = runs.find((candidate) => candidate.id === id);
    const session = sessions.get(id ?? '');
    if (route === 'models') return { status: 200, body: MODELS };
    if (route === 'create') return createOneShot(body);
    if (route === 'create-session') return createSession(body);
    if (session !== undefined) {
      if (route === 'session') return { status: 200, body: describeSession(session) };
      if (route === 'message') return say(session, body);
      if (route === 'end-session') return endSession(session);
    }
    if (run !== undefined) {
      if (route === 'snapshot') return { status: 200, body: run.snapshot() };
      if (route === 'results') return takeResult(run, body);
      if (route === 'cancel') {
        run.cancel();
        return { status: 200, body: { ok: true } };
      }
      if (route === 'stream') {
        const seq = url.searchParams.get('lastSeq') ?? request.headers['last-event-id'] ?? 0;
        request.status = 200;
        streams.serve(run, Number(seq), response);
        return 'streaming';
      }
    }
    return { status: 404, body: { error: 'not_found', hint: 'There is no such run or session.' } };
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

/** The routes of the agent-runs protocol, sections 3, 5 and 6. */
const ROUTES: readonly (readonly [method: string, path: RegExp, route: MantyxRoute])[] = [
  ['GET', /^models$/, 'models'],
  ['POST', /^agent-runs$/, 'create'],
  ['GET', /^agent-runs\/[^/]+$/, 'snapshot'],
  ['GET', /^agent-runs\/[^/]+\/stream$/, 'stream'],
  ['POST', /^agent-runs\/[^/]+\/tool-results$/, 'results'],
  ['POST', /^agent-runs\/[^/]+\/cancel$/, 'cancel'],
  ['POST', /^agent-sessions$/, 'create-session'],
  ['GET', /^agent-sessions\/[^/]+$/, 'session'],
  ['POST', /^agent-sessions\/[^/]+\/messages$/, 'message'],
  ['DELETE', /^agent-sessions\/[^/]+$/, 'end-session'],
];

function findRoute(method: string, path: string): MantyxRoute {
  const [, rest = ''] = /^\/api\/v1\/workspaces\/[^/]+\/([^?]*)/.exec(path) ?? [];
  return ROUTES.find(([allowed, pattern]) => allowed === method && pattern.test(rest))?.[2] ?? 'none';
}

function readText({ prompt, messages }: Json): string {
  if (typeof prompt === 'string') return prompt;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isJson(last) ? String(last.content) : '';
}

function asJson(value: unknown): Json {
  return isJson(value) ? value : {};
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}
