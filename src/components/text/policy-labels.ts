import type { AnsweredBy } from '../../core/tools/settled-call.ts';

/** The strings of approvals, of remembered choices and of the audit trail. Part of {@link Labels}. */
export interface PolicyLabels {
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
