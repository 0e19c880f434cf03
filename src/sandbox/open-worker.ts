import type { FromWorker, ToWorker } from './messages.ts';

/** A worker with the same interface in a browser and in Node. */
export interface SandboxWorker {
  /**
   * Bytes of the engine's stack that a program may use before the engine throws an error that the program can catch. If
   * the native stack of the worker overflows first, the run fails. A frame takes up to eight times as much native stack.
   */
  readonly stackBytes: number;
  send(message: ToWorker): void;
  /** At most one listener. */
  listen(receive: (message: FromWorker) => void, failed: (message: string) => void): void;
  /** True keeps a Node process alive until the worker is released. Does nothing in a browser. */
  hold(held: boolean): void;
  /** Ends the worker at once, even in a tight loop. */
  terminate(): void;
}

const NAME = 'handrail-sandbox';
/** A worker of a browser has about one megabyte of native stack, enough for about 700 nested calls. */
const WEB_STACK_BYTES = 120 * 1024;
/** Node lets us choose the size of the native stack. This is enough for about 3,000 nested calls. */
const NODE_STACK_BYTES = 512 * 1024;
const NODE_STACK_MB = 8;

/**
 * Starts a worker from the text of the script.
 *
 * @throws Error when the environment has neither web workers nor worker threads.
 */
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
  // An import of this module would break bundlers that build for browsers.
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  if (threads === undefined)
    throw new Error(
      'This environment has neither web workers nor worker threads, and the sandbox needs one of them to run code',
    );
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

/** Adapts a web worker, also one that the app created from `handrail/sandbox/worker`. */
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
