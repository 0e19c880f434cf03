/**
 * Knows whether code runs inside the work of a `once`, also after the work has awaited something.
 *
 * Node, Bun, Deno, Cloudflare Workers with `nodejs_compat` and the Edge runtime of Vercel have an `AsyncLocalStorage`, each in its own
 * place. It is looked up and not imported, because `handrail/server` runs wherever `Request` and `Response` do. In a runtime without one
 * only the part of the work before its first `await` is seen: an `ask` after that waits for the step, and the step for the `ask`.
 */

/** The owners of the steps whose work is under way around the running code. The inner one is the last. */
type Owners = readonly object[];

interface Scope {
  run<Value>(owners: Owners, work: () => Value): Value;
  getStore(): Owners | undefined;
}

/** One for all tools: Node keeps every storage that it has ever run. */
let scope: Scope | undefined;

/** Runs the work of a step. */
export function runInStep<Value>(owner: object, work: () => Value): Value {
  scope ??= createScope();
  return scope.run([...(scope.getStore() ?? []), owner], work);
}

/** Returns true inside the work of a step of the owner. */
export function isInStep(owner: object): boolean {
  return scope?.getStore()?.includes(owner) ?? false;
}

function createScope(): Scope {
  const { AsyncLocalStorage, process } = globalThis as {
    AsyncLocalStorage?: new () => Scope;
    process?: {
      getBuiltinModule?(name: string): { readonly AsyncLocalStorage?: new () => Scope } | undefined;
    };
  };
  const Storage =
    AsyncLocalStorage ?? process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage ?? SyncScope;
  return new Storage();
}

class SyncScope implements Scope {
  #owners: Owners | undefined;

  run<Value>(owners: Owners, work: () => Value): Value {
    const before = this.#owners;
    this.#owners = owners;
    try {
      return work();
    } finally {
      this.#owners = before;
    }
  }

  getStore(): Owners | undefined {
    return this.#owners;
  }
}
