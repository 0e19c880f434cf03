import type { ChatStatus } from '../../core/store/chat-state.ts';

/** The strings of the composer. Part of {@link Labels}. */
export interface ComposerLabels {
  readonly message: string;
  readonly messagePlaceholder: string;
  readonly send: string;
  readonly stop: string;
  /** The hint below the composer's field in each status of the chat. */
  readonly composerHints: Readonly<Record<ChatStatus, string>>;
  readonly sendingWithdraws: string;
  readonly sendingWaits: string;
  readonly messageWaits: string;
  /** Shown while the text in the composer is the answer to these questions. Empty where their names are unknown. */
  readonly replying: (questions: readonly string[]) => string;
  readonly replyHasFiles: string;
  readonly attach: string;
  readonly dropFiles: string;
}

export const englishComposerLabels: ComposerLabels = {
  message: 'Message',
  messagePlaceholder: 'Message the agent',
  send: 'Send',
  stop: 'Stop',
  composerHints: {
    idle: 'Enter sends, Shift+Enter starts a new line.',
    streaming: 'The agent is answering. Sending now interrupts it.',
    'awaiting-input': 'The agent waits for this page. Answer or stop it first.',
    error: 'The last answer failed. You can send another message.',
  },
  sendingWithdraws: 'The agent is waiting for your answer. Sending now withdraws its question.',
  sendingWaits: 'The agent is waiting for your answer. Your message goes out after it.',
  messageWaits: 'Your message goes out once the question is answered.',
  replying: ([question = 'the open question', ...others]) =>
    `Sends a no to ${others.length > 0 ? `${others.length + 1} questions` : question}, with these words.`,
  replyHasFiles: 'Files cannot go with an answer. Remove them, or answer the question first.',
  attach: 'Attach files',
  dropFiles: 'Drop files to attach them',
};
