import type { AgentChatError, AgentChatErrorCode } from '../../shared/errors.ts';
import { plural } from './safe-text.ts';

/** The strings of what went wrong in a conversation. Part of {@link Labels}. */
export interface ErrorLabels {
  /** Says for people what went wrong. The `message` of an error is for developers, except that of a `backend_error`. */
  readonly errors: Readonly<Record<AgentChatErrorCode, (error: AgentChatError) => string>>;
  readonly retryAfter: (seconds: number) => string;
  readonly tryAgain: string;
}

export const englishErrorLabels: ErrorLabels = {
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
