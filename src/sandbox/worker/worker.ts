/**
 * The script of the worker. Loaded as a blob or by URL in a browser, as text in Node, so it is one classic
 * script with everything in it. `start` is called at the end of that script.
 */
import type { FromWorker, Output, ToWorker } from '../messages.ts';
import { createEngine, type Engine } from './create-engine.ts';
import { createRun, type Run } from './create-run.ts';

/** The page gets what has gathered at most this often, however fast a program talks. */
const FLUSH_MS = 16;

/** The worker's end of the line, the same in a browser and in Node. */
interface Line {
  send(message: FromWorker): void;
  listen(receive: (message: ToWorker) => void): void;
}

export function start(): void {
  const line = openLine();
  disarm();
  let spare: Promise<Engine> | undefined;
  let boot: Extract<ToWorker, { type: 'boot' }> | undefined;
  let current: { readonly id: number; readonly run: Run } | undefined;
  let answers = 0;
  let items: Output[] = [];
  let lastFlush = 0;

  line.listen((message) => {
    switch (message.type) {
      case 'boot':
        boot = message;
        prepareSpare();
        spare?.then(() => line.send({ type: 'ready' }), giveUp);
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
        // Not only when the engine says it is busy: a built-in that takes long does not.
        if (item.type !== 'done') flushSometimes(id);
        // It may never come back from the built-in that asked for too much.
        else if (item.outcome.status === 'memory') flush(id, true);
      },
      busy: () => flushSometimes(id),
    });
    current = { id, run };
    answers = 0;
    run.start();
    work(id);
  }

  /** Turns of the run until it rests. Mail is read between turns, also when promises never stop coming. */
  function work(id: number): void {
    if (current?.id !== id) return;
    const more = current.run.work();
    if (current.run.done) {
      current = undefined;
      // Not before: another run must not wait for what this one left behind.
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

  function flush(id: number, resting: boolean): void {
    line.send({ type: 'output', run: id, items, resting, answers });
    items = [];
    lastFlush = performance.now();
  }

  /** The next run finds an engine that is ready, as starting one takes some milliseconds. */
  function prepareSpare(): void {
    if (boot !== undefined) spare = createEngine(boot.engine, boot.stackBytes);
  }

  function giveUp(reason: unknown): void {
    line.send({ type: 'failed', message: reason instanceof Error ? reason.message : String(reason) });
  }
}

/** `setTimeout` waits four milliseconds once it is nested. */
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

function openLine(): Line {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
  const port = threads?.parentPort as NodePort | null | undefined;
  if (port) {
    return {
      send: (message) => port.postMessage(message),
      listen: (receive) => port.on('message', receive),
    };
  }
  return {
    send: (message) => postMessage(message),
    listen(receive) {
      addEventListener('message', ({ data }: MessageEvent<ToWorker>) => receive(data));
    },
  };
}

const REACHING = [
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
 * The program runs in WebAssembly and has no way to these. Should the engine ever have a hole, there is still
 * nothing here to reach the network or stored data with. `fetch` and others are inherited, so they go there as well.
 */
function disarm(): void {
  for (let scope: object | null = globalThis; scope !== null; scope = Reflect.getPrototypeOf(scope)) {
    // Without a throw for one that a browser holds on to: the others go all the same.
    for (const name of REACHING) {
      if (scope === globalThis || Object.hasOwn(scope, name))
        Reflect.defineProperty(scope, name, { value: undefined, configurable: false, writable: false });
    }
  }
}
