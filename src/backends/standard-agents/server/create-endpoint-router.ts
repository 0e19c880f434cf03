/**
 * Routes by file name (Standard Agents specification 0.1.0, "Thread Endpoints", section 2):
 * `foo.ts` is GET /foo, `bar.post.ts` is POST /bar, `dir/index.ts` is GET /dir, `[id]` is one segment, `[*]` is the rest.
 */
import { isRecord } from '../../../shared/json.ts';

/** A handler and the dynamic parts of the path that led to it. */
export interface EndpointMatch<Handler> {
  readonly handler: Handler;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the handler of a request, or undefined if no route matches, which must be answered with 404.
 *
 * @param path The path after the id of the thread, percent-encoded, without a slash at its start.
 */
export type EndpointRouter<Handler> = (method: string, path: string) => EndpointMatch<Handler> | undefined;

interface Route<Handler> {
  readonly method: string;
  readonly segments: readonly string[];
  /** One digit per segment. Of two routes that match a path, the one whose text sorts first is the more precise. */
  readonly rank: string;
  readonly handler: Handler;
}

const METHOD_SUFFIX = /\.(get|post|put|patch|delete)$/i;
const DYNAMIC = /^\[([^\]*]+)\]$/;
const CATCH_ALL = '[*]';

/**
 * Creates a router. Static segments beat dynamic ones, and dynamic ones beat a catch-all, in whatever set they are. If two sets define
 * the same route, the earlier set wins: give local endpoints before packed ones.
 *
 * @param sets Handlers by file name. The `.ts` is optional, as in the keys of packed endpoints (`status.get`).
 * @throws TypeError if a file name is no route, or one set defines a route twice.
 */
export function createEndpointRouter<Handler>(
  ...sets: readonly Readonly<Record<string, Handler>>[]
): EndpointRouter<Handler> {
  const routes = sets.flatMap(readRoutes).sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)));
  return (method, path) => {
    const segments = decodeSegments(path);
    if (segments === undefined) return undefined;
    for (const route of routes) {
      const params = route.method === method ? matchSegments(route.segments, segments) : undefined;
      if (params !== undefined) return { handler: route.handler, params };
    }
    return undefined;
  };
}

function readRoutes<Handler>(set: Readonly<Record<string, Handler>>): Route<Handler>[] {
  if (!isRecord(set)) throw new TypeError("Endpoints must be an object: { 'status.ts': handler }");
  const taken = new Map<string, string>();
  return Object.entries(set).map(([file, handler]) => {
    const route = { ...readFileName(file), handler };
    const key = `${route.method} /${route.segments.map((part) => part.replace(DYNAMIC, '[]')).join('/')}`;
    const other = taken.get(key);
    if (other !== undefined) throw new TypeError(`The endpoints ${other} and ${file} are both ${key}`);
    taken.set(key, file);
    return route;
  });
}

function readFileName(file: string): Omit<Route<unknown>, 'handler'> {
  const name = file.replace(/\.[cm]?[jt]s$/, '');
  const method = (METHOD_SUFFIX.exec(name)?.[1] ?? 'get').toUpperCase();
  const segments = name.replace(METHOD_SUFFIX, '').split('/');
  if (segments.at(-1) === 'index') segments.pop();
  const fault = segments.includes('')
    ? 'has an empty segment'
    : segments.slice(0, -1).includes(CATCH_ALL) && `has a segment after ${CATCH_ALL}`;
  if (fault) throw new TypeError(`The endpoint ${file} ${fault}`);
  return { method, segments, rank: segments.map(rankOf).join('') };
}

function rankOf(segment: string): string {
  if (segment === CATCH_ALL) return '2';
  return DYNAMIC.test(segment) ? '1' : '0';
}

/** Returns undefined for a path that is not percent-encoded, which no route can match. */
function decodeSegments(path: string): readonly string[] | undefined {
  try {
    return path === '' ? [] : path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    if (part === CATCH_ALL) return { ...params, '*': segments.slice(index).join('/') };
    const segment = segments[index];
    const name = DYNAMIC.exec(part)?.[1];
    // An empty segment (`/files/`) is no value for a parameter.
    if (segment === undefined || segment === '') return undefined;
    if (name !== undefined) params[name] = segment;
    else if (part !== segment) return undefined;
  }
  return segments.length === pattern.length ? params : undefined;
}
