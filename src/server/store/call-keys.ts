/** Finds calls in a record. Some agents count their ids anew in each turn, so a later call of one id gets another key. */
import { hasOwn } from '../../shared/json.ts';
import type { CallRecord, CallRecords } from './call-record.ts';
import type { ExecutionRecord } from './session-store.ts';

/** Returns the key of the call that has this id in a turn. */
export function findCallKey(calls: CallRecords, turnId: string, toolCallId: string): string | undefined {
  if (getCall(calls, toolCallId)?.turnId === turnId) return toolCallId;
  return Object.keys(calls).find(
    (key) => calls[key]?.turnId === turnId && calls[key]?.toolCallId === toolCallId,
  );
}

/** Returns the key for a new call with this id. */
export function newCallKey(calls: CallRecords, toolCallId: string): string {
  let key = toolCallId;
  // Assigning to this name sets the prototype of an object.
  for (let count = 2; hasOwn(calls, key) || key === '__proto__'; count += 1) key = `${toolCallId}~${count}`;
  return key;
}

export function getCall(calls: CallRecords, key: string): CallRecord | undefined {
  return hasOwn(calls, key) ? calls[key] : undefined;
}

/** Returns the calls with these keys, in their order. */
export function getCalls(calls: CallRecords, keys: readonly string[]): readonly CallRecord[] {
  return keys.flatMap((key) => getCall(calls, key) ?? []);
}

/** Names the turn of an execution: an execution that repeats a message belongs to the turn of the first one. */
export function turnOf({ id, repeats = id }: Pick<ExecutionRecord, 'id' | 'repeats'>): string {
  return repeats;
}
