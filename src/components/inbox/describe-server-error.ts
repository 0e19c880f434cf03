import type { AgentChatError } from '../../shared/errors.ts';
import { describeError } from '../text/describe-error.ts';
import type { Labels } from '../text/labels.ts';
import { displayText } from '../text/safe-text.ts';

/** Says why the server refused a request: in the words of the server, if it has a code for the reason. */
export function describeServerError(error: AgentChatError, labels: Labels): string {
  return error.backendCode === undefined ? describeError(error, labels) : displayText(error.message, 600);
}
