/** One list of open calls from several sources. */
import type { OpenCall, OpenCallList } from '../../core/protocol/open-calls.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError, invalidOptions } from '../../shared/errors.ts';
import { compact, isRecord, parseJson } from '../../shared/json.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import { DEFAULT_LIMIT } from '../store/list-open-calls.ts';
import type { InboxQuery, InboxSource } from './inbox-source.ts';
import { compareOpenCalls } from './page-open-calls.ts';

/** The positions in the lists of the sources, by their prefix. A source whose list has ended is not in it. */
type Positions = Readonly<Record<string, string | null>>;

export interface ListSettings {
  readonly clock: Clock;
  /** Called with the error of a source that failed, unless all have failed. */
  readonly onFailure: (thrown: unknown) => void;
  /**
   * The calls that each source had in the list before, if a client follows the list. They stay while their source fails: a page takes a call that
   * is not in the list any more for one that was answered elsewhere.
   */
  readonly earlier?: Map<InboxSource, readonly OpenCall[]>;
}

/**
 * How long a source may take for its list: one that hangs must not hold up the others. Longer than a source itself waits for a session or a
 * rule that hangs, which is ten seconds. Milliseconds.
 */
const SOURCE_LIMIT_MS = 20_000;

/** The part of a page that one source has. */
interface Part {
  readonly source: InboxSource;
  readonly calls: readonly OpenCall[];
  readonly next?: string | null | undefined;
  /** Why the source could not be read. */
  readonly failure?: { readonly thrown: unknown };
}

/**
 * Lists the open calls of all sources, the oldest first. Its `next` has the position of each source.
 *
 * A source can only say where a list of it ends. So where the calls of all do not fit, each source is asked again for as many as the page
 * has of it; the page is what these lists bring, so a call that is answered meanwhile moves no other one out of the pages.
 *
 * A source that fails costs the page its own calls alone, and the next page asks it again from where it was.
 *
 * @throws AgentChatError `invalid_options` when `after` is not the `next` of such a list, and what a source throws if all of them fail.
 */
export async function listAll(
  sources: readonly InboxSource[],
  query: InboxQuery,
  settings: ListSettings,
): Promise<OpenCallList> {
  const { limit = DEFAULT_LIMIT, after } = query;
  const [only] = sources;
  if (only !== undefined && sources.length === 1) return only.list(query);
  const positions = after === undefined ? undefined : decodePositions(after);
  const unread = sources.filter(({ prefix }) => positions === undefined || Object.hasOwn(positions, prefix));
  const read = (source: InboxSource, count: number) =>
    readPart(source, { ...query, limit: count }, positions?.[source.prefix] ?? null, settings);

  const whole = await Promise.all(unread.map((source) => read(source, limit)));
  reportFailures(whole, settings);
  for (const { source, calls } of whole) settings.earlier?.set(source, calls);
  const first = new Set(
    whole
      .flatMap(({ calls }) => calls)
      .sort(compareOpenCalls)
      .slice(0, limit),
  );
  const parts = await Promise.all(
    whole.map(async (part): Promise<Part> => {
      const { source, calls } = part;
      const count = calls.filter((call) => first.has(call)).length;
      if (count === calls.length) return part;
      if (count > 0) return read(source, count);
      return { source, calls: [], next: positions?.[source.prefix] ?? null };
    }),
  );
  const calls = parts.flatMap((part) => part.calls).sort(compareOpenCalls);
  const next = parts.flatMap(({ source, next: at }) => (at === undefined ? [] : [[source.prefix, at]]));
  return { calls, ...(next.length > 0 && { next: JSON.stringify(Object.fromEntries(next)) }) };
}

/** Never rejects because of a source: one that fails has its calls of the list before, and stays at its position. */
async function readPart(
  source: InboxSource,
  { principal, limit }: InboxQuery & { readonly limit: number },
  position: string | null,
  { clock, earlier }: ListSettings,
): Promise<Part> {
  const after = position ?? undefined;
  try {
    return { source, ...(await listInTime(source, { principal, limit, ...compact({ after }) }, clock)) };
  } catch (thrown) {
    if (isWrongPosition(thrown)) throw thrown;
    const calls = (earlier?.get(source) ?? []).slice(0, limit);
    return { source, calls, next: position, failure: { thrown } };
  }
}

function listInTime(source: InboxSource, query: InboxQuery, clock: Clock): Promise<OpenCallList> {
  const onTimeout = () => {
    throw new Error(
      `The source ${source.prefix} of the inbox did not list its calls within ${SOURCE_LIMIT_MS / 1_000} seconds, so the list lacks them.`,
    );
  };
  // A source of plain JavaScript may throw in place of rejecting.
  return withTimeout((async () => source.list(query))(), { clock, limitMs: SOURCE_LIMIT_MS, onTimeout });
}

/** @throws what the first source has thrown, if all have failed: then there is no list */
function reportFailures(parts: readonly Part[], { onFailure }: ListSettings): void {
  const failures = parts.flatMap(({ failure }) => failure ?? []);
  const areAll = failures.length === parts.length;
  for (const { thrown } of areAll ? failures.slice(1) : failures) onFailure(thrown);
  if (areAll && failures[0] !== undefined) throw failures[0].thrown;
}

/** Returns true for the error that a list throws for an `after` that it has not given. */
export function isWrongPosition(thrown: unknown): boolean {
  return AgentChatError.isInstance(thrown) && thrown.code === 'invalid_options';
}

function decodePositions(after: string): Positions {
  const value = parseJson(after);
  const isPositions =
    isRecord(value) && Object.values(value).every((at) => at === null || typeof at === 'string');
  if (isPositions) return value as Positions;
  throw invalidOptions(`after must be the 'next' of an earlier list, not '${after.slice(0, 80)}'.`);
}
