import type { Clock } from '../shared/clock.ts';
import { describeThrown } from '../shared/errors.ts';
import type {
  CodeExecution,
  CodeExecutionError,
  CodeExecutionLog,
  CodeExecutionResult,
  CodeExecutionStatus,
} from './code-execution.ts';
import { createDecoder } from './codec/create-decoder.ts';
import { createEncoder, type Packed } from './codec/create-encoder.ts';
import { captureIntrinsics } from './codec/intrinsics.ts';
import type { Lease, WorkerPool } from './create-worker-pool.ts';
import type { Outcome, Output } from './messages.ts';
import type { PreparedRun } from './read-options.ts';

/** The settings that all runs of a sandbox share. */
export interface ExecutionSettings {
  readonly clock: Clock;
  /** Milliseconds that a run may compute without a pause, or wait for a promise that nothing can settle. */
  readonly safetyCapMs: number;
}

type RunEnd = { status: CodeExecutionStatus; result?: unknown; error?: CodeExecutionError };

let runs = 0;

/** Starts one run: waits for a worker, sends the program, answers its calls, and settles with the result. */
export function createExecution(
  { request, bridges, report }: PreparedRun,
  pool: WorkerPool,
  { clock, safetyCapMs }: ExecutionSettings,
): CodeExecution {
  const id = ++runs;
  const intrinsics = captureIntrinsics();
  const decode = createDecoder(intrinsics);
  const encode = createEncoder(intrinsics);
  const reports: unknown[] = [];
  const logs: CodeExecutionLog[] = [];
  let snapshot: readonly unknown[] = Object.freeze([]);
  let lease: Lease | undefined;
  let startedAt: number | undefined;
  let running = true;
  let unanswered = 0;
  let answers = 0;
  let cancelCap = () => {};
  let resolve: (result: CodeExecutionResult) => void;
  const promise = new Promise<CodeExecutionResult>((settle) => {
    resolve = settle;
  });

  const cancelWaiting = pool.acquire({
    started(granted) {
      lease = granted;
      startedAt = clock.now();
      armCap('it computed');
      lease.worker.send({ type: 'run', run: id, request });
    },
    received(message) {
      if (message.type !== 'output' || message.run !== id) return;
      for (const item of message.items) receive(item);
      if (!running || !message.isWaiting) return;
      if (unanswered > 0) cancelCap();
      else if (message.answers === answers) armCap('it waited for something that nothing can bring about');
    },
    failed(message) {
      lease = undefined;
      settle({ status: 'error', error: { name: 'SandboxUnavailableError', message } });
    },
  });

  return {
    // biome-ignore lint/suspicious/noThenProperty: the contract makes the handle awaitable
    then: (onFulfilled, onRejected) => promise.then(onFulfilled, onRejected),
    terminate(reason) {
      const message =
        reason === undefined || reason === '' ? 'Terminated by the caller' : `Terminated: ${reason}`;
      terminate(message);
    },
    get running() {
      return running;
    },
    get reports() {
      if (snapshot.length !== reports.length) snapshot = Object.freeze([...reports]);
      return snapshot;
    },
  };

  function receive(item: Output): void {
    if (!running) return;
    switch (item.type) {
      case 'log': {
        const args = readList(item.args);
        if (args !== undefined) logs.push({ level: item.level, args, timestamp: item.timestamp });
        return;
      }
      case 'report': {
        const value = read(item.value);
        if (!running) return;
        reports.push(value);
        notifyReport(value);
        return;
      }
      case 'call':
        unanswered++;
        void answer(item.call, item.bridge, item.args);
        return;
      case 'done':
        finish(item.outcome, item.memoryUsedBytes);
        return;
      default:
        item satisfies never;
    }
  }

  /** Ends the run if the callback throws, after the value was added to `reports`. */
  function notifyReport(value: unknown): void {
    try {
      report?.(value);
    } catch (thrown) {
      terminate(
        `Terminated: the report callback threw: ${describeThrown(thrown, 'something without a message')}`,
      );
    }
  }

  function finish(outcome: Outcome, memoryUsedBytes: number): void {
    const end: RunEnd =
      outcome.status === 'success' ? { status: 'success', result: read(outcome.value) } : outcome;
    const endedLease = lease;
    settle(end, memoryUsedBytes);
    // The worker may still run the built-in that asked for too much memory, so another run cannot use this worker.
    if (outcome.status === 'memory') endedLease?.kill();
    else endedLease?.release();
  }

  /** Reads arguments. A program can replace the list of arguments by another value, which then is the only argument. */
  function readList(packed: Packed): readonly unknown[] | undefined {
    const list = read(packed);
    if (running) return Array.isArray(list) ? list : [list];
  }

  /** Decodes a value of the program. Ends the run if the value is malformed. */
  function read(packed: Packed): unknown {
    try {
      return decode(packed);
    } catch (thrown) {
      const error = { name: 'DataCloneError', message: describeThrown(thrown) };
      const endedLease = lease;
      settle({ status: 'error', error });
      endedLease?.kill();
      return undefined;
    }
  }

  async function answer(call: number, bridge: number, args: Packed): Promise<void> {
    let fulfilled = true;
    let packed: Packed;
    try {
      const target = bridges[bridge];
      const given = readList(args);
      if (given === undefined) return;
      if (target === undefined) throw new TypeError('There is no such function');
      const value = await Reflect.apply(target.fn, target.owner, given);
      packed = encode(value, { label: `the value of ${target.fn.name || 'the function'}` });
    } catch (thrown) {
      fulfilled = false;
      const name = thrown instanceof Error ? thrown.name : 'Error';
      packed = {
        text: JSON.stringify({ name, message: describeThrown(thrown, 'The call failed') }),
        buffers: [],
      };
    }
    if (!running) return;
    unanswered--;
    answers++;
    armCap('it computed');
    lease?.worker.send({ type: 'settle', run: id, call, fulfilled, answer: packed });
  }

  function armCap(activity: string): void {
    cancelCap();
    cancelCap = clock.after(safetyCapMs, () => {
      terminate(`Ended by the sandbox's safety cap: ${activity} for ${safetyCapMs / 1000} s without a pause`);
    });
  }

  function terminate(message: string): void {
    const endedLease = lease;
    cancelWaiting();
    settle({ status: 'terminated', error: { name: 'TerminatedError', message } });
    endedLease?.kill();
  }

  function settle(end: RunEnd, memoryUsedBytes?: number): void {
    if (!running) return;
    running = false;
    lease = undefined;
    cancelCap();
    const durationMs = startedAt === undefined ? 0 : clock.now() - startedAt;
    const measured = memoryUsedBytes === undefined ? {} : { memoryUsedBytes };
    resolve({ ...end, reports: [...reports], logs, durationMs, ...measured });
  }
}
