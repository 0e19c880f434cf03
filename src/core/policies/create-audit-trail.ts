import { invalidOptions } from '../../shared/errors.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { reportThrown } from '../../shared/report-thrown.ts';
import { isSecretName, maskSecrets } from '../../shared/secrets.ts';
import type { StorageOption } from '../persistence/chat-storage.ts';
import { createPersistedList } from '../persistence/create-persisted-list.ts';
import type { SettledCall } from '../tools/settled-call.ts';

/** One answered call: who, what, when and how. A JSON value; secrets are masked. */
export interface AuditEntry extends Omit<SettledCall, 'requestedAt' | 'settledAt'> {
  /** ISO 8601, UTC. */
  readonly requestedAt: string;
  /** ISO 8601, UTC. */
  readonly settledAt: string;
  /** The person in front of this browser, from the `actor` option of the app. */
  readonly actor?: string;
}

export interface AuditTrailOptions {
  /** The storage of the entries. Default: none, so that entries live as long as the page. */
  readonly storage?: StorageOption;
  /** The key in the storage. Default `handrail-audit`. */
  readonly key?: string;
  /** Who is in front of this browser, asked at each entry. */
  readonly actor?: string | (() => string | undefined);
  /** Names of arguments and results that are secret, besides those that say so (`password`, `apiKey`, ...). */
  readonly isSecret?: (name: string) => boolean;
  /** The maximum number of entries; the oldest are removed first. 1 or more, default 1000. */
  readonly maxEntries?: number;
}

/** The calls of one chat, or several, and how they were answered. Its methods are bound. */
export interface AuditTrailStore {
  /** Writes a call down. Pass it to a chat as `onCallSettled`. */
  record(call: SettledCall): Promise<void>;
  /** Oldest first; as last read. Identical until something changes. */
  getEntries(): readonly AuditEntry[];
  /** Calls back after changes, other tabs' included where the storage is `localStorage`. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  clear(): Promise<void>;
  /** The entries as indented JSON, for a file. */
  toJson(): string;
  /** The entries as CSV (RFC 4180), for a file: a header row, times in UTC, arguments, results and the person as JSON. */
  toCsv(): string;
}

/**
 * Writes down how calls were answered. Secrets are masked before an entry is made, so they are in no storage, list or
 * export. A call that expired with a broken connection and was answered after all has two entries, and so has one whose answer
 * turned out not to count: what happened, in the order it happened.
 *
 * @throws AgentChatError `invalid_options` when `maxEntries` is not 1 or more
 */
export function createAuditTrail({
  storage,
  key = 'handrail-audit',
  actor,
  isSecret,
  maxEntries = 1000,
}: AuditTrailOptions = {}): AuditTrailStore {
  if (!(maxEntries >= 1)) throw invalidOptions(`maxEntries must be 1 or more, not ${String(maxEntries)}.`);
  const list = createPersistedList({ storage, key, isItem: isEntry });
  const mask = (value: unknown) =>
    maskSecrets(value, (name) => isSecretName(name) || isSecret?.(name) === true);
  return {
    record({ requestedAt, settledAt, args, originalArgs, result, ...call }) {
      const entry: AuditEntry = compact({
        ...call,
        args: mask(args),
        originalArgs: mask(originalArgs),
        result: mask(result),
        requestedAt: requestedAt.toISOString(),
        settledAt: settledAt.toISOString(),
        actor: askActor(actor),
      });
      // A write that was stored although the storage reported a failure is applied again to the stored entries.
      return list.change((before) =>
        before.some((other) => isSame(other, entry)) ? before : [...before, entry].slice(-maxEntries),
      );
    },
    getEntries: list.getItems,
    subscribe: list.subscribe,
    clear: () => list.change(() => []),
    toJson: () => `${JSON.stringify(list.getItems(), null, 2)}\n`,
    toCsv: () => encodeCsv(list.getItems()),
  };
}

/** An app that cannot say who is there still has its calls written down. */
function askActor(actor: AuditTrailOptions['actor']): string | undefined {
  try {
    return typeof actor === 'function' ? actor() : actor;
  } catch (thrown) {
    reportThrown(thrown);
    return undefined;
  }
}

const COLUMNS = [
  'settledAt',
  'actor',
  'toolName',
  'outcome',
  'answeredBy',
  'allowedBy',
  'person',
  'tabId',
  'requestedAt',
  'receipt',
  'toolCallId',
  'args',
  'result',
  'error',
  'reason',
  // Last, because files of before 0.2 have no such column.
  'originalArgs',
] as const satisfies readonly (keyof AuditEntry)[];

function encodeCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => toCell(entry[column])));
  return [[...COLUMNS], ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function toCell(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A spreadsheet runs a cell that begins like a formula, and a model has written some of these texts.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function isSame(one: AuditEntry, other: AuditEntry): boolean {
  return one.key === other.key && one.settledAt === other.settledAt && one.outcome === other.outcome;
}

function isEntry(value: unknown): value is AuditEntry {
  if (!isRecord(value)) return false;
  const { key, toolCallId, toolName, outcome, requestedAt, settledAt, answeredBy } = value;
  return [key, toolCallId, toolName, outcome, requestedAt, settledAt, answeredBy].every(
    (field) => typeof field === 'string',
  );
}
