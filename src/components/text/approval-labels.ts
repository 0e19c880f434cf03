/** The strings of approvals, and of the choice to remember them. Part of {@link Labels}. */
export interface ApprovalLabels {
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
}

export const englishApprovalLabels: ApprovalLabels = {
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
};
