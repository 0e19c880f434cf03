/** HTTP routes beside the threads (Standard Agents specification 0.15, `Controller`). This runtime mounts none: your server does. */

/** A controller gets this of a request. */
export interface ControllerContext {
  readonly req: Request;
  /** The dynamic parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** What the server hands to its controllers, such as database connections. */
  readonly env: Readonly<Record<string, unknown>>;
  readonly url: URL;
}

type Answer = Response | string | object | null | undefined;

/** A value that is no `Response` is for the server to send: a text as it is, anything else as JSON. */
export type ControllerReturn = Answer | Promise<Answer>;

/** Handles a request that belongs to no thread. */
export type Controller = (context: ControllerContext) => ControllerReturn;

/**
 * Returns the controller, with its context typed.
 *
 * @throws TypeError if it is not a function.
 */
export function defineController(controller: Controller): Controller {
  if (typeof controller === 'function') return controller;
  throw new TypeError('defineController needs a function ({ req, params, env, url }) => Response');
}
