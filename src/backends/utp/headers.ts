/** Headers of UTP messages (CommonGround v1r4): the identity of a call, and the light headers of a wakeup. */
import { headers, type MsgHdrs } from '@nats-io/nats-core';
import { compact } from '../../shared/json.ts';
import type { CallIdentity } from './call.ts';
import { PROTOCOL_VERSION, type Subject } from './subject.ts';
import { UtpToolError } from './tool-error.ts';

/** A command deeper than this in a chain of agents that call agents is refused. */
export const MAX_RECURSION_DEPTH = 20;

/**
 * Returns the identity of the call that a command carries.
 *
 * A missing depth counts as 0, and a missing epoch as 0, which no report is accepted for unless the turn has this epoch.
 *
 * @throws UtpToolError `bad_request` if a header is missing, malformed or contradicts the subject, or if the depth is over the limit. A
 * report would be refused too, so the call cannot be answered: CommonGround's watchdog ends it.
 */
export function readIdentity(headers: Readonly<Record<string, string>>, subject: Subject): CallIdentity {
  const read = (name: string) => headers[name]?.trim() || undefined;
  const { projectId, channelId } = subject;
  assertSame('CG-Project-Id', read('CG-Project-Id'), projectId);
  assertSame('CG-Channel-Id', read('CG-Channel-Id'), channelId);
  const recursionDepth = readCount('CG-Recursion-Depth', read('CG-Recursion-Depth'));
  if (recursionDepth >= MAX_RECURSION_DEPTH) {
    refuse(`CG-Recursion-Depth is ${recursionDepth}, and the limit is ${MAX_RECURSION_DEPTH}`);
  }
  return compact({
    projectId,
    channelId,
    toolCallId: assertGiven('CG-Tool-Call-Id', read('CG-Tool-Call-Id')),
    agentId: assertGiven('CG-Agent-Id', read('CG-Agent-Id')),
    agentTurnId: assertGiven('CG-Turn-Id', read('CG-Turn-Id')),
    turnEpoch: readCount('CG-Turn-Epoch', read('CG-Turn-Epoch')),
    recursionDepth,
    traceparent: read('traceparent'),
    tracestate: read('tracestate'),
    stepId: read('CG-Step-Id'),
    parentStepId: read('CG-Parent-Step-Id'),
  }) as CallIdentity;
}

/** The agent whom a message names, and its turn. */
export type MessageIdentity = Pick<CallIdentity, 'projectId' | 'channelId' | 'agentId' | 'agentTurnId'>;

/** Fields of the headers that say who sent a message, and when. */
export interface MessageOrigin {
  /** The name of the payload's class in CommonGround. */
  readonly messageType: 'Wakeup' | 'UiActionPayload';
  readonly sender: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly traceparent: string;
}

/** Returns the headers that every message on `cmd` has. */
export function createMessageHeaders(
  { projectId, channelId, agentId, agentTurnId }: MessageIdentity,
  { messageType, sender, now, traceparent }: MessageOrigin,
): Readonly<Record<string, string>> {
  return {
    'CG-Project-Id': projectId,
    'CG-Channel-Id': channelId,
    'CG-Agent-Id': agentId,
    'CG-Turn-Id': agentTurnId,
    'CG-Timestamp': String(now),
    'CG-Version': PROTOCOL_VERSION,
    'CG-Msg-Type': messageType,
    'CG-Sender': sender,
    traceparent,
  };
}

/** Returns the headers of a wakeup. A wakeup carries neither depth nor step, tool call or parents. */
export function createWakeupHeaders(
  identity: MessageIdentity & Pick<CallIdentity, 'turnEpoch'>,
  origin: Omit<MessageOrigin, 'messageType'>,
): Readonly<Record<string, string>> {
  return {
    ...createMessageHeaders(identity, { ...origin, messageType: 'Wakeup' }),
    'CG-Turn-Epoch': String(identity.turnEpoch),
  };
}

/** Returns the headers in the form of NATS. */
export function toNatsHeaders(record: Readonly<Record<string, string>>): MsgHdrs {
  const natsHeaders = headers();
  for (const [name, value] of Object.entries(record)) natsHeaders.set(name, value);
  return natsHeaders;
}

function assertSame(name: string, header: string | undefined, token: string): void {
  if (header !== undefined && header !== token) {
    refuse(`${name} is "${header}", but the subject says "${token}"`);
  }
}

function assertGiven(name: string, header: string | undefined): string {
  return header ?? refuse(`${name} is missing`);
}

function readCount(name: string, header = '0'): number {
  return /^\d{1,15}$/.test(header)
    ? Number(header)
    : refuse(`${name} is "${header}", not an integer of 0 or more`);
}

function refuse(fault: string): never {
  throw new UtpToolError('bad_request', `The command cannot be answered: ${fault}.`);
}

/** Returns the headers of a NATS message as an object, with the last value of each. */
export function toHeaderRecord(
  headers: Iterable<readonly [string, readonly string[]]> | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries([...(headers ?? [])].map(([name, values]) => [name, values.at(-1) ?? '']));
}
