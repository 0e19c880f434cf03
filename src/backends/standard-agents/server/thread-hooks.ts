import { describeThrown } from '../../../shared/errors.ts';
import type { HookDefinition, HookName } from './define-hook.ts';
import type { ThreadState } from './thread-state.ts';

/** A hook has thrown. */
export class HookError extends Error {
  override readonly name = 'HookError';

  constructor(id: string, thrown: unknown) {
    super(`The hook ${id} failed: ${describeThrown(thrown)}`, { cause: thrown });
  }
}

/** The hooks of an agent, called one after the other. */
export class ThreadHooks {
  readonly #hooks: readonly HookDefinition[];
  readonly #onThrown: (thrown: unknown) => void;

  constructor(hooks: readonly HookDefinition[], onThrown: (thrown: unknown) => void) {
    this.#hooks = hooks;
    this.#onThrown = onThrown;
  }

  /** Calls the hooks of this name with the value. Resolves to what they made of it; rejects with the error of the first that fails. */
  async change<Value>(
    name: HookName,
    state: ThreadState,
    value: Value,
    toArguments = (current: Value): unknown[] => [current],
  ): Promise<Value> {
    let current = value;
    for (const hook of this.#of(name)) {
      current = ((await call(hook, state, toArguments(current))) as Value | null | undefined) ?? current;
    }
    return current;
  }

  /** Calls the hooks of this name, which change nothing. An error is only reported: what the hook is told of has happened. */
  async show(name: HookName, state: ThreadState, ...values: unknown[]): Promise<void> {
    for (const hook of this.#of(name)) await call(hook, state, values).catch(this.#onThrown);
  }

  #of(name: HookName): readonly HookDefinition[] {
    return this.#hooks.filter(({ hook }) => hook === name);
  }
}

async function call(
  { id, execute }: HookDefinition,
  state: ThreadState,
  values: unknown[],
): Promise<unknown> {
  try {
    return await (execute as (...values: unknown[]) => unknown)(state, ...values);
  } catch (thrown) {
    throw new HookError(id, thrown);
  }
}
