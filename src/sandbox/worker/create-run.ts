import type { CodeExecutionLog } from '../code-execution.ts';
import type { Packed } from '../codec/create-encoder.ts';
import type { GuestMessage, Thrown } from '../guest/protocol.ts';
import type { Outcome, Output, RunRequest } from '../messages.ts';
import { isExportName } from '../module-names.ts';
import type { Engine } from './create-engine.ts';
import { createHeapGauge } from './create-heap-gauge.ts';
import {
  createModuleGraph,
  type ModuleGraph,
  STARTED,
  TAKE,
  WRAPPER,
  wrapperSource,
} from './module-graph.ts';
import { readStack, writeStack } from './read-stack.ts';
import {
  brokenEngineOutcome,
  failedOutcome,
  linkErrorOutcome,
  memoryOutcome,
  shortenError,
} from './run-outcomes.ts';

/** Jobs (promise reactions) to run before the worker reads its messages again. */
const MAX_JOBS_PER_TURN = 1000;
/** The limit for reports, logs, and arguments of unanswered calls of a run, in characters and bytes. */
const MAX_OUTFLOW = 32 * 1024 * 1024;
/** Added for each message, so that a flood of empty messages reaches the limit as well. */
const MESSAGE_COST = 256;
/** Further calls fail until the page has answered others. */
const MAX_CALLS_IN_FLIGHT = 1000;

/** Callbacks of a run to the worker. */
export interface RunListener {
  /** Takes a message for the page. */
  output(item: Output): void;
  /** The program is still computing: the worker may send the gathered messages. */
  busy(): void;
}

export interface Run {
  /** Links and evaluates the program. */
  start(): void;
  /** Runs jobs for a while. Returns true if more jobs are pending. */
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
        const jobs = runtime.executePendingJobs(MAX_JOBS_PER_TURN);
        if (jobs.error !== undefined) engine.call('fail', jobs.error, context.false);
      });
      return !done && runtime.hasPendingJob();
    },
    settle(call, fulfilled, answer) {
      outflow -= callCosts.get(call) ?? 0;
      callCosts.delete(call);
      guard(() => {
        const id = context.newNumber(call);
        const value = [engine.newText(answer.text), ...engine.newBuffers(answer.buffers)];
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
      if (failure !== undefined) finish(linkErrorOutcome(failure));
      return;
    }
    engine.limitMemory(request.memoryLimitBytes, () =>
      finish(memoryOutcome(request.memoryLimitBytes), request.memoryLimitBytes),
    );
    const globals = engine.call(
      'prepare',
      engine.newText(capabilities.text),
      ...engine.newBuffers(capabilities.buffers),
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

  /** Declares globals by `let` in a script: every module sees them and may shadow them, and `globalThis` lacks them. */
  function installGlobals(values: ReturnType<Engine['call']>): void {
    if (request.globals.length === 0) return;
    const names = request.globals.join(', ');
    const script = `let ${names}; (values) => { ({ ${names} } = values); }`;
    const assign = context.unwrapResult(context.evalCode(script, `${WRAPPER} globals`, { type: 'global' }));
    context.unwrapResult(context.callFunction(assign, context.undefined, values));
  }

  /** Ends the run when the engine itself throws, because the engine cannot continue then. */
  function guard(action: () => void): void {
    if (done) return;
    try {
      action();
    } catch (thrown) {
      finish(brokenEngineOutcome(thrown, started));
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
    const packed: Packed = { text: withReadableStacks(text, graph), buffers };
    const cost = MESSAGE_COST + text.length + buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    switch (kind) {
      case 'done':
        finish({ status: 'success', value: packed });
        return undefined;
      case 'failed':
        finish(failedOutcome(JSON.parse(text) as Thrown, request, graph, started));
        return undefined;
      case 'call':
        if (callCosts.size >= MAX_CALLS_IN_FLIGHT)
          return `More than ${MAX_CALLS_IN_FLIGHT} calls wait for an answer`;
        break;
      case 'log':
      case 'report':
        break;
      default:
        kind satisfies never;
    }
    if (outflow + cost > MAX_OUTFLOW) return `More than ${MAX_OUTFLOW} bytes were sent out of the sandbox`;
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
    // Measuring needs memory as well: beyond the limit it has ended the run.
    if (done) return;
    done = true;
    const ending =
      memoryUsedBytes > request.memoryLimitBytes
        ? memoryOutcome(request.memoryLimitBytes)
        : shortenError(outcome);
    listener.output({ type: 'done', outcome: ending, memoryUsedBytes });
  }

  function flag(value: boolean) {
    return value ? context.true : context.false;
  }
}

/** Puts the stacks of packed errors at their original places. */
function withReadableStacks(text: string, graph: ModuleGraph): string {
  if (!text.includes('["E",')) return text;
  const parts = JSON.parse(text) as unknown[];
  for (const node of parts) {
    if (!Array.isArray(node) || node[0] !== 'E') continue;
    node[3] = writeStack(`${node[1]}`, `${node[2]}`, readStack(`${node[3]}`, graph).frames);
  }
  return JSON.stringify(parts);
}

/** Returns an error instead of throwing: the engine throws the errors that its callbacks return into the program. */
function attempt(action: () => string): string | { error: Error } {
  try {
    return action();
  } catch (thrown) {
    return { error: thrown as Error };
  }
}
