/** The conversation that is played on a cluster, and the comparison of it with the stored record and the payments. */

import * as z from 'zod';
import { readAnswers } from '../../../src/server/receipts/answer-record.ts';
import { readHistory } from '../../../src/server/runs/history.ts';
import {
  createScriptedAgent,
  defineServerTool,
  type ServerTools,
  type SessionRecord,
} from '../../../src/server.ts';

export const MESSAGES = ['first', 'second', 'third'] as const;

/** The whole text of the last answer. */
export const LAST_TEXT = 'Goodbye.';

/** The text after which the person presses stop. */
export const STOP_AT = 'stop me';

/** Tools of both sides and a payment that asks a person; a text that is stopped; a text. */
export const agent = createScriptedAgent(({ text }) => {
  if (text === 'first')
    return [
      'One moment, ',
      { call: 'lookup', args: { what: 'price' } },
      { call: 'locate' },
      { call: 'confirm', args: { question: 'one?' } },
      'paying, ',
      { call: 'pay' },
      'all done.',
    ];
  // The second message is stopped, or interrupted and repeated.
  if (text === 'second') return [`Well, ${STOP_AT}, `, { pauseMs: 2_000 }, 'too late.'];
  return ['Good', 'bye.'];
});

/** @param pay pays once for each key, and resolves to the receipt */
export function createTools(pay: (order: string, idempotencyKey: string) => Promise<string>): ServerTools {
  return {
    lookup: () => ({ price: 3 }),
    pay: defineServerTool({
      async execute(_, { ask, once, toolCallId }) {
        const { why } = await ask({ message: 'Why?', output: z.object({ why: z.string() }) });
        const receipt = await once('pay', ({ idempotencyKey }) => pay(toolCallId, idempotencyKey));
        return { why, receipt };
      },
    }),
  };
}

export interface Account {
  lost: number;
  doubled: number;
  stuck: number;
  readonly details: string[];
}

interface Observed {
  readonly record: SessionRecord | null;
  /** The calls that the page answered, and how often. */
  readonly answered: ReadonlyMap<string, number>;
  /** The keys that were paid for in this conversation, each once however often the service was called with it. */
  readonly paid: readonly string[];
  readonly isStuck: boolean;
  readonly finalText: string;
}

export function takeAccount({ record, answered, paid, isStuck, finalText }: Observed): Account {
  const account: Account = { lost: 0, doubled: 0, stuck: 0, details: [] };
  const note = (kind: 'lost' | 'doubled' | 'stuck', detail: string) => {
    account[kind] += 1;
    account.details.push(`${kind}: ${detail}`);
  };
  if (isStuck) note('stuck', 'the conversation did not come to its end');
  const messages = record ? readHistory(record) : [];
  for (const message of MESSAGES) {
    const times = messages.filter((line) => line.role === 'user' && line.content === message).length;
    if (times > 1) note('doubled', `the agent got the message "${message}" ${times} times`);
    if (times === 0 && !isStuck) note('lost', `the agent never got the message "${message}"`);
  }
  const results = messages.flatMap((line) => (line.role === 'tool' ? [line] : []));
  const answers = record ? readAnswers('', record) : [];
  for (const [toolCallId, times] of answered) {
    if (times > 1) note('doubled', `${toolCallId} was answered ${times} times on the page`);
    const stored = answers.filter((answer) => answer.toolCallId === toolCallId);
    if (stored.length === 0 && !isStuck)
      note('lost', `${toolCallId} was answered, and the answer is not stored`);
    if (stored.length > 1) note('doubled', `${toolCallId} has ${stored.length} stored answers`);
    const taken = results.filter((result) => result.toolCallId === toolCallId);
    if (taken.length > 1) note('doubled', `the agent got ${taken.length} answers to ${toolCallId}`);
  }
  if (paid.length > 1) note('doubled', `paid ${paid.length} times: ${paid.join(', ')}`);
  if (paid.length === 0 && !isStuck) note('lost', 'nothing was paid');
  if (!isStuck && finalText !== LAST_TEXT) note('lost', `the page ends with ${JSON.stringify(finalText)}`);
  return account;
}
