import type { Clock } from '../../shared/clock.ts';
import type { ClientTools } from '../tools/client-tool.ts';
import type { InboxRoute } from './inbox-requests.ts';

/** Options of `createInbox`. */
export interface InboxOptions extends InboxRoute {
  /** True if the list follows the server. False: it is read once, and at `refresh`. Default true. */
  readonly live?: boolean | undefined;
  /**
   * The tools of the app, as the chat has them. Calls of the interactive ones are asked about as they are declared. Calls of any other
   * tool are left to the page of their conversation, unless the server says how to ask. Default: none.
   */
  readonly clientTools?: ClientTools | undefined;
  readonly clock?: Clock | undefined;
  /** Returns a number from 0 to 1, for the jitter of reconnects. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}
