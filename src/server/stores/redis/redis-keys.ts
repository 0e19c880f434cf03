import { toKeyText } from '../../store/key-text.ts';

/** The keys and channels of a store. */

export interface SessionKeys {
  /**
   * Hash with the fields `revision`, `save` (the id of the last save), `execution` (its id), `waiting` (JSON for the list of open calls),
   * `fence`, and one for each part of the record, see `record-parts.ts`. Version 0.1 stored the record whole, in the field `record`.
   */
  readonly session: string;
  /** Stream with the events of the current execution. The id of an entry is `<seq>-0`. */
  readonly events: string;
  /** String `<token> <node>` that expires with the lease. */
  readonly lease: string;
  /** List of requests that wait for the owner. */
  readonly mailbox: string;
}

export interface RedisKeys {
  of(sessionId: string): SessionKeys;
  /** Sorted set of the sessions that wait for people, by the time at which they asked. */
  readonly waiting: string;
  /** Sorted set of the sessions with a deadline, by that deadline. */
  readonly deadlines: string;
  /** Set of the sessions whose record says that a run is under way. */
  readonly running: string;
  /** Hash of the remembered choices of a person, by the names of tools. */
  choices(principalId: string): string;
  /** Counter. Each lease has a token of its own. */
  readonly tokens: string;
  /** Stream with the events of a request that another process handles. */
  reply(requestId: string): string;
  /** Channel on which the id of each session is published that was saved. */
  readonly saved: string;
  /** Channel of one process: ids of sessions whose mailbox it should look into, and of requests whose reply has more. */
  node(node: string): string;
}

export function createRedisKeys(prefix: string): RedisKeys {
  return {
    of(sessionId) {
      const id = toKeyText(sessionId);
      return {
        session: `${prefix}session:${id}`,
        events: `${prefix}events:${id}`,
        lease: `${prefix}lease:${id}`,
        mailbox: `${prefix}mailbox:${id}`,
      };
    },
    waiting: `${prefix}waiting`,
    deadlines: `${prefix}deadlines`,
    running: `${prefix}running`,
    choices: (principalId) => `${prefix}choices:${toKeyText(principalId)}`,
    tokens: `${prefix}tokens`,
    reply: (requestId) => `${prefix}reply:${requestId}`,
    saved: `${prefix}saved`,
    node: (node) => `${prefix}node:${node}`,
  };
}
