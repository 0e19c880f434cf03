import type { CodeExecutionError, CodeExecutionLog } from '../code-execution.ts';
import type { Packed } from '../codec/create-encoder.ts';
import type { GuestMessage, Thrown } from '../guest/protocol.ts';
import type { Outcome, Output, RunRequest } from '../messages.ts';
import { isExportName } from '../module-names.ts';
import type { Engine } from './create-engine.ts';
import { createHeapGauge } from './create-heap-gauge.ts';
import {
  createModuleGraph,
  type LinkFailure,
  STARTED,
  TAKE,
  WRAPPER,
  wrapperSource,
} from './module-graph.ts';
import { readStack, writeStack } from './read-stack.ts';
import { shortenError } from './shorten-error.ts';

/** Jobs (promise reactions) to run before the worker looks at its mail again. */
const JOBS_PER_TURN = 1000;
/** What a run may have on its way or kept by the page, in characters and bytes. */
const OUTFLOW_LIMIT = 32 * 1024 * 1024;
/** The cost of one message besides its content. */
const MESSAGE_COST = 256;
/** Beyond this many, calls fail until others are answered. */
const CALLS_IN_FLIGHT = 1000;

/** The messages of a run to the worker. */
export interface RunListener {
  /** Something for the page. */
  output(item: Output): void;
  /** The program is still computing: a good moment to send what has gathered. */
  busy(): void;
}

export interface Run {
  /** Links and evaluates. */
  start(): void;
  /** Runs jobs for a while. Returns whether there are more. */
  work(): boolean;
  settle(call: number, fulfilled: boolean, answer: Packed): void;
  readonly done: boolean;
}

