/**
 * The script of the worker. A browser loads it as a blob or by URL, and Node as text, so the build bundles it as one
 * classic script. The last line of that script calls `start`.
 */
import type { FromWorker, Output, ToWorker } from '../messages.ts';
import { createEngine, type Engine } from './create-engine.ts';
import { createRun, type Run } from './create-run.ts';

/** The worker sends gathered messages at most this often, even if a program logs and reports without a pause. */
const FLUSH_MS = 16;

/** The worker's port to the page, with the same interface in a browser and in Node. */
interface PagePort {
  send(message: FromWorker): void;
  listen(receive: (message: ToWorker) => void): void;
}

export function start(): void {
  const port = openPort();
  disarm();
  let spare: Promise<Engine> | undefined;
  let boot: Extract<ToWorker, { type: 'boot' }> | undefined;
  let current: { readonly id: number; readonly run: Run } | undefined;
  let answers = 0;
  let items: Output[] = [];
  let lastFlush = 0;

  port.listen((message) => {
    switch (message.type) {
      case 'boot':
        boot = message;
        prepareSpare();
        spare?.then(() => port.send({ type: 'ready' }), giveUp);
        return;
      case 'run':
        spare?.then((engine) => begin(engine, message.run, message.request), giveUp);
        return;
      case 'settle':
        if (current?.id !== message.run || current.run.done) return;
        answers++;
        current.run.settle(message.call, message.fulfilled, message.answer);
        work(current.id);
        return;
      default:
        message satisfies never;
    }
  });

  function begin(engine: Engine, id: number, request: Parameters<typeof createRun>[1]): void {
    const run = createRun(engine, request, {
      output(item) {
        items.push(item);
        // A long-running built-in does not call `busy`, so messages must also be sent here.
        if (item.type !== 'done') flushSometimes(id);
        // The built-in that asked for too much memory may never return.
        else if (item.outcome.status === 'memory') flush(id, true);
      },
      busy: () => flushSometimes(id),
    });
    current = { id, run };
    answers = 0;
    run.start();
    work(id);
  }

  /** Runs turns until the run rests. The worker reads its messages between turns, even if promises never end. */
  function work(id: number): void {
    if (current?.id !== id) return;
    const more = current.run.work();
    if (current.run.done) {
      current = undefined;
      // The run has left the engine here, so the next run need not wait for work that this one left behind.
      flush(id, true);
      prepareSpare();
    } else if (more) {
      flushSometimes(id);
      nextTurn(() => work(id));
    } else {
      flush(id, true);
    }
  }

  function flushSometimes(id: number): void {
    if (items.length > 0 && performance.now() - lastFlush > FLUSH_MS) flush(id, false);
  }

  function flush(id: number, isWaiting: boolean): void {
    port.send({ type: 'output', run: id, items, isWaiting, answers });
    items = [];
    lastFlush = performance.now();
  }

  /** Starts the engine of the next run ahead of time, because that takes some milliseconds. */
  function prepareSpare(): void {
    if (boot !== undefined) spare = createEngine(boot.engine, boot.stackBytes);
  }

  function giveUp(reason: unknown): void {
    port.send({ type: 'failed', message: reason instanceof Error ? reason.message : String(reason) });
  }
}

/** A message starts the next turn, because browsers delay nested `setTimeout` calls by four milliseconds. */
const channel = { turns: undefined as MessageChannel | undefined };

function nextTurn(turn: () => void): void {
  channel.turns ??= new MessageChannel();
  const { port1, port2 } = channel.turns;
  port1.onmessage = turn;
  port2.postMessage(null);
}

interface NodePort {
  postMessage(message: FromWorker): void;
  on(event: 'message', listener: (message: ToWorker) => void): void;
}

function openPort(): PagePort {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  const nodePort = threads?.parentPort as NodePort | null | undefined;
  if (nodePort) {
    return {
      send: (message) => nodePort.postMessage(message),
      listen: (receive) => nodePort.on('message', receive),
    };
  }
  return {
    send: (message) => postMessage(message),
    listen(receive) {
      addEventListener('message', ({ data }: MessageEvent<ToWorker>) => receive(data));
    },
  };
}

/** The names that lead to the network, to stored data, or to new workers. */
const DISARMED_NAMES = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'WebSocketStream',
  'WebTransport',
  'EventSource',
  'RTCPeerConnection',
  'BroadcastChannel',
  'importScripts',
  'FontFace',
  'fonts',
  'indexedDB',
  'caches',
  'webkitRequestFileSystem',
  'webkitRequestFileSystemSync',
  'webkitResolveLocalFileSystemURL',
  'webkitResolveLocalFileSystemSyncURL',
  'navigator',
  'Worker',
  'SharedWorker',
  'process',
  'require',
  'module',
];

/**
 * Removes these names from the global object and from its prototypes, which define `fetch` and others. The program runs in
 * WebAssembly and cannot reach them. If the engine ever has a hole, the worker still has no way to the network or to
 * stored data.
 */
function disarm(): void {
  for (let scope: object | null = globalThis; scope !== null; scope = Reflect.getPrototypeOf(scope)) {
    // `Reflect.defineProperty` does not throw for a name that a browser protects, so the loop removes the others.
    for (const name of DISARMED_NAMES) {
      if (scope === globalThis || Object.hasOwn(scope, name))
        Reflect.defineProperty(scope, name, { value: undefined, configurable: false, writable: false });
    }
  }
}
