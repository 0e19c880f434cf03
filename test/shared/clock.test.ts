import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a delay', () => {
  it.each([
    ['0 ms', 0],
    ['less than 0 ms', -5],
    ['one second', 1000],
    ['the longest timer', 2 ** 31 - 1],
    ['more than the longest timer', 2 ** 31],
    ['a quarter of a year', 90 * 24 * 3_600_000],
  ])('systemClock waits for a delay of %s', (_, delayMs) => {
    const due = vi.fn();
    systemClock.after(delayMs, due);
    if (delayMs > 0) vi.advanceTimersByTime(delayMs - 1);
    expect(due).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(due).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([2 ** 32, Infinity])(
    'systemClock cancels a delay of %s, which exceeds the longest timer',
    (delayMs) => {
      const due = vi.fn();
      const cancel = systemClock.after(delayMs, due);
      vi.advanceTimersByTime(2 ** 31);
      cancel();
      expect([vi.getTimerCount(), due.mock.calls]).toEqual([0, []]);
    },
  );
});

describe('the next frame', () => {
  let paint = () => {};
  const cancelled: number[] = [];

  beforeEach(() => {
    cancelled.length = 0;
  });

  function createPage(visibilityState: string) {
    vi.stubGlobal('document', { visibilityState });
    vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
      paint = run;
      return 7;
    });
    vi.stubGlobal('cancelAnimationFrame', (frame: number) => cancelled.push(frame));
  }

  it('a frame of the page runs and cancels its fallback timer', () => {
    createPage('visible');
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.advanceTimersByTime(99);
    expect(painted).toHaveBeenCalledTimes(0);
    paint();
    expect([painted.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('a frame of a page that is hidden runs by a timer, and not again when the page is shown', () => {
    createPage('visible');
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.advanceTimersByTime(100);
    expect([painted.mock.calls.length, cancelled]).toEqual([1, [7]]);
  });

  it.each([
    ['the page is hidden', () => createPage('hidden')],
    ['nothing is painted', () => {}],
  ])('a frame runs soon when %s', (_, open) => {
    open();
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.advanceTimersByTime(15);
    expect(painted).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect([painted.mock.calls.length, cancelled]).toEqual([1, []]);
  });

  it.each([
    ['visible', [7]],
    ['hidden', []],
  ])('a frame is cancelled on a page that is %s', (visibilityState, frames) => {
    createPage(visibilityState);
    systemClock.nextFrame(() => {})();
    expect([cancelled, vi.getTimerCount()]).toEqual([frames, 0]);
  });

  it('a frame that is pending when its environment is torn down runs without an error', () => {
    createPage('visible');
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.unstubAllGlobals();
    vi.advanceTimersByTime(100);
    expect(painted).toHaveBeenCalledTimes(1);
    expect(cancelled).toEqual([7]);
  });
});
