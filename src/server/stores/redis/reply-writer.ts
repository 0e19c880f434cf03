import type { AgentEvent } from '../../../core/protocol/events.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { RunScript } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';
import { REPLY } from './scripts.ts';

/** Entries of a reply that are kept for a reader who is slower than the run. */
const MAX_ENTRIES = 10_000;

/** Writes the events of a request for the process that handed it over. */
export interface ReplyWriter {
  /** Does not wait: what comes while a write is under way is written together, by the next one. */
  write(event: AgentEvent): void;
  /** Looks whether the other process still listens. */
  ring(): void;
  /** Writes the end. Resolves when all is written. */
  end(): Promise<void>;
}

interface ReplyWriterOptions {
  readonly run: RunScript;
  readonly keys: RedisKeys;
  readonly requestId: string;
  /** The id of the process that waits for the reply. */
  readonly asker: string;
  readonly replyMs: number;
  /** Called when the other process is gone, or a write failed. Nothing is written after that. */
  onUnread(): void;
}

export function createReplyWriter(options: ReplyWriterOptions): ReplyWriter {
  const { run, keys, requestId, asker, replyMs } = options;
  let pending: string[] = [];
  let isRinging = false;
  /** The first entry is that of the owner who took the request. */
  let number = 2;
  let isUnread = false;
  const queue = new SerialQueue();

  function giveUp(): void {
    if (isUnread) return;
    isUnread = true;
    options.onUnread();
  }
  async function flush(): Promise<void> {
    if ((pending.length === 0 && !isRinging) || isUnread) return;
    const args = [number, replyMs, MAX_ENTRIES, keys.node(asker), requestId, ...pending];
    number += pending.length / 2;
    pending = [];
    isRinging = false;
    try {
      if ((await run(REPLY, [keys.reply(requestId)], args)) === 0) giveUp();
    } catch {
      giveUp();
    }
  }
  /** What is pending when its turn comes is written at once, so most of these calls find nothing to write. */
  function flushSoon(): Promise<void> {
    return queue.run(flush);
  }
  return {
    write(event) {
      pending.push('event', JSON.stringify(event));
      void flushSoon();
    },
    ring() {
      isRinging = true;
      void flushSoon();
    },
    async end() {
      pending.push('end', '');
      await flushSoon();
    },
  };
}
