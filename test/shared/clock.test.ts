import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a frame that was awaited when its environment was torn down comes all the same, and throws nothing', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const cancelled: number[] = [];
  vi.stubGlobal('requestAnimationFrame', () => 7);
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => cancelled.push(frame));
  const painted = vi.fn();
  systemClock.nextFrame(painted);
  vi.unstubAllGlobals();
  vi.advanceTimersByTime(100);
  expect(painted).toHaveBeenCalledTimes(1);
  expect(cancelled).toEqual([7]);
});
