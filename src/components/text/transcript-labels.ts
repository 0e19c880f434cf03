import type { ChatStatus } from '../../core/store/chat-state.ts';
import type { AgentChatError, AgentChatErrorCode } from '../../shared/errors.ts';
import { plural } from './safe-text.ts';

/** The strings of the transcript and the composer. Part of {@link Labels}. */
export interface TranscriptLabels {
  readonly conversation: string;
  readonly roles: Readonly<Record<'user' | 'assistant', string>>;
  readonly thinking: string;
  readonly answering: string;
  readonly reasoning: Readonly<Record<'streaming' | 'done', string>>;
  readonly stopped: string;
  readonly operationStatus: Readonly<Record<'running' | 'done' | 'cancelled', string>>;
  /** The name of the list of tasks. */
  readonly todos: string;
  readonly todoStatus: Readonly<Record<'pending' | 'in_progress' | 'completed' | 'cancelled', string>>;
  /** The headings inside a call that the provider of the model executed. */
  readonly providerActions: string;
  readonly providerSources: string;
  readonly providerArtifacts: string;
  /** How far a handler is: how many things are done, and of how many, where it knows. */
  readonly callProgress: (done: number, total: number | undefined) => string;
  /** The heading of the files that a handler has added to its result. */
  readonly callFiles: string;
  readonly file: string;
  readonly fileSize: (bytes: number) => string;
  readonly jumpToLatest: string;
  readonly showQuestion: string;
  readonly turnFailed: string;
  /** Says for people what went wrong. The `message` of an error is for developers, except that of a `backend_error`. */
  readonly errors: Readonly<Record<AgentChatErrorCode, (error: AgentChatError) => string>>;
  readonly retryAfter: (seconds: number) => string;
  readonly tryAgain: string;
  readonly dismiss: string;
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
  readonly notSent: (reason: string) => string;
  /** The reason when an error has no message. */
  readonly unknownError: string;
  readonly attach: string;
  readonly attachments: string;
  readonly dropFiles: string;
  readonly removeFile: (name: string) => string;
  readonly uploadAgain: (name: string) => string;
  readonly uploading: (name: string) => string;
  readonly uploaded: (name: string) => string;
  /** After the size of a file that is uploaded. */
  readonly fileUploaded: string;
  readonly uploadFailed: (name: string, reason: string) => string;
  readonly uploadsUnfinished: string;
  readonly uploadsFailed: string;
  readonly fileTooLarge: (name: string, maxBytes: number) => string;
  readonly fileNotAccepted: (name: string) => string;
  readonly tooManyFiles: (max: number) => string;
  /** `onlyImages`: nothing but pictures is accepted. */
  readonly chooseFiles: (max: number, onlyImages: boolean) => string;
  readonly uploadsUnavailable: string;
}

export const englishTranscriptLabels: TranscriptLabels = {
  conversation: 'Conversation',
  roles: { user: 'You', assistant: 'Agent' },
  thinking: 'Thinking…',
  answering: 'The agent is answering.',
  reasoning: { streaming: 'Thinking…', done: 'Thought about it' },
  stopped: 'Stopped',
  operationStatus: { running: 'running', done: 'done', cancelled: 'cancelled' },
  todos: 'Tasks',
  todoStatus: { pending: 'to do', in_progress: 'in progress', completed: 'done', cancelled: 'dropped' },
  providerActions: 'Steps',
  providerSources: 'Sources',
  providerArtifacts: 'Files',
  callProgress: (done, total) => (total === undefined ? `${done} done` : `${done} of ${total}`),
  callFiles: 'Files',
  file: 'File',
  fileSize: formatBytes,
  jumpToLatest: 'Jump to latest',
  showQuestion: 'Show',
  turnFailed: 'The answer failed',
  errors: {
    awaiting_input: () => 'The agent is waiting for your answer first.',
    // A limit of the backend: the message says what to do.
    upload_failed: ({ errorType, message }) =>
      errorType === 'validation_error' ? message : 'A file could not be uploaded.',
    upload_not_configured: () => 'Files cannot be sent from here.',
    invalid_options: () => 'Something is wrong with this page.',
    destroyed: () => 'This conversation is closed. Reload the page to go on.',
    http_error: ({ errorType }) =>
      errorType === 'quota_exceeded_error'
        ? 'The usage limit of this plan is reached. Trying again does not help until it is raised.'
        : 'The server could not answer.',
    invalid_response: () => 'The server sent something unexpected.',
    invalid_event: () => 'The server sent something unexpected.',
    stream_interrupted: () => 'The connection broke before the answer was complete.',
    connection_failed: () => 'The server could not be reached. Check your connection.',
    connection_lost: () => 'The connection to the server was lost.',
    backend_error: ({ backendCode, errorType, message }) =>
      describeBackendError(backendCode, errorType) ?? message,
    finish_error: () => 'The agent could not finish its answer.',
    tool_rounds_exceeded: () => 'The agent took too many steps and was paused.',
    not_resumable: () => 'The rest of this answer is no longer available.',
    persistence_failed: () => 'This conversation could not be saved in this browser.',
  },
  retryAfter: (seconds) => `The server asks you to wait ${plural(seconds, 'second')}.`,
  tryAgain: 'Try again',
  dismiss: 'Dismiss',
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
  notSent: (reason) => `Not sent: ${reason}`,
  unknownError: 'unknown error',
  attach: 'Attach files',
  attachments: 'Attached files',
  dropFiles: 'Drop files to attach them',
  removeFile: (name) => `Remove ${name}`,
  uploadAgain: (name) => `Upload ${name} again`,
  uploading: (name) => `Uploading ${name}`,
  fileUploaded: 'uploaded',
  uploaded: (name) => `${name} is attached.`,
  uploadFailed: (name, reason) => `${name} was not uploaded: ${reason}`,
  uploadsUnfinished: 'Files are still being uploaded.',
  uploadsFailed: 'A file was not uploaded. Try it again or remove it.',
  fileTooLarge: (name, maxBytes) => `${name} is larger than ${formatBytes(maxBytes)}.`,
  fileNotAccepted: (name) => `${name} is not an accepted kind of file.`,
  chooseFiles: (max, onlyImages) =>
    max === 1
      ? `Choose a ${onlyImages ? 'photo' : 'file'}, or drop it here`
      : `Choose ${onlyImages ? 'photos' : 'files'}, or drop them here`,
  uploadsUnavailable: 'Files cannot be sent from here.',
  tooManyFiles: (max) => `At most ${plural(max, 'file')} can be attached.`,
};

/** The failures of `handrail/server` and of models in words for people. Other backends write their messages for people themselves. */
function describeBackendError(code: string | undefined, errorType: string): string | undefined {
  switch (code) {
    case 'server_restarted':
      return 'The server restarted. Your answers are kept.';
    case 'run_interrupted':
      return 'The answer was interrupted.';
    case 'cursor_expired':
      return 'The rest of this answer is no longer available.';
    case 'tool_rounds_exceeded':
      return 'The agent took too many steps and was paused.';
    case 'resumed_elsewhere':
      return 'This conversation goes on in another window.';
    case 'session_conflict':
    case 'store_failed':
      return 'The server could not save this conversation.';
    case 'agent_failed':
    case 'invalid_agent_output':
      return 'The agent could not finish its answer.';
    default:
      return errorType === 'provider_overloaded' ? 'The model is busy.' : undefined;
  }
}

/** Decimal units, as in most file managers. */
function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 10 && unit > 0 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${units[unit]}`;
}
