import { compact, isRecord } from '../../shared/json.ts';
import { isName, type ThreadRow, toMilliseconds } from './thread-row.ts';

/** A call of a client tool that waits for its answer. */
export interface ClientCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly requestedAt?: number;
  /** Milliseconds since the epoch. */
  readonly deadline?: number;
}

/** A thread as it is on the server. */
export interface ThreadSnapshot {
  /** `running` or `idle`; undefined for a server that does not tell. */
  readonly status: unknown;
  /** The messages in their order. */
  readonly rows: readonly ThreadRow[];
  readonly calls: readonly ClientCall[];
}

/** Reads a call as the kit sends it, in its event and in its list. */
export function readClientCall(raw: unknown): ClientCall | undefined {
  if (!isRecord(raw) || !isName(raw.id) || !isName(raw.name)) return undefined;
  return compact({
    id: raw.id,
    name: raw.name,
    args: isRecord(raw.args) ? raw.args : {},
    requestedAt: toMilliseconds(raw.requestedAt),
    deadline: toMilliseconds(raw.deadline),
  });
}
