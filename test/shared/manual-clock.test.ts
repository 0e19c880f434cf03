import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/testing/manual-clock.ts';

describe('createManualClock', () => {
  it('a manual clock runs due timers in order, each at its time, and none before', async () => {
    const clock = createManualClock(1000);
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(`${name} at ${clock.now()}`);
    clock.after(30, note('last'));
    clock.after(10, note('first'));
    clock.after(-5, note('overdue'));
    clock.after(31, note('never'));
    expect(ran).toEqual([]);
    await clock.advance(30);
    expect(ran).toEqual(['overdue at 1000', 'first at 1010', 'last at 1030']);
    expect([clock.now(), clock.waiting]).toEqual([1030, 1]);
  });

  it('a manual clock runs timers that were set during advance(), after promises have settled', async () => {
    const clock = createManualClock(0);
    const ran: number[] = [];
    clock.after(10, async () => {
      for (let turn = 0; turn < 20; turn += 1) await null;
      clock.after(10, () => ran.push(clock.now()));
    });
    await clock.advance(25);
    expect(ran).toEqual([20]);
    expect(clock.now()).toBe(25);
  });

  it('a manual clock runs no cancelled timer', async () => {
    const clock = createManualClock();
    const ran: string[] = [];
    const cancels = [clock.after(1, () => ran.push('timer')), clock.nextFrame(() => ran.push('frame'))];
    expect(clock.waiting).toBe(2);
    for (const cancel of cancels) cancel();
    await clock.advance(1);
    expect([ran, clock.waiting]).toEqual([[], 0]);
  });

  it('a manual clock runs each frame once, on advance() or on paint()', async () => {
    const clock = createManualClock(0);
    let frames = 0;
    clock.nextFrame(() => {
      frames += 1;
      clock.nextFrame(() => {
        frames += 1;
      });
    });
    clock.frame();
    expect([frames, clock.waiting, clock.now()]).toEqual([1, 1, 0]);
    await clock.advance(0);
    expect([frames, clock.waiting]).toEqual([2, 0]);
    clock.after(10, () => {
      clock.nextFrame(() => {
        frames += 1;
      });
    });
    await clock.advance(10);
    expect(frames).toBe(3);
  });
});
