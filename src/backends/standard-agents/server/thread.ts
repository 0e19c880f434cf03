/** A thread in memory: its record, the clients that follow it, and the order in which changes are saved. */
import type { Clock } from '../../../shared/clock.ts';
import { createId } from '../../../shared/ids.ts';
import { readOwn } from '../../../shared/json.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { readSecrets, readSecretTexts, redactEvent, redactMessage, redactValue } from './redact-secrets.ts';
import type { ThreadFrame } from './thread-frames.ts';
import type { ThreadMessage } from './thread-message.ts';
import type { EnvValue, EnvValueType, ThreadRecord } from './thread-record.ts';
import type { SaveThread } from './thread-store.ts';

export interface ThreadSettings {
  readonly save: SaveThread;
  readonly clock: Clock;
  /** The types of variables that the agent declares. */
  readonly envTypes: Readonly<Record<string, EnvValueType>>;
}

/** The fields of a row that its author decides; the thread adds the others. */
export type NewMessage = Pick<ThreadMessage, 'role' | 'content'> & Partial<ThreadMessage>;

export class Thread {
  readonly #settings: ThreadSettings;
  readonly #listeners = new Set<(frame: ThreadFrame) => void>();
  #record: ThreadRecord;
  /** Each chunk of a message is searched for them, so they are made only when a variable changes. */
  #secretTexts: readonly string[];
  readonly #saves = new SerialQueue();
  #lastTime = 0;

  constructor(record: ThreadRecord, settings: ThreadSettings) {
    this.#record = record;
    this.#secretTexts = readSecretTexts(record);
    this.#settings = settings;
  }

  get record(): ThreadRecord {
    return this.#record;
  }

  /** The texts that must not leave the thread. */
  get secretTexts(): readonly string[] {
    return this.#secretTexts;
  }

  envType(name: string): EnvValueType {
    return this.readEnv(name)?.type ?? readOwn(this.declaredEnv, name) ?? 'secret';
  }

  readEnv(name: string): EnvValue | undefined {
    return readOwn(this.#record.env, name);
  }

  /** Sets a variable in memory. Rows and running tools may have the values of before, so those stay secret. */
  putEnv(name: string, value: EnvValue): void {
    const { env: before, secrets = [] } = this.#record;
    const env = { ...before, [name]: value };
    this.change({ env, secrets: [...new Set([...secrets, ...readSecrets(before), ...readSecrets(env)])] });
  }

  get declaredEnv(): Readonly<Record<string, EnvValueType>> {
    return this.#settings.envTypes;
  }

  /** Changes the record in memory. Call `save` for a change that must outlive the process. */
  change(changed: Partial<ThreadRecord>): void {
    this.#record = { ...this.#record, ...changed };
    if (changed.env ?? changed.secrets) this.#secretTexts = readSecretTexts(this.#record);
  }

  /** Saves the record as it is when the store is free: of several changes that wait, the last save has them all. */
  save(): Promise<void> {
    return this.#saves.run(() => this.#settings.save(this.#record));
  }

  /** Completes a row, with a time later than that of every other row. */
  createMessage(message: NewMessage): ThreadMessage {
    const last = Math.max(this.#lastTime, this.#record.messages.at(-1)?.created_at ?? 0);
    this.#lastTime = Math.max(last + 1, this.#settings.clock.now() * 1_000);
    return { id: createId(), status: 'completed', depth: 0, created_at: this.#lastTime, ...message };
  }

  /** Adds a row, or replaces the row that has its id, and shows it to the clients. */
  put(message: ThreadMessage): void {
    const { messages } = this.#record;
    const index = messages.findIndex(({ id }) => id === message.id);
    this.change({ messages: index < 0 ? [...messages, message] : messages.with(index, message) });
    if (!message.silent) this.send({ type: 'message_data', message });
  }

  /** Returns true for a message of the history or the queue. */
  hasMessage(messageId: string): boolean {
    return this.readMessages().some(({ id }) => id === messageId);
  }

  /** The rows of the history and those that wait in the queue, without secrets. */
  readMessages(): readonly ThreadMessage[] {
    const { messages, queue } = this.#record;
    const queued = queue.flatMap((work) => (work.type === 'message' ? [work.message] : []));
    const { secretTexts } = this;
    return [...messages, ...queued].map((message) => redactMessage(message, secretTexts));
  }

  /** Sends a frame without secrets to all clients. Chunks are redacted where they are made, because a secret may span two. */
  send(frame: ThreadFrame): void {
    const visible = this.#redact(frame);
    for (const listener of this.#listeners) listener(visible);
  }

  #redact(frame: ThreadFrame): ThreadFrame {
    switch (frame.type) {
      case 'message_data':
        return { ...frame, message: redactMessage(frame.message, this.secretTexts) };
      case 'custom':
        return { ...frame, data: redactEvent(frame.eventType, frame.data, this.secretTexts) };
      case 'provider-tool-done':
        return { ...frame, tool: redactValue(frame.tool, this.secretTexts) as typeof frame.tool };
      default:
        return frame;
    }
  }

  /** Calls the listener with every frame until the returned function is called. */
  listen(listener: (frame: ThreadFrame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
