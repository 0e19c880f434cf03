/** The routes of the stand-in for the Mantyx platform: runs, sessions and refusals (agent-runs protocol, sections 3 to 10). */

import {
  findResultProblem,
  findSpecProblem,
  isJson,
  type Json,
  type SpecUse,
} from './mantyx-platform-rules.ts';
import { createRun } from './mantyx-platform-run.ts';
import type { MantyxLine, MantyxRun, MantyxScript } from './mantyx-platform-script.ts';
import type { MantyxStreams } from './mantyx-platform-stream.ts';
import type { RunVariants } from './mantyx-platform-variants.ts';

/** The route of a request. */
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

export interface ApiInit {
  readonly script: MantyxScript;
  readonly variants: RunVariants;
  readonly streams: MantyxStreams;
  /** The path before `agent-runs`. */
  readonly root: string;
  readonly createStatus: 201 | 202;
  readonly postStatus: 200 | 204;
  readonly overStatus: 404 | 409;
}

export interface MantyxApi {
  readonly runs: readonly MantyxRun[];
  readonly transcript: readonly MantyxLine[];
  readonly refusals: readonly string[];
  /** The reply for a run or session of that id. The caller serves the `stream` of a run itself. */
  answer(route: MantyxRoute, id: string | undefined, body: Json): Reply | { readonly stream: MantyxRun };
}

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

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function createMantyxApi(init: ApiInit): MantyxApi {
  const { script, variants, streams, root, createStatus, postStatus, overStatus } = init;
  const runs: MantyxRun[] = [];
  const sessions = new Map<string, Session>();
  const transcript: MantyxLine[] = [];
  const refusals: string[] = [];
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
      variants,
    );
    runs.push(run);
    return { status: createStatus, body: { runId: run.id, streamUrl: `${root}agent-runs/${run.id}/stream` } };
  };

  const createOneShot = (body: Json): Reply => refuse(body, 'run') ?? start(body, readText(body));
  const createSession = (body: Json): Reply => {
    const refusal = refuse(body, 'session');
    if (refusal !== undefined) return refusal;
    const id = `ses_${sessions.size + 1}`;
    const createdAt = new Date(variants.clock.now()).toISOString();
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
    if (taken === 'over' && overStatus === 404) return unknown;
    if (taken === 'over') return { status: 409, body: { error: 'run_terminal' } };
    return postStatus === 204 ? { status: 204 } : { status: 200, body: { ok: true } };
  };

  const answerOfSession = (route: MantyxRoute, session: Session, body: Json): Reply | undefined => {
    if (route === 'session') return { status: 200, body: describeSession(session) };
    if (route === 'message') return say(session, body);
    return route === 'end-session' ? endSession(session) : undefined;
  };
  const answerOfRun = (route: MantyxRoute, run: MantyxRun, body: Json) => {
    if (route === 'snapshot') return { status: 200, body: run.snapshot() };
    if (route === 'results') return takeResult(run, body);
    if (route === 'stream') return { stream: run };
    if (route !== 'cancel') return undefined;
    run.cancel();
    return { status: 200, body: { ok: true } };
  };

  return {
    runs,
    transcript,
    refusals,
    answer(route, id, body) {
      if (route === 'models') return { status: 200, body: MODELS };
      if (route === 'create') return createOneShot(body);
      if (route === 'create-session') return createSession(body);
      const run = runs.find((candidate) => candidate.id === id);
      const session = sessions.get(id ?? '');
      const answer =
        (run && answerOfRun(route, run, body)) ?? (session && answerOfSession(route, session, body));
      return (
        answer ?? { status: 404, body: { error: 'not_found', hint: 'There is no such run or session.' } }
      );
    },
  };
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

export function findRoute(method: string, path: string): MantyxRoute {
  const [, rest = ''] = /^\/api\/v1\/workspaces\/[^/]+\/([^?]*)/.exec(path) ?? [];
  return ROUTES.find(([allowed, pattern]) => allowed === method && pattern.test(rest))?.[2] ?? 'none';
}

function readText({ prompt, messages }: Json): string {
  if (typeof prompt === 'string') return prompt;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isJson(last) ? String(last.content) : '';
}

export function asJson(value: unknown): Json {
  return isJson(value) ? value : {};
}
