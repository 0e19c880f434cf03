/** The strings of the inbox. Part of {@link Labels}. */
export interface InboxLabels {
  readonly inbox: string;
  readonly inboxLoading: string;
  readonly inboxEmpty: string;
  readonly inboxFailed: string;
  /** Shown below the list when the server has more questions. */
  readonly inboxMore: string;
  /** Names a conversation that the app gives no title. */
  readonly inboxConversation: (sessionId: string) => string;
  /** Names the person whose message the agent works on. */
  readonly inboxStartedBy: (name: string) => string;
  readonly inboxAskedAt: (date: string) => string;
  readonly inboxNotShown: (toolName: string) => string;
  /** Said when a question leaves the list without an answer of this person. */
  readonly inboxWithdrawn: (title: string) => string;
}

export const englishInboxLabels: InboxLabels = {
  inbox: 'Waiting for you',
  inboxLoading: 'Loading your questions…',
  inboxEmpty: 'No question is waiting for you.',
  inboxFailed: 'Your questions could not be loaded.',
  inboxMore: 'More questions follow when these are answered.',
  inboxConversation: (sessionId) => `Conversation ${sessionId}`,
  inboxStartedBy: (name) => `for ${name}`,
  inboxAskedAt: (date) => `since ${date}`,
  inboxNotShown: (toolName) =>
    `The question from ${toolName} could not be shown here. Answer it in its conversation.`,
  inboxWithdrawn: (title) => `“${title}” was answered by somebody else, or its time is over.`,
};
