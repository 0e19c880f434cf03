import type { FromWorker } from './messages.ts';
import type { SandboxWorker } from './open-worker.ts';

/** Idle workers kept for the next run; each holds some ten megabytes. */
const KEPT_IDLE = 2;
const IDLE_MS = 30_000;

/** Loads the files that the sandbox needs before its first run. */
export interface Assets {
  /** The worker's script. Absent when the app makes its workers itself. */
  readonly script: string | undefined;
  readonly engine: WebAssembly.Module;
}

/** A worker that one run uses. */
export interface Lease {
  readonly worker: Pick<SandboxWorker, 'send'>;
  /** The worker is fine and may run something else. */
  release(): void;
  /** Ends the worker. */
  kill(): void;
}

/** The run's side of a lease. */
export interface Tenant {
  started(lease: Lease): void;
  received(message: FromWorker): void;
  /** There is no worker, or it broke. The lease is over. */
  failed(message: string): void;
}

export interface WorkerPool {
  /** Asks for a worker. The returned function takes the wish back, or does nothing once the lease has started. */
  acquire(tenant: Tenant): () => void;
  /** Loads everything and starts one worker. Rejects when that fails. */
  warmUp(): Promise<void>;
  /** Ends all workers; what runs fails. */
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
      // Nothing else may keep the process alive until the worker answers.
      slot.worker.hold(true);
      const ready = new Promise<void>((resolve, reject) => {
        slot.onReady = (failure) => (failure === undefined ? resolve() : reject(new Error(failure)));
      });
      idle(slot, false);
      await ready;
      if (slot.tenant === undefined) slot.worker.hold(false);
    },
    dispose() {
      const wishes = waiting.splice(0);
      for (const slot of slots) fail(slot, 'The sandbox was disposed');
      for (const tenant of wishes) tenant.failed('The sandbox was disposed');
    },
  };

  function ensureLoaded(): Promise<Assets> {
    loading ??= load().then(
      (loaded) => {
        assets = loaded;
        return loaded;
      },
      (reason) => {
        // The next run tries again: a chunk may fail to load for a moment.
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

  /** The next run should not wait for a worker to start because the last one had to be ended. */
  function openSpare(): void {
    try {
      idle(openSlot());
    } catch {
      // That run will be told, if it is still so by then.
    }
  }

  function idle(slot: Slot, mayExit = true): void {
    slot.tenant = undefined;
    if (mayExit) slot.worker.hold(false);
    const idling = [...slots].filter(({ tenant }) => tenant === undefined).length;
    if (idling > KEPT_IDLE) close(slot);
    else slot.cancelRetirement = later(() => close(slot));
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

/** After a while without work. Never keeps a process alive. */
function later(callback: () => void): () => void {
  const timer: unknown = setTimeout(callback, IDLE_MS);
  (timer as { unref?(): void }).unref?.();
  return () => clearTimeout(timer as number);
}
