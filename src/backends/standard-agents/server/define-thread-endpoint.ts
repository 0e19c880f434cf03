/** Endpoints of a thread (Standard Agents specification 0.1.0, "Thread Endpoints"). */
import type { ThreadState } from './thread-state.ts';

/** The dynamic parts of a matched path: `params.id` for `[id]`, `params['*']` for the rest that `[*]` matched. */
export type ThreadEndpointParams = Readonly<Record<string, string>>;

/** Handles a request to a thread. The runtime has looked up the thread; `state.execution` is null. */
export type ThreadEndpointHandler<State = ThreadState> = (
  request: Request,
  state: State,
  params: ThreadEndpointParams,
) => Response | Promise<Response>;

/** Handlers by file name: `{ 'status.ts': handler, 'client-tools/[id].post.ts': handler }`. */
export type ThreadEndpoints<State = ThreadState> = Readonly<Record<string, ThreadEndpointHandler<State>>>;

/** Marks handlers of `defineThreadEndpoint`. Registered, so that the copies of this package in one program know each other's handlers. */
export const THREAD_ENDPOINT_SYMBOL: unique symbol = Symbol.for('standardagents.thread-endpoint');

/**
 * Returns the handler, with its parameters typed and with a mark. A request to `{prefix}/{threadId}/{path}` reaches it.
 *
 * @throws TypeError if the handler is not a function.
 */
export function defineThreadEndpoint<State = ThreadState>(
  handler: ThreadEndpointHandler<State>,
): ThreadEndpointHandler<State> {
  if (typeof handler !== 'function') {
    throw new TypeError('defineThreadEndpoint needs a function (request, state, params) => Response');
  }
  Object.defineProperty(handler, THREAD_ENDPOINT_SYMBOL, { value: true, configurable: true });
  return handler;
}

/** Returns true for a handler of `defineThreadEndpoint`: a loader of files tells it from a controller by that. */
export function isThreadEndpoint(value: unknown): value is ThreadEndpointHandler {
  return typeof value === 'function' && Object.hasOwn(value, THREAD_ENDPOINT_SYMBOL);
}
