import { expect, it } from 'vitest';
import { findMeant } from '../../src/shared/find-meant.ts';

const WORDS = ['approval', 'severity', 'mayAnswer'] as const;

it.each([
  ['aproval', 'approval'],
  ['Approval', 'approval'],
  ['approve', 'approval'],
  ['needsApproval', 'approval'],
  ['serverity', 'severity'],
  ['severty', 'severity'],
  ['mayAnwser', 'mayAnswer'],
  ['may_answer', 'mayAnswer'],
])('findMeant takes %s for %s', (name, meant) => {
  expect(findMeant(name, WORDS)).toBe(meant);
});

it.each(['', 'owner', 'answer', 'several', '__proto__'])(
  'findMeant takes the other word "%s" for none',
  (name) => {
    expect(findMeant(name, WORDS)).toBeUndefined();
  },
);
