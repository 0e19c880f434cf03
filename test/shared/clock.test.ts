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
    ['none', 0],
    ['one that is over', -5],
    ['a second', 1000],
    ['the longest a timer keeps', 2 ** 31 - 1],
    ['longer than that', 2 ** 31],
    ['a quarter of a year', 90 * 24 * 3_600_000],
  ])('%s', (_, delayMs) => {
    const due = vi.fn();
    systemClock.after(delayMs, due);
    if (delayMs > 0) vi.advanceTimersByTime(delayMs - 1);
    expect(due).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(due).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([2 ** 32, Infinity])('of %s is called off, though it is longer than a timer keeps', (delayMs) => {
    const due = vi.fn();
    const callOff = systemClock.after(delayMs, due);
    vi.advanceTimersByTime(2 ** 31);
    callOff();
    expect([vi.getTimerCount(), due.mock.calls]).toEqual([0, []]);
  });
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

  it('is that of the page; its timer goes with it', () => {
    createPage('visible');
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.advanceTimersByTime(99);
    expect(painted).toHaveBeenCalledTimes(0);
    paint();
    expect([painted.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it('comes after a while when the page is hidden meanwhile, and not once more when it is shown', () => {
    createPage('visible');
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.advanceTimersByTime(100);
    expect([painted.mock.calls.length, cancelled]).toEqual([1, [7]]);
  });

  it.each([
    ['the page is hidden', () => createPage('hidden')],
    ['nothing is painted', () => {}],
  ])('is soon where %s', (_, open) => {
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
  ])('is called off on a page that is %s', (visibilityState, frames) => {
    createPage(visibilityState);
    systemClock.nextFrame(() => {})();
    expect([cancelled, vi.getTimerCount()]).toEqual([frames, 0]);
  });

  it('that was awaited when its environment was torn down comes all the same, and throws nothing', () => {
    createPage('visible');
    const painted = vi.fn();
    systemClock.nextFrame(painted);
    vi.unstubAllGlobals();
    vi.advanceTimersByTime(100);
    expect(painted).toHaveBeenCalledTimes(1);
    expect(cancelled).toEqual([7]);
  });
});
