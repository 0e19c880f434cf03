/**
 * The parts that a store keeps of a record, each under a name. A step of a tool changes some hundred bytes of a record whose history may
 * have megabytes: a store that saves the parts that have changed pays for the step, not for the history.
 */
import { compact } from '../../shared/json.ts';
import { fromKeyText, toKeyText } from './key-text.ts';

/**
 * The parts of a stored record by their names:
 *
 * - `head`: all that is in no other part. In place of `messages` and `calls` it has their number
 * - `message:<index>`, `turns`, `receivedKeys`
 * - `call:<index>:<key>`, with the number of its steps, and `step:<index of the call>:<index>:<key>`
 * - `execution:<field>`: the fields of the execution that have objects, such as the input of its trigger
 */
export type StoredParts = ReadonlyMap<string, StoredPart>;

export interface StoredPart {
  /** JSON. */
  readonly text: string;
  /** The object of a saved record that the text was made of. Records are not changed in place, so the same object has the same text. */
  readonly source?: unknown;
}

/** The parts that have to be written so that a store has a record. */
export interface PartChanges {
  /** All parts of the record. */
  readonly parts: StoredParts;
  /** The texts of the parts that are new or differ, by their names. */
  readonly changed: ReadonlyMap<string, string>;
  /** The names of the parts that the record does not have any more. */
  readonly removed: readonly string[];
}

/** A record as far as its parts go. Whatever else it has is in the head. */
export interface PartedRecord {
  readonly messages: readonly unknown[];
  readonly calls?: Readonly<Record<string, CallWithSteps>>;
  readonly turns?: readonly unknown[];
  readonly receivedKeys?: readonly unknown[];
  readonly execution: object | null;
}

interface CallWithSteps {
  readonly toolName: string;
  readonly steps?: Readonly<Record<string, unknown>>;
}

/** Compares a record with the stored parts: first by the identity of its objects, then by their texts. */
export function findChangedParts(stored: StoredParts, record: PartedRecord): PartChanges {
  const parts = new Map<string, StoredPart>();
  const changed = new Map<string, string>();
  const put = (name: string, source: unknown, toValue = () => source) => {
    const before = stored.get(name);
    if (before !== undefined && before.source === source) {
      parts.set(name, before);
      return;
    }
    const text = JSON.stringify(toValue());
    parts.set(name, { text, source });
    if (before?.text !== text) changed.set(name, text);
  };
  const { messages, calls, turns, receivedKeys, execution, ...rest } = record;
  for (const [index, message] of messages.entries()) put(`message:${index}`, message);
  putCalls(calls, put);
  if (turns !== undefined) put('turns', turns);
  if (receivedKeys !== undefined) put('receivedKeys', receivedKeys);
  const fields = Object.entries(execution ?? {});
  const small = fields.filter(([, value]) => typeof value !== 'object' || value === null);
  for (const [field, value] of fields)
    if (typeof value === 'object' && value !== null) put(`execution:${toKeyText(field)}`, value);
  put('head', {
    ...rest,
    messages: messages.length,
    ...(calls && { calls: Object.keys(calls).length }),
    execution: execution && Object.fromEntries(small),
  });
  return { parts, changed, removed: [...stored.keys()].filter((name) => !parts.has(name)) };
}

/** The texts of the parts by their names. */
export function textsOf(parts: StoredParts): ReadonlyMap<string, string> {
  return new Map([...parts].map(([name, { text }]) => [name, text]));
}

/** Parts that were read. The objects that a record will have are not known yet. */
export function toStoredParts(texts: ReadonlyMap<string, string>): StoredParts {
  return new Map([...texts].map(([name, text]) => [name, { text }]));
}

function putCalls(
  calls: PartedRecord['calls'],
  put: (name: string, source: unknown, toValue?: () => unknown) => void,
): void {
  for (const [index, [key, call]] of Object.entries(calls ?? {}).entries()) {
    const steps = Object.entries(call.steps ?? {});
    put(`call:${index}:${toKeyText(key)}`, call, () =>
      compact({ ...call, steps: call.steps && steps.length }),
    );
    for (const [at, [name, step]] of steps.entries()) put(`step:${index}:${at}:${toKeyText(name)}`, step);
  }
}

/**
 * Puts the parts of a record together.
 *
 * @throws TypeError when a part is missing: the store has lost it, or somebody has deleted it.
 */
export function joinParts<Joined>(texts: ReadonlyMap<string, string>): Joined {
  const read = (name: string): unknown => {
    const text = texts.get(name);
    if (text === undefined) throw missing(name);
    return JSON.parse(text);
  };
  const { messages, calls, execution, ...rest } = read('head') as Head;
  const lists = readLists(texts);
  const whole = ['turns', 'receivedKeys'].filter((name) => texts.has(name));
  return {
    ...rest,
    messages: Array.from({ length: messages }, (_, index) => read(`message:${index}`)),
    execution: execution && { ...execution, ...Object.fromEntries(lists.get('execution') ?? []) },
    ...Object.fromEntries(whole.map((name) => [name, read(name)])),
    ...(calls !== undefined && { calls: joinCalls(calls, lists) }),
  } as Joined;
}

interface Head {
  readonly messages: number;
  readonly calls?: number;
  readonly execution: object | null;
}

/** Entries of an object, whose keys and values are in parts of their own. */
type Entries = [key: string, value: unknown][];

/** Reads the parts that have keys in their names, by what comes before the place of a key and the key. */
function readLists(texts: ReadonlyMap<string, string>): ReadonlyMap<string, Entries> {
  const lists = new Map<string, Entries>();
  for (const [name, text] of texts) {
    const [, list = '', index, key = ''] = /^(execution|call|step:\d+):(?:(\d+):)?(.*)$/s.exec(name) ?? [];
    if (list === '') continue;
    const entries = lists.get(list) ?? [];
    entries[index === undefined ? entries.length : Number(index)] = [fromKeyText(key), JSON.parse(text)];
    lists.set(list, entries);
  }
  return lists;
}

function joinCalls(count: number, lists: ReadonlyMap<string, Entries>): object {
  const calls = toWhole('call', count, lists).map(([key, value], index): [string, unknown] => {
    const call = value as { readonly steps?: number };
    if (call.steps === undefined) return [key, call];
    return [key, { ...call, steps: Object.fromEntries(toWhole(`step:${index}`, call.steps, lists)) }];
  });
  return Object.fromEntries(calls);
}

function toWhole(list: string, count: number, lists: ReadonlyMap<string, Entries>): Entries {
  const entries = lists.get(list) ?? [];
  return Array.from({ length: count }, (_, index) => {
    const entry = entries[index];
    if (entry === undefined) throw missing(`${list}:${index}`);
    return entry;
  });
}

function missing(name: string): TypeError {
  return new TypeError(
    `The session store has no part '${name}' of this record, so the record is not whole. Restore the session from a backup, or delete all of it.`,
  );
}
