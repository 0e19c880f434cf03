import type { Worker } from 'node:worker_threads';
import { lifeSuite } from './suites/life-suite.ts';

lifeSuite(() => {
  let made = 0;
  const exits: Promise<unknown>[] = [];
  const count = (worker: Worker) => {
    made++;
    exits.push(new Promise((resolve) => worker.on('exit', resolve)));
  };
  process.on('worker', count);
  return {
    get made() {
      return made;
    },
    allGone: async () => void (await Promise.all(exits)),
    memory: () => process.memoryUsage().rss,
    stop: () => process.off('worker', count),
  };
});
