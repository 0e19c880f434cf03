/** The conversation that is played with faults, and the comparison of it with the transcript of the agent. */
import type { AgentScript, ServerToolTable } from '../integration/backend.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';

export const MESSAGES = ['first', 'second'] as const;

/** The person declines a payment to this name. */
export const REFUSED = 'Mallory';

/**
 * First text, a server tool, an automatic tool and two questions at once; then a server tool; then an automatic tool.
 *
 * @param asksBeforePay true for a server that asks a person before it pays: it does so after the other questions, about two payments at
 * once, one of which the person declines
 */
export const createScript =
  (asksBeforePay = false): AgentScript =>
  ({ text }) =>
    text === 'first'
      ? [
          [
            { reasoning: 'Let me look.' },
            'One moment, ',
            { call: 'lookup', args: { what: 'price' } },
            { call: 'locate' },
            { call: 'confirm', args: { question: 'one?' } },
            { call: 'confirm', args: { question: 'two?' } },
          ],
          asksBeforePay
            ? ['paying, ', { call: 'pay', args: { to: 'Ann' } }, { call: 'pay', args: { to: REFUSED } }]
            : ['saving, ', { call: 'save' }],
          ['almost, ', { call: 'locate' }],
          ['all done.'],
        ]
      : [['Good', 'bye.']];

/** @param paid takes the call of each payment */
export function createServerTools(paid: string[]): ServerToolTable {
  return {
    lookup: () => ({ price: 3 }),
    save: () => null,
    pay: ({ toolCallId }) => ({ receipt: paid.push(String(toolCallId)) }),
  };
}

/** Tools that the page answers. The result of each names its call. */
const CLIENT_TOOLS = ['locate', 'confirm'];

export interface Account {
  lost: number;
  doubled: number;
  stuck: number;
  wrongTurn: number;
  readonly details: string[];
}

interface Observed {
  readonly transcript: readonly TranscriptLine[];
  /** How often the page answered, by call id. */
  readonly answered: ReadonlyMap<string, number>;
  /** The call of each payment. */
  readonly paid: readonly string[];
  /** The calls that the person declined. */
  readonly declined: ReadonlySet<string>;
  readonly isStuck: boolean;
  /** The last text on the page. Unknown if the network doubled events that have no number. */
  readonly finalText: string | undefined;
  /** True if the server takes each message once, however often it is sent. */
  readonly takesMessagesOnce: boolean;
}

/** Compares the transcript of the agent with the answers of the page. */
export function takeAccount({
  transcript,
  answered,
  paid,
  declined,
  isStuck,
  finalText,
  takesMessagesOnce,
}: Observed): Account {
  const account: Account = { lost: 0, doubled: 0, stuck: 0, wrongTurn: 0, details: [] };
  const note = (kind: 'lost' | 'doubled' | 'stuck' | 'wrongTurn', detail: string) => {
    account[kind] += 1;
    account.details.push(`${kind}: ${detail}`);
  };
  if (isStuck) note('stuck', 'the conversation did not come to its end');
  for (const message of takesMessagesOnce ? MESSAGES : []) {
    const times = transcript.filter((line) => 'user' in line && line.user === message).length;
    if (times > 1) note('doubled', `the agent got the message "${message}" ${times} times`);
  }
  const paidTwice = paid.filter((toolCallId, index) => paid.indexOf(toolCallId) < index);
  for (const toolCallId of paidTwice) note('doubled', `${toolCallId} was paid again`);
  for (const toolCallId of declined)
    if (paid.includes(toolCallId)) note('wrongTurn', `${toolCallId} was declined, and paid`);
  const answers = transcript.flatMap((line) => ('answer' in line ? [line] : []));
  for (const [toolCallId, times] of answered) {
    const taken = answers.filter(({ answer }) => answer === toolCallId).length;
    if (taken === 0) note('lost', `${toolCallId} was answered, and the agent never got the answer`);
    if (times > 1) note('doubled', `${toolCallId} ran ${times} times`);
  }
  for (const line of transcript) {
    if (!('call' in line)) continue;
    const taken = answers.filter(({ answer }) => answer === line.call);
    if (taken.length > 1) note('doubled', `${line.call} has ${taken.length} answers at the agent`);
    const mine = CLIENT_TOOLS.includes(line.toolName) && taken[0]?.error === undefined;
    const belongs = (taken[0]?.result as { of?: string } | undefined)?.of === line.call;
    if (mine && taken[0] !== undefined && !belongs)
      note('wrongTurn', `${line.call} got the answer of another call`);
  }
  // The history of the server, which a page gets when the log of a run is gone, separates the texts by blank lines.
  const shown = finalText?.replaceAll('\n', '');
  if (!isStuck && shown !== undefined && shown !== 'Goodbye.')
    note('lost', `the page ends with ${JSON.stringify(finalText)}`);
  return account;
}
