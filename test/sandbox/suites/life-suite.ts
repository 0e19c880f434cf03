import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/sandbox.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createDeferred } from '../../support/deferred.ts';
import { caseCount } from '../../support/fast-check.ts';

/** Counts the workers of this environment. */
export interface Census {
  /** Workers made so far. */
  readonly made: number;
  /** Resolves when no worker is left. */
  allGone(): Promise<void>;
  /** Resident memory of this process in bytes, or undefined where the environment does not reveal it. */
  memory(): number | undefined;
  stop(): void;
}

/** As many as the pool keeps idle workers, so that no lane waits for a new worker. */
const LANES = 2;
async function runInLanes(count: number, run: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

export function lifeSuite(startCensus: () => Census): void {
  let sandbox: Sandbox | undefined;
  afterEach(() => sandbox?.dispose());

  test('a thousand runs leave no worker, handle or memory behind', { timeout: 120_000 }, async () => {
    const census = startCensus();
    const own = createSandbox();
    await own.warmUp();
    const run = async (n: number) => {
      const source =
        'const all = Array.from({ length: 1000 }, (_, i) => ({ i })); export default (n) => n + all.length';
      expect((await own.runCode(source, { execute: { args: [n] } })).result).toBe(n + 1000);
    };
    await runInLanes(200, run);
    const before = census.memory();
    await runInLanes(600, run);
    await Promise.all(Array.from({ length: 200 }, (_, n) => run(n)));
    const after = census.memory();

    expect(census.made).toBeLessThanOrEqual(8);
    // An engine takes 16 MB: a thousand leaked engines would take thousands. Garbage makes a smaller limit unreliable.
    if (before !== undefined && after !== undefined) expect(after - before).toBeLessThan(300e6);
    own.dispose();
    await census.allGone();
    census.stop();
  });

  test('terminated runs leave no worker behind', async () => {
    const census = startCensus();
    const own = createSandbox();
    await runInLanes(caseCount(50), async () => {
      const started = createDeferred();
      const handle = own.runCode('report(1); for (;;);', { report: () => started.resolve() });
      await started.promise;
      handle.terminate();
      expect((await handle).status).toBe('terminated');
    });
    own.dispose();
    await census.allGone();
    census.stop();
  });

  describe.concurrent('the safety cap', () => {
    const sandboxes: Sandbox[] = [];
    afterAll(() => {
      for (const each of sandboxes) each.dispose();
    });
    const begin = async (source: string, globals: Record<string, unknown> = {}, reports = 1) => {
      const clock = createManualClock();
      const rested = createDeferred();
      // A canceled timer is the only sign that the program rests.
      const after: typeof clock.after = (ms, callback) => {
        const cancel = clock.after(ms, callback);
        return () => {
          rested.resolve();
          cancel();
        };
      };
      const sandbox = createSandbox({ clock: { ...clock, after } });
      sandboxes.push(sandbox);
      const started = createDeferred();
      const handle = sandbox.runCode(`report(1); ${source}; export default 1`, {
        globals,
        report: (count) => count === reports && started.resolve(),
      });
      await started.promise;
      return { clock, handle, rested: rested.promise };
    };

    test('the safety cap ends a program that computes for 30 s, and names the reason', async ({ expect }) => {
      const { clock, handle } = await begin('for (;;)');
      await clock.advance(29_999);
      expect(handle.running).toBe(true);
      await clock.advance(1);
      expect(handle.running).toBe(false);
      const { status, error, durationMs } = await handle;
      expect({ status, durationMs }).toEqual({ status: 'terminated', durationMs: 30_000 });
      expect(error?.message).toBe("Ended by the sandbox's safety cap: it computed for 30 s without a pause");
    });

    test('the safety cap ends a program that waits for a promise that nothing can settle', async ({
      expect,
    }) => {
      const { clock, handle, rested } = await begin('await new Promise(() => {})');
      await rested;
      await clock.advance(30_000);
      expect((await handle).error?.message).toContain('it waited for something that nothing can bring about');
    });

    test('the safety cap reports computing when the answer of a call arrived before the program rested', async ({
      expect,
    }) => {
      // More than 16 ms after its last message the worker sends the call at once, while the program computes.
      const source =
        'const from = Date.now(); while (Date.now() - from < 50); await ask(); report(2); for (;;)';
      const { clock, handle } = await begin(source, { ask: () => 1 }, 2);
      await clock.advance(30_000);
      expect((await handle).error?.message).toContain('it computed');
    });

    test('the safety cap does not end a program that waits for a function of the host', async ({
      expect,
    }) => {
      const asked = createDeferred();
      const answer = createDeferred<string>();
      const ask = () => {
        asked.resolve();
        return answer.promise;
      };
      const { clock, handle, rested } = await begin('await ask()', { ask });
      await asked.promise;
      await rested;
      await clock.advance(3_600_000);
      expect(handle.running).toBe(true);
      answer.resolve('yes');
      expect((await handle).status).toBe('success');
      expect(clock.waiting).toBe(0);
    });

    test('the safety cap ends a program that computes after it got an answer', async ({ expect }) => {
      const answer = createDeferred<string>();
      const { clock, handle, rested } = await begin('await ask(); for (;;)', { ask: () => answer.promise });
      await rested;
      answer.resolve('yes');
      await clock.advance(30_000);
      expect((await handle).error?.message).toContain('it computed');
    });

    test('the safety cap does not end a program that repeatedly waits for two functions of the host', async ({
      expect,
    }) => {
      const rounds = [createDeferred(), createDeferred(), createDeferred()];
      const asked: ((answer: string) => void)[] = [];
      const ask = () =>
        new Promise((resolve) => {
          if (asked.push(resolve) % 2 === 0) rounds[asked.length / 2 - 1]?.resolve();
        });
      const source = 'for (let n = 0; n < 3; n++) await Promise.all([ask(), ask()])';
      const { clock, handle } = await begin(source, { ask });
      for (const round of rounds) {
        await round.promise;
        await clock.advance(20_000);
        for (const answer of asked.slice(-2)) answer('yes');
      }
      expect((await handle).status).toBe('success');
      expect(clock.waiting).toBe(0);
    });

    test('an answer that arrives after the run has ended starts no safety cap', async ({ expect }) => {
      const answer = createDeferred<string>();
      const { clock, handle, rested } = await begin('await ask()', { ask: () => answer.promise });
      await rested;
      handle.terminate();
      answer.resolve('late');
      await clock.advance(0);
      expect(clock.waiting).toBe(0);
    });

    test('safetyCapMs sets the safety cap', async ({ expect }) => {
      const clock = createManualClock();
      const sandbox = createSandbox({ clock, safetyCapMs: 50 });
      sandboxes.push(sandbox);
      const handle = sandbox.runCode('for (;;);');
      await sandbox.warmUp();
      await clock.advance(50);
      expect((await handle).status).toBe('terminated');
    });
  });

  test('runs beyond maxWorkers wait for a worker, and may be terminated while they wait', async () => {
    sandbox = createSandbox({ maxWorkers: 1 });
    const stuck = sandbox.runCode('for (;;);');
    const waiting = sandbox.runCode('export default 1');
    const last = sandbox.runCode('export default 2');
    waiting.terminate('no longer needed');
    expect(await waiting).toMatchObject({ status: 'terminated', durationMs: 0 });
    stuck.terminate();
    expect(await last).toMatchObject({ status: 'success', result: 2 });
  });

  test('work that a program leaves behind delays its own result, but not the next program', async () => {
    const clock = createManualClock();
    sandbox = createSandbox({ clock, maxWorkers: 1 });
    const started = createDeferred();
    // The program has its result when this built-in starts, which the engine cannot interrupt.
    const source = `
      report(1);
      let later = Promise.resolve();
      for (let n = 0; n < 100; n++) later = later.then(() => {});
      later.then(() => Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1));
      export default 1`;
    const first = sandbox.runCode(source, { report: () => started.resolve() });
    const second = sandbox.runCode('export default 2');
    await started.promise;
    // If the worker sent the first result early, it would arrive during these runs.
    const other = createSandbox();
    for (let n = 0; n < 10; n++) await other.runCode('export default 1');
    other.dispose();
    expect(first.running).toBe(true);
    await clock.advance(30_000);
    expect(await first).toMatchObject({ status: 'terminated' });
    expect(await second).toMatchObject({ status: 'success', result: 2 });
  });

  test('a loop that a program leaves behind ends with its run', async () => {
    sandbox = createSandbox({ maxWorkers: 1 });
    const source = `
      let later = Promise.resolve();
      for (let n = 0; n < 100; n++) later = later.then(() => {});
      later.then(() => { for (;;); });
      export default 1`;
    const runs = [sandbox.runCode(source), sandbox.runCode('export default 2')];
    expect(await Promise.all(runs)).toMatchObject([{ result: 1 }, { result: 2 }]);
  });

  test('createSandbox throws a TypeError for settings out of range', () => {
    expect(() => createSandbox({ maxWorkers: 0 })).toThrow(/maxWorkers must be at least 1, not 0/);
    expect(() => createSandbox({ safetyCapMs: Number.NaN })).toThrow(/safetyCapMs must be more than zero/);
  });

  test('dispose fails the current run, and the next run gets a new worker', async () => {
    sandbox = createSandbox();
    const handle = sandbox.runCode('for (;;);');
    await sandbox.warmUp();
    sandbox.dispose();
    expect(await handle).toMatchObject({ status: 'error', error: { name: 'SandboxUnavailableError' } });
    expect(await sandbox.runCode('export default 1')).toMatchObject({ status: 'success' });
  });
}
