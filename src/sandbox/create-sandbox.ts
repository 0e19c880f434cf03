import { type Clock, systemClock } from '../shared/clock.ts';
import type { CodeExecution, CodeExecutionOptions } from './code-execution.ts';
import { createExecution } from './create-execution.ts';
import { type Assets, createWorkerPool } from './create-worker-pool.ts';
import { adaptWebWorker, openWorker } from './open-worker.ts';
import { readOptions } from './read-options.ts';

/** Settings of {@link createSandbox}. */
export interface SandboxSettings {
  /**
   * Makes the workers, for pages whose Content-Security-Policy does not allow `worker-src blob:`:
   * `() => new Worker(new URL('handrail/sandbox/worker', import.meta.url))`. By default the sandbox starts
   * workers from a blob in a browser and from text in Node.
   */
  readonly createWorker?: () => Worker;
  /**
   * Milliseconds that a run may compute without a pause, or wait for a promise that nothing can settle. Then the run
   * ends as `terminated`. Default 30,000. Time spent waiting for your functions does not count.
   */
  readonly safetyCapMs?: number;
  /** The number of runs that may have a worker at the same time. Further runs wait. Default 8. */
  readonly maxWorkers?: number;
  readonly clock?: Clock;
}

/** A sandbox with its own workers. */
export interface Sandbox {
  /**
   * Runs JavaScript or TypeScript that has only the capabilities in `options`. See {@link CodeExecutionOptions}.
   *
   * @throws TypeError when an option is invalid. The program has not run then.
   */
  runCode(source: string, options?: CodeExecutionOptions): CodeExecution;
  /** Loads the engine and starts a worker ahead of the first run. Rejects if the worker cannot start. */
  warmUp(): Promise<void>;
  /** Ends all workers. Unfinished runs fail with `SandboxUnavailableError`. The next run starts a new worker. */
  dispose(): void;
}

const DEFAULT_SAFETY_CAP_MS = 30_000;
const DEFAULT_MAX_WORKERS = 8;

/**
 * Creates a sandbox with its own settings. Most apps only need `runCode`.
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
 * Runs JavaScript or TypeScript in a sandbox without file system, network, timers or host globals. The program has only
 * the capabilities in `options`. Works in browsers and in Node. The engine is loaded on first use.
 *
 * Values cross the border as copies, in both directions: JSON data, `undefined`, bigint, `Date`, `RegExp`, `Map`,
 * `Set`, typed arrays, `Error` (name, message, stack of the sandbox) and cycles. Functions in `imports`, `globals` and
 * `args` become async bridges. Functions, symbols, promises and other live objects cannot leave the sandbox: they cause
 * a `DataCloneError` with the path of the value. One value may hold 4 Mi characters of JSON and 16 MiB of
 * binary data, and a run may send out 32 MiB in total.
 *
 * @throws TypeError when an option is invalid. The program has not run then.
 * @see CodeExecutionOptions for the protocol document.
 */
export function runCode(source: string, options?: CodeExecutionOptions): CodeExecution {
  return sharedSandbox().runCode(source, options);
}

/** Returns the sandbox of {@link runCode}, to warm it up before the first run or to end its workers. */
export function sharedSandbox(): Sandbox {
  shared ??= createSandbox();
  return shared;
}

/** Loads the worker's script and compiles the engine: a few hundred kilobytes, loaded on first use and not with the app. */
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
  // jsdom lacks `Blob.stream`, and the tests of apps run the real sandbox in jsdom.
  await Promise.all([writer.write(bytes), writer.close()]);
  return WebAssembly.compile(await unzipped);
}
