/** The conversation under faults, and the check of the answers that the agent got. */
import type { AgentScript, ServerToolTable } from '../integration/backend.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';

export const MESSAGES = ['first', 'second'] as const;

/** Text, a server tool, an automatic one and two questions at once; then server alone; then automatic alone. */
export const script: AgentScript = ({ text }) =>
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
        ['saving, ', { call: 'save' }],
        ['almost, ', { call: 'locate' }],
        ['all done.'],
      ]
    : [['Good', 'bye.']];

export const serverTools: ServerToolTable = {
  lookup: () => ({ price: 3 }),
  save: () => null,
};

/** Tools whose answer is made on the page and names the call it belongs to. */
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
  /** The answers given on the page, by call id. */
  readonly answered: ReadonlyMap<string, number>;
  readonly isStuck: boolean;
  /** The final text of the page; unknown if the network doubles deltas without a number. */
  readonly finalText: string | undefined;
}

/** Compares the history of the agent with the guarantees. */
export function takeAccount({ transcript, answered, isStuck, finalText }: Observed): Account {
  const account: Account = { lost: 0, doubled: 0, stuck: 0, wrongTurn: 0, details: [] };
  const note = (kind: 'lost' | 'doubled' | 'stuck' | 'wrongTurn', detail: string) => {
    account[kind] += 1;
    account.details.push(`${kind}: ${detail}`);
  };
  if (isStuck) note('stuck', 'the conversation did not come to its end');
  const answers = transcript.flatMap((line) => ('answer' in line ? [line] : []));
  for (const [toolCallId, times] of answered) {
    const taken = answers.filter(({ answer }) => answer === toolCallId).length;
    if (taken === 0) note('lost', `${toolCallId} was answered and the agent never received the answer`);
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
  if (!isStuck && finalText !== undefined && finalText !== 'Goodbye.')
    note('lost', `the page ends with ${JSON.stringify(finalText)}`);
  return account;
}
