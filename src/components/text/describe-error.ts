import { AgentChatError, describeThrown } from '../../shared/errors.ts';
import { hasOwn } from '../../shared/json.ts';
import type { ErrorLabels } from './error-labels.ts';
import { displayText } from './safe-text.ts';
import type { SharedLabels } from './shared-labels.ts';

/** Says for people what went wrong: the words of the error's code, or else the message of what was thrown. */
export function describeError(
  thrown: unknown,
  labels: Pick<ErrorLabels & SharedLabels, 'errors' | 'unknownError'>,
): string {
  // A newer version of the engine may have codes that these labels do not know.
  const isKnown = AgentChatError.isInstance(thrown) && hasOwn(labels.errors, thrown.code);
  const text = isKnown ? labels.errors[thrown.code](thrown) : describeThrown(thrown, labels.unknownError);
  return displayText(text, 600);
}
