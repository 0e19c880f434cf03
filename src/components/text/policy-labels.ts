import type { AnsweredBy } from '../../core/tools/settled-call.ts';

/** The strings of approvals, of remembered choices and of the audit trail. Part of {@link Labels}. */
export interface PolicyLabels {
  readonly allow: string;
  readonly doNotAllow: string;
  readonly allowAll: (count: number) => string;
  readonly coversConversation: string;
  /** Names the two radio buttons `rememberOnce` and `rememberAlways`. */
  readonly remember: string;
  readonly rememberOnce: string;
  readonly rememberAlways: string;
  /** Says what is remembered. `{calls}` and `{place}` stand for the two pick lists. */
  readonly rememberSentence: string;
  readonly rememberCalls: string;
  /** The calls with the same arguments as this one, by the names of the arguments. */
  readonly rememberSame: (names: readonly string[]) => string;
  readonly rememberEvery: string;
  readonly rememberFor: string;
  /** `everywhere`: all conversations that the person has with the server. */
  readonly rememberScopes: Readonly<Record<'conversation' | 'browser' | 'everywhere', string>>;
  /** Takes the place of the sentence where the backend decides for which calls and how long. */
  readonly rememberHint: string;
  readonly rememberedChoices: string;
  readonly noRememberedChoices: string;
  readonly rememberedDecisions: Readonly<Record<'allowed' | 'declined', string>>;
  /** Shown below a remembered choice: for which calls it counts, where, and since when. */
  readonly rememberedSince: (
    scope: 'conversation' | 'browser',
    date: string,
    /** The names of the arguments that have to be the same; empty if it counts for every call. */
    sameArguments: readonly string[],
  ) => string;
  readonly rememberedArguments: string;
  readonly revoke: string;
  readonly revokeChoice: (toolName: string) => string;
  readonly revokeAll: string;
  readonly revoked: (toolName: string) => string;
  readonly auditTrail: string;
  readonly noAuditEntries: string;
  readonly answeredBy: Readonly<Record<AnsweredBy, string>>;
  /** Names the person who answered on another device. */
  readonly byPerson: (name: string) => string;
  readonly receipt: string;
  readonly allowedBy: Readonly<Record<'person' | 'remembered', string>>;
  readonly inOtherTab: string;
  readonly auditMore: (count: number) => string;
  readonly downloadCsv: string;
  readonly downloadJson: string;
}

export const englishPolicyLabels: PolicyLabels = {
  allow: 'Allow',
  doNotAllow: 'Decline',
  allowAll: (count) => `Allow all ${count}`,
  coversConversation: 'If you allow this, it may run again in this conversation without asking.',
  remember: 'How often to ask',
  rememberOnce: 'Allow once',
  rememberAlways: 'Always allow…',
  rememberSentence:
    'Do not ask again for {calls} in {place}. You can take this back under Remembered choices.',
  rememberCalls: 'For which calls',
  rememberSame: (names) =>
    names.length === 0 || names.length > 2
      ? 'exactly these details'
      : `this ${names.map((name) => name.charAt(0).toLowerCase() + name.slice(1)).join(' and ')}`,
  rememberEvery: 'every call like this',
  rememberFor: 'Where',
  rememberScopes: {
    conversation: 'this conversation',
    browser: 'this browser',
    everywhere: 'all your conversations',
  },
  rememberHint: 'From now on this is allowed without asking. You can change it later.',
  rememberedChoices: 'Remembered choices',
  noRememberedChoices: 'Nothing is remembered yet.',
  rememberedDecisions: { allowed: 'Always allows', declined: 'Always declines' },
  rememberedSince: (scope, date, sameArguments) => {
    const where = scope === 'conversation' ? 'This conversation' : 'This browser';
    const names = new Intl.ListFormat('en').format(sameArguments);
    return `${where}, ${names ? `only the same ${names}` : 'every call'}, since ${date}`;
  },
  rememberedArguments: 'Only for these details',
  revoke: 'Forget',
  revokeChoice: (toolName) => `Forget the choice for ${toolName}`,
  revokeAll: 'Forget all',
  revoked: (toolName) => `${toolName} will ask again.`,
  auditTrail: 'Answer history',
  noAuditEntries: 'No answers yet.',
  answeredBy: {
    person: 'by you',
    remembered: 'by a remembered choice',
    automatic: 'automatically',
    nobody: 'not answered',
  },
  byPerson: (name) => `by ${name}`,
  receipt: 'Receipt',
  allowedBy: { person: 'allowed by you', remembered: 'allowed by an earlier choice' },
  inOtherTab: 'in another tab',
  auditMore: (count) => `Show ${count} more`,
  downloadCsv: 'Download CSV',
  downloadJson: 'Download JSON',
};
