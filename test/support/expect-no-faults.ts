import { expect } from 'vitest';

/** A rule of the house, for people who have just broken it. */
export interface Guard {
  readonly rule: string;
  readonly why: string;
  /** Says what to do about a fault. */
  readonly cure: string;
}

/** Fails the test if there is a fault. The failure lists the faults, the rule, the reason for the rule, and the cure. */
export function expectNoFaults(faults: readonly string[], guard: Guard): void {
  expect(faults.length, explainFaults(faults, guard)).toBe(0);
}

function explainFaults(faults: readonly string[], { rule, why, cure }: Guard): string {
  return [
    ...faults.map((fault) => `\n${fault}`),
    `\nRule: ${rule}`,
    `Why: ${why}`,
    `What to do: ${cure}\n`,
  ].join('\n');
}
