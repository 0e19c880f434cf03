import type { FromWorker } from './messages.ts';
import type { SandboxWorker } from './open-worker.ts';

/** The pool ends further idle workers, because each takes about ten megabytes. */
const MAX_IDLE = 2;
const IDLE_MS = 30_000;

/** The files that the sandbox needs before its first run. */
export interface Assets {
  /** The worker's script. Absent when the app creates its workers itself. */
  readonly script: string | undefined;
  readonly engine: WebAssembly.Module;
}

/** One run's use of a worker. */
export interface Lease {
  readonly worker: Pick<SandboxWorker, 'send'>;
  /** Returns the worker to the pool for other runs. */
  release(): void;
  /** Ends the worker. */
  kill(): void;
}

/** Callbacks of the run that uses a worker. */
export interface Tenant {
  started(lease: Lease): void;
  received(message: FromWorker): void;
  /** The pool could not start a worker, or the worker broke. The lease has ended. */
  failed(message: string): void;
}

export interface WorkerPool {
  /** Asks for a worker. The returned function cancels the request, and does nothing once the lease has started. */
  acquire(tenant: Tenant): () => void;
  /** Loads the assets and starts one worker. Rejects if that fails. */
  warmUp(): Promise<void>;
  /** Ends all workers. Their runs and the waiting ones fail. */
  dispose(): void;
}

interface Slot {
  readonly worker: SandboxWorker;
  tenant: Tenant | undefined;
  cancelRetirement: () => void;
  onReady: (failure?: string) => void;
}

export function createWorkerPool(
  load: () => Promise<Assets>,
  open: (assets: Assets) => SandboxWorker,
  maxWorkers: number,
): WorkerPool {
  const slots = new Set<Slot>();
  let waiting: Tenant[] = [];
  let assets: Assets | undefined;
  let loading: Promise<Assets> | undefined;

  return {
    acquire(tenant) {
      waiting.push(tenant);
      assign();
      return () => {
        waiting = waiting.filter((other) => other !== tenant);
      };
    },
    async warmUp() {
      await ensureLoaded();
      if (slots.size > 0) return;
      const slot = openSlot();
      // Without this, a Node process without other work would exit before the worker answers.
      slot.worker.hold(true);
      const ready = new Promise<void>((resolve, reject) => {
        slot.onReady = (failure) => (failure === undefined ? resolve() : reject(new Error(failure)));
      });
      idle(slot, false);
      await ready;
      if (slot.tenant === undefined) slot.worker.hold(false);
    },
    dispose() {
      const waitingTenants = waiting.splice(0);
      for (const slot of slots) fail(slot, 'The sandbox was disposed');
      for (const tenant of waitingTenants) tenant.failed('The sandbox was disposed');
    },
  };

  function ensureLoaded(): Promise<Assets> {
    loading ??= load().then(
      (loaded) => {
        assets = loaded;
        return loaded;
      },
      (reason) => {
        // The next run loads again, because a network failure may be temporary.
        loading = undefined;
        throw reason;
      },
    );
    return loading;
  }

  function assign(): void {
    if (waiting.length === 0) return;
    if (assets === undefined) {
      ensureLoaded().then(assign, (reason: unknown) => {
        const message = reason instanceof Error ? reason.message : String(reason);
        for (const tenant of waiting.splice(0)) tenant.failed(`The sandbox could not be loaded: ${message}`);
      });
      return;
    }
    while (waiting.length > 0) {
      const slot = [...slots].find(({ tenant }) => tenant === undefined);
      if (slot === undefined && slots.size >= maxWorkers) return;
      const tenant = waiting.shift() as Tenant;
      try {
        occupy(slot ?? openSlot(), tenant);
      } catch (thrown) {
        tenant.failed(thrown instanceof Error ? thrown.message : String(thrown));
      }
    }
  }

  function openSlot(): Slot {
    const loaded = assets as Assets;
    const worker = open(loaded);
    const slot: Slot = { worker, tenant: undefined, cancelRetirement() {}, onReady() {} };
    slots.add(slot);
    worker.listen(
      (message) => {
        if (message.type === 'ready') slot.onReady();
        else if (message.type === 'failed') fail(slot, message.message);
        else slot.tenant?.received(message);
      },
      (message) => fail(slot, message),
    );
    worker.send({ type: 'boot', engine: loaded.engine, stackBytes: worker.stackBytes });
    return slot;
  }

  function occupy(slot: Slot, tenant: Tenant): void {
    slot.cancelRetirement();
    slot.tenant = tenant;
    slot.worker.hold(true);
    const isOver = () => slot.tenant !== tenant;
    tenant.started({
      worker: slot.worker,
      release() {
        if (isOver()) return;
        idle(slot);
        assign();
      },
      kill() {
        if (isOver()) return;
        close(slot);
        assign();
        if (slots.size === 0) openSpare();
      },
    });
  }

  /** Starts an idle worker after a kill, so that the next run need not wait for a worker to start. */
  function openSpare(): void {
    try {
      idle(openSlot());
    } catch {
      // The next run starts a worker again, and reports the error if that fails as well.
    }
  }

  function idle(slot: Slot, mayExit = true): void {
    slot.tenant = undefined;
    if (mayExit) slot.worker.hold(false);
    const idling = [...slots].filter(({ tenant }) => tenant === undefined).length;
    if (idling > MAX_IDLE) close(slot);
    else slot.cancelRetirement = startIdleTimer(() => close(slot));
  }

  function close(slot: Slot): void {
    slot.cancelRetirement();
    slot.tenant = undefined;
    slots.delete(slot);
    slot.worker.terminate();
  }

  function fail(slot: Slot, message: string): void {
    if (!slots.has(slot)) return;
    const { tenant } = slot;
    close(slot);
    tenant?.failed(message);
    slot.onReady(message);
    assign();
  }
}

/** Starts the timer that ends an idle worker. The timer does not keep a Node process alive. */
function startIdleTimer(callback: () => void): () => void {
  const timer: unknown = setTimeout(callback, IDLE_MS);
  (timer as { unref?(): void }).unref?.();
  return () => clearTimeout(timer as number);
}
