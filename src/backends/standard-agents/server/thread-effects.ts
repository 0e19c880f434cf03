import type { Clock } from '../../../shared/clock.ts';
import { createId } from '../../../shared/ids.ts';
import { type JsonValue, readOwn, toJsonValue } from '../../../shared/json.ts';
import { describeIssues, validate } from '../../../shared/validate.ts';
import type { EffectSet } from './define-effect.ts';
import type { Thread } from './thread.ts';
import type { ScheduledEffect } from './thread-record.ts';
import type { ThreadState } from './thread-state.ts';
import { ThreadTakenError } from './thread-store.ts';

/** How long an effect waits for a store that has failed. */
const RETRY_MS = 1_000;

interface EffectSettings {
  readonly effects: EffectSet;
  readonly clock: Clock;
  readonly createState: () => ThreadState;
  readonly onThrown: (thrown: unknown) => void;
}

/** The scheduled effects of a thread. They are saved, so an effect whose end was not saved runs again after a restart. */
export class ThreadEffects {
  readonly #thread: Thread;
  readonly #settings: EffectSettings;
  /** Each function cancels the timer of an effect that waits. */
  readonly #timers = new Map<string, () => void>();

  constructor(thread: Thread, settings: EffectSettings) {
    this.#thread = thread;
    this.#settings = settings;
  }

  /**
   * @param delayMs Default 0
   * @throws TypeError for an effect that the agent does not have, wrong arguments, or a delay that is no time
   */
  async schedule(name: string, args: unknown, delayMs = 0): Promise<string> {
    this.#read(name, args);
    if (!(Number.isFinite(delayMs) && delayMs >= 0)) {
      throw new TypeError(`scheduleEffect: the delay must be milliseconds from 0 on, got ${delayMs}`);
    }
    const createdAt = this.#settings.clock.now() * 1_000;
    const times = { createdAt, scheduledAt: createdAt + delayMs * 1_000 };
    const effect = {
      id: createId(),
      name,
      args: toJsonValue(args, 'args') as ScheduledEffect['args'],
      ...times,
    };
    this.#thread.change({ effects: [...this.#pending, effect] });
    await this.#thread.save();
    this.#arm(effect);
    return effect.id;
  }

  /** Returns the effects that wait, and those that run now. */
  list(name?: string): ScheduledEffect[] {
    return this.#pending.filter((effect) => name === undefined || effect.name === name);
  }

  /** Returns false for an effect that is unknown, runs or has run. */
  async remove(id: string): Promise<boolean> {
    const cancel = this.#timers.get(id);
    if (cancel === undefined) return false;
    cancel();
    await this.#drop(id);
    return true;
  }

  /** Waits for the effects that an earlier process has left. */
  resume(): void {
    for (const effect of this.#pending) this.#arm(effect);
  }

  /** Leaves the effects to another process. */
  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  get #pending(): readonly ScheduledEffect[] {
    return this.#thread.record.effects ?? [];
  }

  /** @param minDelayMs Default 0 */
  #arm(effect: ScheduledEffect, minDelayMs = 0): void {
    const delayMs = Math.max(minDelayMs, effect.scheduledAt / 1_000 - this.#settings.clock.now());
    const run = () => {
      this.#timers.delete(effect.id);
      this.#run(effect).catch(this.#settings.onThrown);
    };
    this.#timers.set(effect.id, this.#settings.clock.after(delayMs, run));
  }

  async #run(scheduled: ScheduledEffect): Promise<void> {
    const { id, name, args } = scheduled;
    try {
      // While a server is replaced, two processes wait for the effect: the one whose save comes first runs it.
      await this.#thread.save();
    } catch (thrown) {
      if (!(thrown instanceof ThreadTakenError)) this.#arm(scheduled, RETRY_MS);
      throw thrown;
    }
    try {
      const { effect, values } = this.#read(name, args);
      await effect.execute(this.#settings.createState(), values as never);
    } finally {
      await this.#drop(id);
    }
  }

  #read(name: string, args: unknown) {
    const effect = readOwn(this.#settings.effects, name);
    if (effect === undefined) {
      throw new TypeError(`There is no effect named ${name}. Add it to the effects of the agent`);
    }
    const checked = validate(effect.args, args as JsonValue);
    if ('issues' in checked) {
      throw new TypeError(
        `The arguments of the effect ${name} are invalid: ${describeIssues(checked.issues)}`,
      );
    }
    return { effect, values: checked.value };
  }

  #drop(id: string): Promise<void> {
    this.#timers.delete(id);
    this.#thread.change({ effects: this.#pending.filter((effect) => effect.id !== id) });
    return this.#thread.save();
  }
}
