/** Random conversations: calls of the agent, actions of the person, and faults of the network. */
import fc from 'fast-check';
import type { AgentScript } from '../integration/backend.ts';

const response = fc.array(fc.constantFrom('confirm', 'confirm', 'locate', 'lookup'), {
  minLength: 1,
  maxLength: 3,
});

const step = fc.record({
  deed: fc.constantFrom(
    ...Array.from({ length: 9 }, () => 'answer' as const),
    ...Array.from({ length: 4 }, () => 'send' as const),
    ...(['retry', 'retry', 'cut', 'cut', 'resume', 'clear the error', 'reload'] as const),
  ),
  /** The index of the open question, modulo their number. */
  which: fc.nat(5),
  answer: fc.constantFrom('submit', 'submit', 'submit', 'decline', 'cancel'),
  whilePending: fc.constantFrom('reject', 'cancel', 'queue'),
  /** Milliseconds until the next step; 0: in the same task. */
  pause: fc.oneof(fc.constant(0), fc.nat(12)),
});

const conversation = fc.record({
  /** The responses of each turn, used cyclically. */
  turns: fc.array(fc.array(response, { maxLength: 2 }), { minLength: 3, maxLength: 8 }),
  steps: fc.array(step, { minLength: 6, maxLength: 20 }),
  /** A body that ends early and is then cancelled throws an error in Node 20 that no code can catch. */
  events: fc.array(fc.record({ fault: fc.constant('cut-before'), at: fc.nat(60) }), { maxLength: 4 }),
  requests: fc.array(fc.record({ fault: fc.constantFrom('lose-request', 'lose-response'), at: fc.nat(10) }), {
    maxLength: 2,
  }),
});

export type RandomConversation = typeof conversation extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns the same conversations for the same seed. */
export function sampleConversations(count: number, seed: number): readonly RandomConversation[] {
  return fc.sample(conversation, { numRuns: count, seed });
}

/** The last message, for which the agent calls no tool. */
export const LAST = 'last';

export function scriptOf({ turns }: RandomConversation): AgentScript {
  return ({ text }) => {
    const responses = text === LAST ? [] : (turns[Number(text) % turns.length] ?? []);
    return [...responses.map((tools) => ['Well, ', ...tools.map((call) => ({ call }))]), [`${text} done.`]];
  };
}
