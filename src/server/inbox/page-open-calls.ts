import type { OpenCall, OpenCallList } from '../../core/protocol/open-calls.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { parseJson } from '../../shared/json.ts';
import { DEFAULT_LIMIT } from '../store/list-open-calls.ts';
import type { InboxQuery } from './inbox-source.ts';

/** The place of a call in the list: by the time of its question, then by its ids. */
type Position = readonly [askedAt: number, sessionId: string, executionId: string, toolCallId: string];

/**
 * Returns a page of a list in memory: its open calls, the oldest first.
 *
 * @throws AgentChatError `invalid_options` when `after` is not the `next` of such a list.
 */
export function pageOpenCalls(
  calls: readonly OpenCall[],
  { limit = DEFAULT_LIMIT, after }: Pick<InboxQuery, 'limit' | 'after'>,
): OpenCallList {
  const from = after === undefined ? undefined : decodePosition(after);
  const later = calls
    .filter((call) => from === undefined || comparePositions(toPosition(call), from) > 0)
    .sort(compareOpenCalls);
  const page = later.slice(0, limit);
  const last = page.at(-1);
  if (last === undefined || later.length === page.length) return { calls: page };
  return { calls: page, next: JSON.stringify(toPosition(last)) };
}

/** Compares calls by their place in a list: the one that was asked first comes first. */
export function compareOpenCalls(one: OpenCall, other: OpenCall): number {
  return comparePositions(toPosition(one), toPosition(other));
}

function toPosition({ askedAt, sessionId, executionId, call }: OpenCall): Position {
  return [askedAt, sessionId, executionId, call.toolCallId];
}

function comparePositions(one: Position, other: Position): number {
  const index = one.findIndex((value, place) => value !== other[place]);
  if (index === -1) return 0;
  return (one[index] as Position[0]) < (other[index] as Position[0]) ? -1 : 1;
}

function decodePosition(after: string): Position {
  const value = parseJson(after);
  const [askedAt, ...ids] = Array.isArray(value) ? value : [];
  if (typeof askedAt === 'number' && ids.length === 3 && ids.every((id) => typeof id === 'string')) {
    return value as unknown as Position;
  }
  throw invalidOptions(`after must be the 'next' of an earlier list, not '${after.slice(0, 80)}'.`);
}
