/** One list of open calls from several sources. */
import type { OpenCallList } from '../../core/protocol/open-calls.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { compact, isRecord, parseJson } from '../../shared/json.ts';
import type { InboxQuery, InboxSource } from './inbox-source.ts';
import { compareOpenCalls, DEFAULT_LIMIT } from './page-open-calls.ts';

/** The positions in the lists of the sources, by their prefix. A source whose list has ended is not in it. */
type Positions = Readonly<Record<string, string | null>>;

/**
 * Lists the open calls of all sources, the oldest first. Its `next` has the position of each source.
 *
 * A source can only say where a list of it ends. So where the calls of all do not fit, each source is asked again for as many as the page
 * has of it; the page is what these lists bring, so a call that is answered meanwhile moves no other one out of the pages.
 *
 * @throws AgentChatError `invalid_options` when `after` is not the `next` of such a list, and what a source throws.
 */
export async function listAll(sources: readonly InboxSource[], query: InboxQuery): Promise<OpenCallList> {
  const { principal, limit = DEFAULT_LIMIT, after } = query;
  const [only] = sources;
  if (only !== undefined && sources.length === 1) return only.list(query);
  const positions = after === undefined ? undefined : decodePositions(after);
  const isUnread = ({ prefix }: InboxSource) => positions === undefined || Object.hasOwn(positions, prefix);
  const startOf = ({ prefix }: InboxSource) => positions?.[prefix] ?? undefined;
  const read = (source: InboxSource, count: number) =>
    source.list({ principal, limit: count, ...compact({ after: startOf(source) }) });

  const unread = sources.filter(isUnread);
  const lists = await Promise.all(unread.map((source) => read(source, limit)));
  const first = new Set(
    lists
      .flatMap(({ calls }) => calls)
      .sort(compareOpenCalls)
      .slice(0, limit),
  );
  const parts = await Promise.all(
    lists.map(async (list, index) => {
      const source = unread[index] as InboxSource;
      const count = list.calls.filter((call) => first.has(call)).length;
      if (count === list.calls.length) return { source, list, next: list.next };
      if (count === 0) return { source, list: { calls: [] }, next: startOf(source) ?? null };
      const shorter = await read(source, count);
      return { source, list: shorter, next: shorter.next };
    }),
  );
  const calls = parts.flatMap(({ list }) => list.calls).sort(compareOpenCalls);
  const next = parts.flatMap(({ source, next: at }) => (at === undefined ? [] : [[source.prefix, at]]));
  return { calls, ...(next.length > 0 && { next: JSON.stringify(Object.fromEntries(next)) }) };
}

function decodePositions(after: string): Positions {
  const value = parseJson(after);
  const isPositions =
    isRecord(value) && Object.values(value).every((at) => at === null || typeof at === 'string');
  if (isPositions) return value as Positions;
  throw invalidOptions(`after must be the 'next' of an earlier list, not '${after.slice(0, 80)}'.`);
}
