import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/shared/clock.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('systemClock.after', () => {
  it.each([
    ['none', 0],
    ['a negative number', -5],
    ['a second', 1000],
    ['the maximum of setTimeout', 2 ** 31 - 1],
    ['more than the maximum', 2 ** 31],
    ['a quarter of a year', 90 * 24 * 3_600_000],
  ])('calls back after a delay of %s', (_, delayMs) => {
    const due = vi.fn();
    systemClock.after(delayMs, due);
    if (delayMs > 0) vi.advanceTimersByTime(delayMs - 1);
    expect(due).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(due).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([2 ** 32, Infinity])(
    'cancels a delay of %s, which is longer than the maximum of setTimeout',
    (delayMs) => {
      const due = vi.fn();
      const cancel = systemClock.after(delayMs, due);
      vi.advanceTimersByTime(2 ** 31);
      cancel();
      expect([vi.getTimerCount(), due.mock.calls]).toEqual([0, []]);
    },
  );
});

describe('systemClock.nextFrame', () => {
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

  it('calls back with the frame of the page and clears its timer', () => {
    createPage('visible');
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.advanceTimersByTime(99);
    expect(painted).toHaveBeenCalledTimes(0);
    paint();
    expect([painted.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('calls back once, by its timer, when the page is hidden while it waits', () => {
    createPage('visible');
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.advanceTimersByTime(100);
    expect([painted.mock.calls.length, cancelled]).toEqual([1, [7]]);
  });

  it.each([
    ['the page is hidden', () => createPage('hidden')],
    ['nothing is painted', () => {}],
  ])('calls back soon when %s', (_, open) => {
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
  ])('cancels on a page that is %s', (visibilityState, frames) => {
    createPage(visibilityState);
    systemClock.nextFrame(() => {})();
    expect([cancelled, vi.getTimerCount()]).toEqual([frames, 0]);
  });

  it('calls back and throws nothing when the environment was torn down', () => {
    createPage('visible');
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.unstubAllGlobals();
    vi.advanceTimersByTime(100);
    expect(painted).toHaveBeenCalledTimes(1);
    expect(cancelled).toEqual([7]);
  });
});
