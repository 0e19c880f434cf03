import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Assets,
  createWorkerPool,
  type Lease,
  type Tenant,
} from '../../src/sandbox/create-worker-pool.ts';
import type { FromWorker, ToWorker } from '../../src/sandbox/messages.ts';
import type { SandboxWorker } from '../../src/sandbox/open-worker.ts';

/** A worker that only records its messages and state. */
class FakeWorker implements SandboxWorker {
  readonly stackBytes = 1;
  readonly sent: ToWorker['type'][] = [];
  held = false;
  alive = true;
  receive: (message: FromWorker) => void = () => {};
  fail: (message: string) => void = () => {};
  send(message: ToWorker) {
    this.sent.push(message.type);
  }
  listen(receive: (message: FromWorker) => void, failed: (message: string) => void) {
    this.receive = receive;
    this.fail = failed;
  }
  hold(held: boolean) {
    this.held = held;
  }
  terminate() {
    this.alive = false;
  }
}

const assets = { script: '', engine: {} } as Assets;

function setUp({
  maxWorkers = 8,
  load = async () => assets,
  refuseFrom = Number.POSITIVE_INFINITY,
}: {
  maxWorkers?: number;
  load?: () => Promise<Assets>;
  /** The number of the first worker that cannot start. */
  refuseFrom?: number;
} = {}) {
  const workers: FakeWorker[] = [];
  const open = () => {
    if (workers.length >= refuseFrom) throw new Error('refused');
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  const pool = createWorkerPool(load, open, maxWorkers);
  const acquire = () => {
    const got: { lease?: Lease; messages: FromWorker[]; failure?: string; giveUp: () => void } = {
      messages: [],
      giveUp: () => {},
    };
    const tenant: Tenant = {
      started: (lease) => {
        got.lease = lease;
      },
      received: (message) => got.messages.push(message),
      failed: (message) => {
        got.failure = message;
      },
    };
    got.giveUp = pool.acquire(tenant);
    return got;
  };
  const alive = () => workers.filter((worker) => worker.alive);
  return { pool, workers, acquire, alive };
}

const loaded = () => vi.waitFor(async () => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('leasing', () => {
  test('the pool loads nothing before the first request', () => {
    const load = vi.fn(async () => assets);
    setUp({ load });
    expect(load).not.toHaveBeenCalled();
  });

  test('a worker is booted and keeps the process alive until its run ends', async () => {
    const { workers, acquire } = setUp();
    const first = acquire();
    await loaded();
    expect(workers[0]?.sent).toEqual(['boot']);
    expect(workers[0]?.held).toBe(true);
    first.lease?.release();
    expect(workers[0]).toMatchObject({ held: false, alive: true });
  });

  test('a worker whose run has ended runs the next program', async () => {
    const { workers, acquire } = setUp();
    const first = acquire();
    await loaded();
    first.lease?.release();
    const second = acquire();
    expect(second.lease).toBeDefined();
    expect(workers).toHaveLength(1);
    workers[0]?.receive({ type: 'output', run: 1, items: [], isWaiting: true, answers: 0 });
    expect([first.messages.length, second.messages.length]).toEqual([0, 1]);
  });

  test('an ended lease cannot release or kill the worker of the next run', async () => {
    const { acquire, alive } = setUp();
    const first = acquire();
    await loaded();
    first.lease?.release();
    acquire();
    first.lease?.release();
    first.lease?.kill();
    expect(alive()).toHaveLength(1);
    expect(alive()[0]?.held).toBe(true);
  });

  test('requests beyond maxWorkers get workers in order', async () => {
    const { workers, acquire } = setUp({ maxWorkers: 2 });
    const [first, second, third, fourth] = [acquire(), acquire(), acquire(), acquire()];
    await loaded();
    expect(workers).toHaveLength(2);
    expect([third.lease, fourth.lease]).toEqual([undefined, undefined]);
    second.lease?.release();
    expect([third.lease !== undefined, fourth.lease !== undefined]).toEqual([true, false]);
    first.lease?.kill();
    expect(fourth.lease).toBeDefined();
  });

  test('cancelling a request does not cancel other requests', async () => {
    const { acquire } = setUp({ maxWorkers: 1 });
    const first = acquire();
    const second = acquire();
    const third = acquire();
    await loaded();
    second.giveUp();
    first.lease?.release();
    expect(second.lease).toBeUndefined();
    expect(third.lease).toBeDefined();
  });
});

describe('ending workers', () => {
  test('killing the only worker starts an idle one', async () => {
    const { workers, acquire, alive } = setUp();
    const first = acquire();
    await loaded();
    first.lease?.kill();
    expect(workers[0]?.alive).toBe(false);
    expect(alive()).toHaveLength(1);
    expect(alive()[0]).toMatchObject({ held: false, sent: ['boot'] });
  });

  test('the pool has at most two idle workers, and ends them after 30 s', async () => {
    const { acquire, alive } = setUp();
    const leases = [acquire(), acquire(), acquire(), acquire()];
    await loaded();
    for (const { lease } of leases) lease?.release();
    expect(alive()).toHaveLength(2);
    vi.advanceTimersByTime(29_999);
    expect(alive()).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(alive()).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('killing one of two workers starts no idle one', async () => {
    const { acquire, alive } = setUp();
    const first = acquire();
    acquire();
    await loaded();
    first.lease?.kill();
    expect(alive()).toHaveLength(1);
  });

  test('busy workers do not count as idle', async () => {
    const { acquire, alive } = setUp();
    const [first] = [acquire(), acquire(), acquire(), acquire()];
    await loaded();
    first.lease?.release();
    expect(alive()).toHaveLength(4);
  });

  test('a worker that runs a program is not ended as idle', async () => {
    const { acquire, alive } = setUp();
    const first = acquire();
    await loaded();
    first.lease?.release();
    acquire();
    vi.advanceTimersByTime(60_000);
    expect(alive()).toHaveLength(1);
  });

  test('dispose ends all workers, and fails current and waiting runs', async () => {
    const { pool, acquire, alive } = setUp({ maxWorkers: 1 });
    const first = acquire();
    const second = acquire();
    await loaded();
    pool.dispose();
    expect(alive()).toEqual([]);
    expect([first.failure, second.failure]).toEqual(['The sandbox was disposed', 'The sandbox was disposed']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a request after dispose starts a new worker', async () => {
    const { pool, acquire } = setUp();
    acquire();
    await loaded();
    pool.dispose();
    expect(acquire().lease).toBeDefined();
  });
});

describe('failures', () => {
  test('a failure to load fails all waiting runs, and the next request loads again', async () => {
    let fails = true;
    const load = async () => {
      if (fails) throw new Error('chunk missing');
      return assets;
    };
    const { acquire } = setUp({ load });
    const first = acquire();
    await loaded();
    expect(first.failure).toBe('The sandbox could not be loaded: chunk missing');
    fails = false;
    const second = acquire();
    await loaded();
    expect(second.lease).toBeDefined();
  });

  test('a broken worker fails its run and leaves the pool', async () => {
    const { workers, acquire, alive } = setUp();
    const first = acquire();
    await loaded();
    workers[0]?.fail('out of luck');
    expect(first.failure).toBe('out of luck');
    expect(alive()).toEqual([]);
    first.lease?.release();
    expect(alive()).toEqual([]);
  });

  test('a waiting run gets a new worker when a worker breaks', async () => {
    const { workers, acquire } = setUp({ maxWorkers: 1 });
    acquire();
    const second = acquire();
    await loaded();
    workers[0]?.fail('out of luck');
    expect(second.lease).toBeDefined();
  });

  test('killing a worker fails the waiting run when no further worker can start', async () => {
    const { acquire } = setUp({ maxWorkers: 1, refuseFrom: 1 });
    const first = acquire();
    const second = acquire();
    await loaded();
    first.lease?.kill();
    expect(second.failure).toBe('refused');
  });

  test('a worker whose engine does not start fails its run', async () => {
    const { workers, acquire } = setUp();
    const first = acquire();
    await loaded();
    workers[0]?.receive({ type: 'failed', message: 'no WebAssembly' });
    expect(first.failure).toBe('no WebAssembly');
  });

  test('a run fails when its worker cannot be created', async () => {
    const pool = createWorkerPool(
      async () => assets,
      () => {
        throw new Error('refused');
      },
      1,
    );
    const failures: string[] = [];
    pool.acquire({ started() {}, received() {}, failed: (message) => failures.push(message) });
    await loaded();
    expect(failures).toEqual(['refused']);
  });
});

describe('warming up', () => {
  test('warmUp resolves when a worker is ready, and the first request gets that worker', async () => {
    const { pool, workers, acquire } = setUp();
    const warm = pool.warmUp();
    await loaded();
    // Without this, Node would exit before the worker is ready.
    expect(workers[0]?.held).toBe(true);
    workers[0]?.receive({ type: 'ready' });
    await warm;
    expect(workers[0]?.held).toBe(false);
    expect(acquire().lease).toBeDefined();
    expect(workers).toHaveLength(1);
  });

  test('warmUp starts no second worker, and an unused worker ends after 30 s', async () => {
    const { pool, workers, alive } = setUp();
    const warm = pool.warmUp();
    await loaded();
    workers[0]?.receive({ type: 'ready' });
    await warm;
    await pool.warmUp();
    expect(workers).toHaveLength(1);
    vi.advanceTimersByTime(30_000);
    expect(alive()).toEqual([]);
  });

  test('a worker that starts a run before it is ready keeps the process alive', async () => {
    const { pool, workers, acquire } = setUp();
    const warm = pool.warmUp();
    await loaded();
    expect(acquire().lease).toBeDefined();
    workers[0]?.receive({ type: 'ready' });
    await warm;
    expect(workers.map(({ held }) => held)).toEqual([true]);
  });

  test('warmUp rejects when the worker breaks', async () => {
    const { pool, workers } = setUp();
    const warm = pool.warmUp();
    await loaded();
    workers[0]?.fail('blocked');
    await expect(warm).rejects.toThrow('blocked');
  });
});
