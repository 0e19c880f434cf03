import { describe, expect, it } from 'vitest';
import { askRule, RULE_LIMIT_MS } from '../../src/server/ask-rule.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';

describe('askRule', () => {
  it.each([
    ['returns', () => false],
    ['resolves to', async () => false],
  ])('yields the value that the rule %s, and leaves no timer behind', async (_name, rule) => {
    const clock = createManualClock();
    expect(await askRule(clock, RULE_LIMIT_MS, 'mayAnswer', rule)).toEqual({ value: false });
    expect(clock.waiting).toBe(0);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no database'))],
    [
      'throws at once',
      (): boolean => {
        throw new Error('no database');
      },
    ],
  ])('says that a rule that %s failed, and with what', async (_name, rule) => {
    const clock = createManualClock();
    expect(await askRule<unknown>(clock, RULE_LIMIT_MS, 'mayAnswer', rule)).toEqual({
      failed: new Error('no database'),
    });
    expect(clock.waiting).toBe(0);
  });

  it('says that a rule failed when ten seconds are over, and names the rule', async () => {
    const clock = createManualClock();
    const answer = askRule(clock, RULE_LIMIT_MS, 'mayOpen', () => new Promise<boolean>(() => {}));
    await clock.advance(9_999);
    expect(clock.waiting).toBe(1);
    await clock.advance(1);
    expect(await answer).toEqual({
      failed: expect.objectContaining({ message: expect.stringContaining('mayOpen') }),
    });
  });

  it('ignores a rule that rejects when its time is over', async () => {
    const clock = createManualClock();
    let reject = (_error: Error) => {};
    const rule = () =>
      new Promise<boolean>((_resolve, rejectRule) => {
        reject = rejectRule;
      });
    const answer = askRule(clock, RULE_LIMIT_MS, 'mayOpen', rule);
    await clock.advance(RULE_LIMIT_MS);
    reject(new Error('too late'));
    expect(await answer).toHaveProperty('failed.message', expect.stringContaining('10 seconds'));
  });
});
