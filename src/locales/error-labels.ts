import type { ErrorLabels } from '../components/text/error-labels.ts';

/** What can go wrong, in the words of a language. Several errors may share a text. */
export interface ErrorTexts {
  readonly answerFirst: string;
  readonly uploadFailed: string;
  readonly noFiles: string;
  readonly pageWrong: string;
  readonly closed: string;
  readonly quotaReached: string;
  readonly serverFailed: string;
  readonly unexpected: string;
  readonly brokeOff: string;
  readonly unreachable: string;
  readonly connectionLost: string;
  readonly unfinished: string;
  readonly tooManySteps: string;
  readonly restGone: string;
  readonly notSavedHere: string;
  readonly serverRestarted: string;
  readonly interrupted: string;
  readonly otherWindow: string;
  readonly notSaved: string;
  readonly modelBusy: string;
}

/** Gives each error of the chat its text. */
export function errorLabels(texts: ErrorTexts): ErrorLabels['errors'] {
  return {
    awaiting_input: () => texts.answerFirst,
    // A limit of the backend: the message says what to do.
    upload_failed: ({ errorType, message }) =>
      errorType === 'validation_error' ? message : texts.uploadFailed,
    upload_not_configured: () => texts.noFiles,
    invalid_options: () => texts.pageWrong,
    destroyed: () => texts.closed,
    http_error: ({ errorType }) =>
      errorType === 'quota_exceeded_error' ? texts.quotaReached : texts.serverFailed,
    invalid_response: () => texts.unexpected,
    invalid_event: () => texts.unexpected,
    stream_interrupted: () => texts.brokeOff,
    connection_failed: () => texts.unreachable,
    connection_lost: () => texts.connectionLost,
    backend_error: ({ backendCode, errorType, message }) =>
      describeBackendError(backendCode, errorType, texts) ?? message,
    finish_error: () => texts.unfinished,
    tool_rounds_exceeded: () => texts.tooManySteps,
    not_resumable: () => texts.restGone,
    persistence_failed: () => texts.notSavedHere,
  };
}

/** The failures of `handrail/server` and of models. Other backends write their messages for people themselves. */
function describeBackendError(
  code: string | undefined,
  errorType: string,
  texts: ErrorTexts,
): string | undefined {
  switch (code) {
    case 'server_restarted':
      return texts.serverRestarted;
    case 'run_interrupted':
      return texts.interrupted;
    case 'cursor_expired':
      return texts.restGone;
    case 'tool_rounds_exceeded':
      return texts.tooManySteps;
    case 'resumed_elsewhere':
      return texts.otherWindow;
    case 'session_conflict':
    case 'store_failed':
      return texts.notSaved;
    case 'agent_failed':
    case 'invalid_agent_output':
      return texts.unfinished;
    default:
      return errorType === 'provider_overloaded' ? texts.modelBusy : undefined;
  }
}
