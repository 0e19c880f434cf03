import { expect, test, vi } from 'vitest';
import type { Frame } from '../../src/mantyx/frame.ts';
import { holdReplay } from '../../src/mantyx/hold-replay.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createDeferred } from '../support/deferred.ts';

const text: Frame = { seq: 1, type: 'assistant_delta', payload: { text: 'Hi' } };

test('a stream that breaks after the reader has left is nobody’s failure', async () => {
  const unhandled = vi.fn();
  process.once('unhandledRejection', unhandled);
  const cut = createDeferred<never>();
  async function* read() {
    yield [text];
    yield await cut.promise;
  }
  const replay = holdReplay(read(), createManualClock(), async () => false);
  expect(await replay.next()).toEqual({ done: false, value: [text] });
  await replay.return();
  cut.reject(new Error('cut'));
  // Node tells of a rejection nobody handled once its microtasks are done.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