export function createRun(engine: Engine, request: RunRequest, listener: RunListener): Run {
  const { context, runtime } = engine;
  const graph = createModuleGraph(request);
  const callCosts = new Map<number, number>();
  let outflow = 0;
  let started = false;
  let done = false;
  const heap = createHeapGauge(engine);

  engine.onMessage = receive;
  runtime.setInterruptHandler(() => {
    if (done) return true;
    listener.busy();
    heap.sample();
    return false;
  });
  runtime.setModuleLoader(
    (name) => attempt(() => graph.load(name)),
    (from, specifier) => attempt(() => graph.resolve(from, specifier)),
  );

  return {
    start: () => guard(evaluate),
    work() {
      guard(() => {
        const jobs = runtime.executePendingJobs(JOBS_PER_TURN);
        if (jobs.error !== undefined) engine.call('fail', jobs.error, context.false);
      });
      return !done && runtime.hasPendingJob();
    },
    settle(call, fulfilled, answer) {
      outflow -= callCosts.get(call) ?? 0;
      callCosts.delete(call);
      guard(() => {
        const id = context.newNumber(call);
        const value = [engine.text(answer.text), ...engine.bytes(answer.buffers)];
        engine.call('settle', id, flag(fulfilled), ...value).dispose();
      });
    },
    get done() {
      return done;
    },
  };

  function evaluate(): void {
    const { capabilities, fn } = request;
    if (fn !== undefined && !isExportName(fn)) {
      const failure = graph.missingExport(`Could not find export '${fn}' in module '${request.filename}'`);
      if (failure !== undefined) finish({ status: 'link_error', error: linkError(failure) });
      return;
    }
    engine.limitMemory(request.memoryLimitBytes, () => finish(outOfMemory(), request.memoryLimitBytes));
    const globals = engine.call(
      'prepare',
      engine.text(capabilities.text),
      ...engine.bytes(capabilities.buffers),
    );
    installGlobals(globals);
    const take = context.newFunction('take', (specifier) => engine.call('namespace', specifier));
    context.setProp(context.global, TAKE, take);
    context.unwrapResult(context.evalCode(graph.preloadSource, `${WRAPPER} imports`, { type: 'module' }));
    context.unwrapResult(context.evalCode(`delete globalThis.${TAKE}`, WRAPPER));
    const begin = context.newFunction('started', () => {
      started = true;
    });
    context.setProp(context.global, STARTED, begin);
    const evaluated = context.evalCode(wrapperSource(request), WRAPPER, { type: 'module' });
    if (evaluated.error === undefined) engine.call('finish', evaluated.value);
    else engine.call('fail', evaluated.error, context.false);
  }

  /** As `let` of a script: visible in every module, shadowed by a module's own names, never on `globalThis`. */
  function installGlobals(values: ReturnType<Engine['call']>): void {
    if (request.globals.length === 0) return;
    const names = request.globals.join(', ');
    const script = `let ${names}; (values) => { ({ ${names} } = values); }`;
    const assign = context.unwrapResult(context.evalCode(script, `${WRAPPER} globals`, { type: 'global' }));
    context.unwrapResult(context.callFunction(assign, context.undefined, values));
  }

  /** Whatever breaks out of the engine ends the run: it is in no state to go on. */
  function guard(action: () => void): void {
    if (done) return;
    try {
      action();
    } catch (thrown) {
      finish(breakdown(thrown));
    }
  }

  function receive(
    kind: GuestMessage,
    number: number,
    tag: string,
    text: string,
    buffers: readonly ArrayBuffer[],
  ): string | undefined {
    if (done) return undefined;
    const packed: Packed = { text: withReadableStacks(text), buffers };
    const cost = MESSAGE_COST + text.length + buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    switch (kind) {
      case 'done':
        finish({ status: 'success', value: packed });
        return undefined;
      case 'failed':
        finish(failure(JSON.parse(text) as Thrown));
        return undefined;
      case 'call':
        if (callCosts.size >= CALLS_IN_FLIGHT) return `More than ${CALLS_IN_FLIGHT} calls wait for an answer`;
        break;
      case 'log':
      case 'report':
        break;
      default:
        kind satisfies never;
    }
    if (outflow + cost > OUTFLOW_LIMIT)
      return `More than ${OUTFLOW_LIMIT} bytes were sent out of the sandbox`;
    outflow += cost;
    if (kind === 'call') {
      callCosts.set(number, cost);
      listener.output({ type: 'call', call: number, bridge: Number(tag), args: packed });
    } else if (kind === 'report') {
      listener.output({ type: 'report', value: packed });
    } else {
      const level = tag as CodeExecutionLog['level'];
      listener.output({ type: 'log', level, args: packed, timestamp: Date.now() });
    }
    return undefined;
  }

  function finish(outcome: Outcome, usedBytes?: number): void {
    if (done) return;
    const memoryUsedBytes = usedBytes ?? heap.largest();
    // Measuring takes memory as well, and may have been too much.
    if (done) return;
    done = true;
    const ending = memoryUsedBytes > request.memoryLimitBytes ? outOfMemory() : shortenError(outcome);
    listener.output({ type: 'done', outcome: ending, memoryUsedBytes });
  }

  function failure(thrown: Thrown): Outcome {
    const failed = linkFailure(thrown);
    if (failed !== undefined) return { status: 'link_error', error: linkError(failed) };
    const { name, message, stack } = thrown;
    // More than there can ever be is refused without asking for it.
    if (name === 'InternalError' && /^(out of memory|string too long)$/.test(message)) return outOfMemory();
    const { frames, place } = readStack(stack, graph);
    const error = { name, message, stack: writeStack(name, message, frames), ...place };
    if (thrown.link) return { status: 'link_error', error: { ...error, specifier: request.filename } };
    if (started || graph.latest === undefined) return { status: started ? 'error' : 'link_error', error };
    // The engine could not parse it, and does not always say where.
    const filename = place?.filename ?? graph.latest;
    return { status: 'link_error', error: { ...error, specifier: filename, filename } };
  }

  function linkFailure({ name, message }: Thrown): LinkFailure | undefined {
    const known = graph.failures.find((failed) => failed.message === message && failed.name === name);
    if (known !== undefined) return known;
    return name === 'SyntaxError' ? graph.missingExport(message) : undefined;
  }

  function outOfMemory(): Outcome {
    const message = `The sandbox needed more than ${request.memoryLimitBytes} bytes of memory`;
    return { status: 'memory', error: { name: 'MemoryLimitError', message } };
  }

  /** The engine's own stack ran over, or it broke: such an exception passes the program by. */
  function breakdown(thrown: unknown): Outcome {
    const { name, message } = thrown as Error;
    const overflow = name === 'RangeError' || message === 'stack overflow';
    const error = overflow
      ? { name: 'InternalError', message: 'stack overflow' }
      : { name: 'InternalError', message: `The engine gave up: ${message}` };
    return { status: started ? 'error' : 'link_error', error };
  }

  function withReadableStacks(text: string): string {
    if (!text.includes('["E",')) return text;
    const parts = JSON.parse(text) as unknown[];
    for (const node of parts) {
      if (!Array.isArray(node) || node[0] !== 'E') continue;
      node[3] = writeStack(`${node[1]}`, `${node[2]}`, readStack(`${node[3]}`, graph).frames);
    }
    return JSON.stringify(parts);
  }

  function flag(value: boolean) {
    return value ? context.true : context.false;
  }
}

function linkError({ position, ...failure }: LinkFailure): CodeExecutionError {
  return { ...failure, ...position };
}

/** The engine throws into the program what its callbacks return as an error. */
function attempt(action: () => string): string | { error: Error } {
  try {
    return action();
  } catch (thrown) {
    return { error: thrown as Error };
  }
}
