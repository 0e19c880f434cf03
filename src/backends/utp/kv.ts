/** The few operations on a NATS key-value bucket that claims and pending calls are made of. */
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { KV, KvEntry } from '@nats-io/kv';

/** Writes the value if the key has no value yet. Resolves to the revision, or to undefined if the key has one. */
export function createEntry(kv: KV, key: string, value: string): Promise<number | undefined> {
  return kv.create(key, value).catch(undefinedOnConflict);
}

/** Replaces the value if it is still the one with this revision. Resolves to the new revision, or to undefined if it is not. */
export function replaceEntry(
  kv: KV,
  key: string,
  value: string,
  revision: number,
): Promise<number | undefined> {
  return kv.update(key, value, revision).catch(undefinedOnConflict);
}

/** Returns the entry of a key that has a value. */
export async function readEntry(kv: KV, key: string): Promise<KvEntry | undefined> {
  const entry = await kv.get(key);
  return entry?.operation === 'PUT' ? entry : undefined;
}

function undefinedOnConflict(thrown: unknown): undefined {
  const isConflict =
    thrown instanceof JetStreamApiError &&
    (thrown.code === JetStreamApiCodes.StreamWrongLastSequence ||
      thrown.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown);
  if (!isConflict) throw thrown;
}
