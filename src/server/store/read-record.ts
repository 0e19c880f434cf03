import { digestArguments } from '../../shared/digest-json.ts';
import { findCallKey } from './call-keys.ts';
import { type CallRecord, type CallRecords, digestQuestion } from './call-record.ts';
import type { RecordV1 } from './record-v1.ts';
import type { SessionRecord } from './session-store.ts';
import { upgradeRecord } from './upgrade-record.ts';

/** Returns a stored record as this version has it; an empty one for a session that the store does not know. */
export async function readRecord(stored: SessionRecord | RecordV1 | null): Promise<SessionRecord> {
  if (stored === null) return { version: 2, revision: 0, messages: [], execution: null, calls: {} };
  if ('version' in stored) {
    if (stored.version === 2) return stored;
    // A thread of Standard Agents, which may live in the same store, or a record of a later version.
    throw new TypeError(
      `The store has a record of the version '${String(stored.version)}' under the id of this session, which is no session of this version. Nothing was changed. Use another id.`,
    );
  }
  const record = upgradeRecord(stored);
  const entries = Object.entries(record.calls).map(
    async ([key, call]) => [key, await withDigests(call, record.calls)] as const,
  );
  return { ...record, calls: Object.fromEntries(await Promise.all(entries)) };
}

/** An answer counts only for what was asked, and version 1 had no digests of that. */
async function withDigests(call: CallRecord, calls: CallRecords): Promise<CallRecord> {
  const { stage, answer, steps, args } = call;
  if (stage !== 'asked' && answer === undefined && steps === undefined) return call;
  const withDigest = { ...call, digest: await digestArguments(args) };
  if (steps === undefined) return withDigest;
  const entries = Object.entries(steps).map(async ([key, step]) => {
    const question =
      step.type === 'asked' && calls[findCallKey(calls, call.turnId, step.toolCallId) ?? '']?.question;
    return [key, question ? { ...step, digest: await digestQuestion(question) } : step] as const;
  });
  return { ...withDigest, steps: Object.fromEntries(await Promise.all(entries)) };
}
