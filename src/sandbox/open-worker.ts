import type { FromWorker, ToWorker } from './messages.ts';

/** A worker, the same in a browser and in Node. */
export interface SandboxWorker {
  /**
   * Bytes of the engine's stack a program may use before it gets an error it can catch. Once the native stack of
   * the worker runs over instead, the run is lost; a frame takes up to eight times as much there.
   */
  readonly stackBytes: number;
  send(message: ToWorker): void;
  /** At most one listener. */
  listen(receive: (message: FromWorker) => void, failed: (message: string) => void): void;
  /** True if the process must stay alive for it. Without meaning in a browser. */
  hold(held: boolean): void;
  /** Ends it at once, whatever it is doing. */
  terminate(): void;
}

const NAME = 'handrail-sandbox';
/** A browser's worker has about one megabyte of stack: some 700 calls deep. */
const WEB_STACK_BYTES = 120 * 1024;
/** In Node the size can be chosen: some 3,000 calls deep. */
const NODE_STACK_BYTES = 512 * 1024;
const NODE_STACK_MB = 8;

/** Makes a worker of the script's text, where there is something to make one with. */
export function openWorker(script: string): SandboxWorker {
  if (typeof Worker === 'function' && typeof URL.createObjectURL === 'function') {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    try {
      const worker = adaptWebWorker(new Worker(url, { name: NAME }));
      const terminate = () => {
        worker.terminate();
        URL.revokeObjectURL(url);
      };
      return { ...worker, terminate };
    } catch (thrown) {
      URL.revokeObjectURL(url);
      throw thrown;
    }
  }
  // Asked for at run time: an import of it would stop bundlers that build for browsers.
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  if (threads === undefined) throw new Error('There are neither web workers nor worker threads here');
  const worker = new threads.Worker(script, {
    eval: true,
    name: NAME,
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { stackSizeMb: NODE_STACK_MB },
  });
  worker.unref();
  return {
    stackBytes: NODE_STACK_BYTES,
    send: (message) => worker.postMessage(message),
    listen(receive, failed) {
      worker.on('message', receive);
      worker.on('error', (error) => failed(error.message));
    },
    hold: (held) => (held ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}

/** A worker the app made itself from `handrail/sandbox/worker`. */
export function adaptWebWorker(worker: Worker): SandboxWorker {
  return {
    stackBytes: WEB_STACK_BYTES,
    send: (message) => worker.postMessage(message),
    listen(receive, failed) {
      worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => receive(data));
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        failed(event.message || NOT_STARTED);
      });
    },
    hold() {},
    terminate: () => worker.terminate(),
  };
}

const NOT_STARTED =
  "The browser did not start the sandbox's worker. A Content-Security-Policy must allow worker-src blob: and " +
  "script-src 'wasm-unsafe-eval', or pass createWorker to createSandbox";
