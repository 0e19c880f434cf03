import { type Clock, systemClock } from '../shared/clock.ts';
import type { CodeExecution, CodeExecutionOptions } from './code-execution.ts';
import { createExecution } from './create-execution.ts';
import { type Assets, createWorkerPool } from './create-worker-pool.ts';
import { adaptWebWorker, openWorker } from './open-worker.ts';
import { readOptions } from './read-options.ts';

/** How a sandbox is set up. */
export interface SandboxSettings {
  /**
   * Makes the workers, for pages whose Content-Security-Policy does not allow `worker-src blob:`:
   * `() => new Worker(new URL('handrail/sandbox/worker', import.meta.url))`. By default they are made from a blob in
   * a browser and from text in Node.
   */
  readonly createWorker?: () => Worker;
  /**
   * Milliseconds a run may compute without a pause, or wait for something that nothing can bring about, before it
   * is ended as `terminated`. Default 30,000. Time spent waiting for your functions does not count.
   */
  readonly safetyCapMs?: number;
  /** How many runs have a worker at the same time; more wait for their turn. Default 8. */
  readonly maxWorkers?: number;
  readonly clock?: Clock;
}

/** Workers of its own, and the runs in them. */
export interface Sandbox {
  /**
   * Runs JavaScript or TypeScript with no capability but those handed in. See {@link CodeExecutionOptions}.
   *
   * @throws TypeError when an option is not what it should be; nothing has run then.
   */
  runCode(source: string, options?: CodeExecutionOptions): CodeExecution;
  /** Loads the engine and starts a worker ahead of the first run. Rejects when there can be none. */
  warmUp(): Promise<void>;
  /** Ends all workers. A run that is not over fails with `SandboxUnavailableError`. The next run starts afresh. */
  dispose(): void;
}

const DEFAULT_SAFETY_CAP_MS = 30_000;
const DEFAULT_MAX_WORKERS = 8;

/**
 * A sandbox with its own settings. Most apps only need `runCode`.
 *
 * @throws TypeError when a setting is out of range.
 */
export function createSandbox(settings: SandboxSettings = {}): Sandbox {
  const { createWorker, clock = systemClock } = settings;
  const { safetyCapMs = DEFAULT_SAFETY_CAP_MS, maxWorkers = DEFAULT_MAX_WORKERS } = settings;
  if (!(safetyCapMs > 0))
    throw new TypeError(`safetyCapMs must be more than zero milliseconds, not ${safetyCapMs}`);
  if (!(maxWorkers >= 1)) throw new TypeError(`maxWorkers must be at least 1, not ${maxWorkers}`);
  const pool = createWorkerPool(
    () => loadAssets(createWorker === undefined),
    ({ script = '' }) => (createWorker === undefined ? openWorker(script) : adaptWebWorker(createWorker())),
    maxWorkers,
  );
  return {
    runCode: (source, options = {}) =>
      createExecution(readOptions(source, options), pool, { clock, safetyCapMs }),
    warmUp: () => pool.warmUp(),
    dispose: () => pool.dispose(),
  };
}

let shared: Sandbox | undefined;

/**
 * Runs JavaScript or TypeScript in a sandbox that has no file system, network, timers or host globals: only what
 * `options` hands in. Works in browsers and in Node. The engine is loaded on first use.
 *
 * Values cross the border as copies, in both directions: JSON data, `undefined`, bigint, `Date`, `RegExp`, `Map`,
 * `Set`, typed arrays, `Error` (name, message, stack of the sandbox) and cycles. Functions in `imports`, `globals` and
 * `args` become async bridges; functions, symbols, promises and other live things that would leave the sandbox are
 * refused with a `DataCloneError` that names their place. One value may hold 4 Mi characters of JSON and 16 MiB of
 * binary data, and a run may send out 32 MiB in total.
 *
 * @throws TypeError when an option is not what it should be; nothing has run then.
 * @see CodeExecutionOptions for the protocol document.
 */
export function runCode(source: string, options?: CodeExecutionOptions): CodeExecution {
  return sharedSandbox().runCode(source, options);
}

/** The sandbox of {@link runCode}: to warm it up before the first run, or to end its workers. */
export function sharedSandbox(): Sandbox {
  shared ??= createSandbox();
  return shared;
}

/** Loads and compiles the engine. Some hundred kilobytes, so this happens on first use, never with the app. */
async function loadAssets(withScript: boolean): Promise<Assets> {
  const [script, engine] = await Promise.all([
    withScript ? import('./worker/worker.ts?script').then((module) => module.default) : undefined,
    import('@jitl/quickjs-wasmfile-release-sync/wasm?gzip-base64').then((module) => compile(module.default)),
  ]);
  return { script, engine };
}

async function compile(gzipped: string): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(gzipped), (character) => character.charCodeAt(0));
  const unzip = new DecompressionStream('gzip');
  const unzipped = new Response(unzip.readable).arrayBuffer();
  const writer = unzip.writable.getWriter();
  // Not by `Blob.stream`, which jsdom lacks: an app's tests run the real thing there.
  await Promise.all([writer.write(bytes), writer.close()]);
  return WebAssembly.compile(await unzipped);
}
