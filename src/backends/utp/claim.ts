/**
 * Claims: of all executors that got the same command, one runs the tool (CommonGround v1r4, `infra/idempotency.py`).
 *
 * The claim is an entry of the KV bucket `cg_tool_idem_v1`. The executor that creates it is the leader and writes `running`; when the
 * result is saved, the entry becomes `done` with the payload of the report. A follower waits for `done` and reports that payload again.
 *
 * A leader that died leaves `running` behind forever, and its timestamp says nothing to a machine whose clock differs. So a leader
 * rewrites its entry every `RENEW_MS` while it works. A follower that sees the same revision for `LEASE_MS` of its own time concludes
 * that the leader is dead, and replaces the entry under that revision: of several followers one succeeds. If the leader was only slow,
 * its next renewal finds another revision, and it gives up. Should both save a result, the card store keeps the first.
 *
 * Two calls may have the same claim key, see `names.ts`. An entry of ours says whose it is, and a call whose claim key has the entry of
 * another call takes its own key.
 *
 * The entry names the card that the result will get. A follower that takes over looks for this card first, so a tool whose leader died
 * after saving does not run twice. A tool whose leader died earlier does: it should use `toolCallId` as a key of its own effects.
 */
import type { KV, KvEntry } from '@nats-io/kv';
import type { Clock } from '../../shared/clock.ts';
import { createId } from '../../shared/ids.ts';
import { isRecord, parseJson } from '../../shared/json.ts';
import type { CallbackPayload } from './build-tool-result.ts';
import { createEntry, readEntry, replaceEntry } from './kv.ts';
import { claimKeyOf } from './names.ts';
import { pause } from './timing.ts';

/** The bucket that every executor of CommonGround uses. */
export const CLAIM_BUCKET = 'cg_tool_idem_v1';

/** How long a claim is kept if this service makes the bucket: longer than JetStream keeps the command. Milliseconds. */
export const CLAIM_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** How often a leader renews its claim. */
export const RENEW_MS = 5_000;

/** How long a claim may stay the same before its leader counts as dead: two renewals may fail. */
export const LEASE_MS = 15_000;

/** How often a follower looks. */
const POLL_MS = 1_000;

/** The right to run one call. */
export interface Lease {
  /** The id of the card that the result must get. */
  readonly cardId: string;
  /** True if an earlier leader died. It may have saved the card. */
  readonly isTakenOver: boolean;
  /** Resolves to false if another executor took over. */
  renew(): Promise<boolean>;
}

/** `payload` is undefined if the leader wrote one that is no payload. */
export type Claim =
  | { readonly role: 'leader'; readonly lease: Lease }
  | { readonly role: 'follower'; readonly payload: CallbackPayload | undefined };

export interface Claims {
  /** Takes the key of a call. Resolves as the leader, or as a follower once the result is there. Rejects when the signal aborts meanwhile. */
  acquire(key: string, cardId: string, signal: AbortSignal): Promise<Claim>;
  /** Writes `done`, so that followers report the payload. */
  finish(key: string, payload: CallbackPayload): Promise<void>;
}

/** Returns the claims of a bucket. */
export function createClaims(kv: KV, clock: Clock): Claims {
  const bucket: Bucket = { kv, clock };
  return {
    async acquire(call, cardId, signal) {
      let key = claimKeyOf(call);
      let seen = { revision: 0, since: clock.now() };
      while (!signal.aborted) {
        const fields = { call, cardId, leader: createId(), isTakenOver: false };
        const revision = await createEntry(kv, key, toRunning(bucket, fields));
        if (revision !== undefined)
          return { role: 'leader', lease: createLease(bucket, key, revision, fields) };
        const entry = await readEntry(kv, key);
        const value = entry && parseJson(entry.string());
        if (isOfAnother(value, call)) {
          key = call;
          continue;
        }
        if (isRecord(value) && value.status === 'done') {
          return { role: 'follower', payload: readPayload(value.payload) };
        }
        if (entry && entry.revision !== seen.revision)
          seen = { revision: entry.revision, since: clock.now() };
        if (entry && clock.now() - seen.since >= LEASE_MS) {
          const lease = await takeOver(bucket, key, entry, {
            ...fields,
            isTakenOver: true,
            cardId: readCardId(value) ?? cardId,
          });
          if (lease) return { role: 'leader', lease };
        }
        await pause(clock, POLL_MS, signal);
      }
      throw new Error('The service was stopped while it waited for the leader of the call.');
    },
    async finish(call, payload) {
      const claimKey = claimKeyOf(call);
      const entry = await readEntry(kv, claimKey);
      const key = entry && isOfAnother(parseJson(entry.string()), call) ? call : claimKey;
      await kv.put(key, JSON.stringify({ status: 'done', timestamp: clock.now() / 1000, call, payload }));
    },
  };
}

interface Bucket {
  readonly kv: KV;
  readonly clock: Clock;
}

/** Returns the value of an entry that is worked on. Seconds, as the other executors write them. */
function toRunning({ clock }: Bucket, { call, cardId, leader }: LeaseFields): string {
  const timestamp = clock.now() / 1000;
  return JSON.stringify({ status: 'running', timestamp, call, tool_result_card_id: cardId, leader });
}

function createLease(bucket: Bucket, key: string, first: number, fields: LeaseFields): Lease {
  const { cardId, leader, isTakenOver } = fields;
  const { kv } = bucket;
  let revision = first;
  return {
    cardId,
    isTakenOver,
    async renew() {
      const next =
        (await replaceEntry(kv, key, toRunning(bucket, fields), revision)) ??
        (await findRevisionOf(kv, key, leader));
      if (next !== undefined) revision = next;
      return next !== undefined;
    },
  };
}

/** Resolves to undefined if another follower was faster. */
async function takeOver(
  bucket: Bucket,
  key: string,
  entry: KvEntry,
  fields: LeaseFields,
): Promise<Lease | undefined> {
  const revision = await replaceEntry(bucket.kv, key, toRunning(bucket, fields), entry.revision);
  return revision === undefined ? undefined : createLease(bucket, key, revision, fields);
}

interface LeaseFields {
  /** The key of the call. */
  readonly call: string;
  readonly cardId: string;
  /** Distinguishes the entries of one leader from those of others. */
  readonly leader: string;
  readonly isTakenOver: boolean;
}

/** Entries of other executors do not say whose they are: theirs are those of the claim key. */
function isOfAnother(value: unknown, call: string): boolean {
  return isRecord(value) && typeof value.call === 'string' && value.call !== call;
}

/** Finds the entry of a leader that wrote it and never heard of it, because the connection broke in between. */
async function findRevisionOf(kv: KV, key: string, leader: string): Promise<number | undefined> {
  const entry = await readEntry(kv, key);
  const value = entry && parseJson(entry.string());
  return isRecord(value) && value.leader === leader ? entry?.revision : undefined;
}

function readCardId(value: unknown): string | undefined {
  const cardId = isRecord(value) ? value.tool_result_card_id : undefined;
  return typeof cardId === 'string' && cardId !== '' ? cardId : undefined;
}

function readPayload(payload: unknown): CallbackPayload | undefined {
  const isPayload =
    isRecord(payload) &&
    ['after_execution', 'status', 'tool_result_card_id'].every((name) => typeof payload[name] === 'string');
  return isPayload ? (payload as unknown as CallbackPayload) : undefined;
}
