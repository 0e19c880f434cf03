/** Conversations by chance: what the agent calls, what the person does, and what goes wrong on the way. */
import fc from 'fast-check';
import type { AgentScript } from '../integration/backend.ts';

const leg = fc.array(fc.constantFrom('confirm', 'confirm', 'locate', 'lookup'), {
  minLength: 1,
  maxLength: 3,
});

const step = fc.record({
  deed: fc.constantFrom(
    ...Array.from({ length: 9 }, () => 'answer' as const),
    ...Array.from({ length: 4 }, () => 'send' as const),
    ...(['retry', 'retry', 'cut', 'cut', 'resume', 'clear the error', 'reload'] as const),
  ),
  /** Which of the open questions, counted around. */
  which: fc.nat(5),
  answer: fc.constantFrom('submit', 'submit', 'submit', 'decline', 'cancel'),
  whilePending: fc.constantFrom('reject', 'cancel', 'queue'),
  /** Milliseconds until the next step; 0: in the same breath. */
  pause: fc.oneof(fc.constant(0), fc.nat(12)),
});

const conversation = fc.record({
  /** The responses of each turn; the turns come around again. */
  turns: fc.array(fc.array(leg, { maxLength: 2 }), { minLength: 3, maxLength: 8 }),
  steps: fc.array(step, { minLength: 6, maxLength: 20 }),
  /** A body that ends early and is then called off throws in Node 20, past everybody who could catch it. */
  events: fc.array(fc.record({ fault: fc.constant('cut-before'), at: fc.nat(60) }), { maxLength: 4 }),
  requests: fc.array(fc.record({ fault: fc.constantFrom('lose-request', 'lose-response'), at: fc.nat(10) }), {
    maxLength: 2,
  }),
});

export type RandomConversation = typeof conversation extends fc.Arbitrary<infer Value> ? Value : never;

/** The same ones for the same seed. */
export function sampleConversations(count: number, seed: number): readonly RandomConversation[] {
  return fc.sample(conversation, { numRuns: count, seed });
}

/** The last thing that is said, which calls no tool. */
export const LAST = 'last';

export function scriptOf({ turns }: RandomConversation): AgentScript {
  return ({ text }) => {
    const legs = text === LAST ? [] : (turns[Number(text) % turns.length] ?? []);
    return [...legs.map((tools) => ['Well, ', ...tools.map((call) => ({ call }))]), [`${text} done.`]];
  };
}
