/** The part of a conversation that only this transport reads: its thread, and the id of the next attempt of a message that failed. */

import type { TransportMemory } from '../../core/transport/agent-transport.ts';
import { createId } from '../../shared/ids.ts';
import { isRecord } from '../../shared/json.ts';

export interface ThreadMemory {
  readonly threadId: string | undefined;
  readonly retry: Retry | undefined;
}

/** The server takes a message id once, so the retry of a run that failed needs another one. */
interface Retry {
  /** The idempotency key of the message. */
  readonly key: string;
  readonly messageId: string;
}

export function readMemory(memory: TransportMemory): ThreadMemory {
  const stored = memory.get();
  const { threadId, retry } = isRecord(stored) ? stored : {};
  const { key, messageId } = isRecord(retry) ? retry : {};
  return {
    threadId: typeof threadId === 'string' ? threadId : undefined,
    retry: typeof key === 'string' && typeof messageId === 'string' ? { key, messageId } : undefined,
  };
}

export function writeThread(memory: TransportMemory, threadId: string): void {
  const { retry } = readMemory(memory);
  memory.set(retry === undefined ? { threadId } : { threadId, retry: { ...retry } });
}

/** Returns the id under which a message is posted. The same message has the same id until its run fails. */
export function toMessageId({ retry }: ThreadMemory, key: string = createId()): string {
  return retry?.key === key ? retry.messageId : key;
}

/** Notes that the run of a message has failed. */
export function noteFailedRun(memory: TransportMemory, threadId: string, messageId: string): void {
  const { retry } = readMemory(memory);
  const key = retry?.messageId === messageId ? retry.key : messageId;
  memory.set({ threadId, retry: { key, messageId: createId() } });
}
