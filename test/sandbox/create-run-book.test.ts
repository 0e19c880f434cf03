import { expect, test } from 'vitest';
import type { CodeExecution, CodeExecutionOptions } from '../../src/sandbox/code-execution.ts';
import { createRunBook } from '../../src/sandbox/create-run-book.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';

/** Sets up a run book with runs that report and end when the test says so. */
function setUp(timeoutMs = 1000) {
  const clock = createManualClock();
  const started: { source: string; report: (value: unknown) => void }[] = [];
  let copies = 0;
  const run = (source: string, { report = () => {} }: CodeExecutionOptions): CodeExecution => {
    const reports: unknown[] = [];
    let terminate = (_?: string) => {};
    const ended = new Promise<void>((resolve) => {
      terminate = (reason) => {
        reports.push(reason);
        resolve();
      };
    });
    const outcome = ended.then(() => ({ status: 'terminated' as const, reports, logs: [], durationMs: 0 }));
    started.push({
      source,
      report(value) {
        reports.push(value);
        report(value);
      },
    });
    return {
      // biome-ignore lint/suspicious/noThenProperty: the contract makes the handle awaitable
      then: (onFulfilled, onRejected) => outcome.then(onFulfilled, onRejected),
      terminate,
      running: true,
      get reports() {
        copies++;
        return [...reports];
      },
    };
  };
  const book = createRunBook(run, timeoutMs, clock);
  return { book, clock, started, copies: () => copies };
}

test('starting a call several times runs its code once', async () => {
  const { book, started } = setUp();
  const first = book.start('a', 'export default 1', {});
  expect(book.start('a', 'export default 2', {})).toBe(first);
  book.stop('a', 'enough');
  expect(await first).toBe(await book.start('a', 'export default 3', {}));
  expect(started.map(({ source }) => source)).toEqual(['export default 1']);
});

test('a run of the app that rejects against the contract ends with an error result', async () => {
  const clock = createManualClock();
  const run = () => {
    const broken = Promise.reject(new RangeError('out of order'));
    return Object.assign(broken, { running: false, reports: [], terminate() {} });
  };
  const book = createRunBook(run, 1000, clock);
  const outcome = await book.start('a', '', {});
  expect(outcome).toMatchObject({ status: 'error', error: { name: 'RangeError', message: 'out of order' } });
  expect([book.get('a')?.status, clock.waiting]).toEqual(['ended', 0]);
});

test('a call with the key of an ended run runs after the ended run was forgotten', async () => {
  const { book, started } = setUp();
  const first = book.start('a', '1', {});
  book.forgetEnded('a');
  expect(book.start('a', '2', {})).toBe(first);
  book.stop('a', 'enough');
  await first;
  book.forgetEnded('a');
  expect(book.get('a')).toBeUndefined();
  expect(book.start('a', '3', {})).not.toBe(first);
  expect(started.map(({ source }) => source)).toEqual(['1', '3']);
});

test('a run that exceeds its time limit is terminated with a reason', async () => {
  const { book, clock } = setUp(2000);
  const outcome = book.start('a', '', {});
  await clock.advance(1999);
  expect(book.get('a')?.status).toBe('running');
  await clock.advance(1);
  expect((await outcome).reports).toEqual(['it took longer than 2 s']);
  expect(book.get('a')).toEqual({
    status: 'ended',
    reports: ['it took longer than 2 s'],
    outcome: await outcome,
  });
});

test('a run that ends cancels its timer', async () => {
  const { book, clock } = setUp();
  const outcome = book.start('a', '', {});
  book.stop('a', 'enough');
  await outcome;
  expect(clock.waiting).toBe(0);
});

test('every report makes a new state, and only reading a state copies the reports', () => {
  const { book, started, copies } = setUp();
  void book.start('a', '', {});
  const states = new Set([book.get('a')]);
  book.subscribe(() => states.add(book.get('a')));
  for (let count = 0; count < 1000; count++) started[0]?.report(count);
  expect(states.size).toBe(1001);
  expect(copies()).toBe(0);
  expect(book.get('a')?.reports).toHaveLength(1000);
});

test('the book forgets the oldest ended runs beyond fifty, and no current run', async () => {
  const { book } = setUp();
  void book.start('still on', '', {});
  for (let count = 0; count < 51; count++) {
    const outcome = book.start(`call ${count}`, '', {});
    book.stop(`call ${count}`, 'enough');
    await outcome;
  }
  expect(book.get('still on')?.status).toBe('running');
  const statuses = Array.from({ length: 51 }, (_, count) => book.get(`call ${count}`)?.status);
  expect(statuses).toEqual([undefined, undefined, ...Array.from({ length: 49 }, () => 'ended')]);
});

test('a call is watched until its last watcher has left', () => {
  const { book } = setUp();
  const leave = [book.watch('a'), book.watch('a')];
  leave[0]?.();
  expect(book.isWatched('a')).toBe(true);
  leave[1]?.();
  expect(book.isWatched('a')).toBe(false);
});
