import type { Severity } from '../../tools/client-tool.ts';
import type { AnswerOutcome } from '../hooks/use-answer.ts';
import type { Labels } from '../text/labels.ts';
import type { AnyTool } from './any-tool.ts';
import type { Slots } from './slot.tsx';

/** Props of every dialog and card. */
export interface QuestionProps {
  /** The call to answer. */
  readonly tool: AnyTool;
  /** Replaces the title read from the tool and its arguments. */
  readonly title?: string | undefined;
  /** Replaces the message below the title. */
  readonly message?: string | undefined;
  /** How careful to be. Default: from the tool's definition, else `neutral`. */
  readonly severity?: Severity | undefined;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers of its parts, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  /** Added to the dialog's or card's own class names. */
  readonly className?: string | undefined;
  /** Told once, when the person is done with this question. */
  readonly onSettled?: ((outcome: AnswerOutcome) => void) | undefined;
  /** Told when the question could not be shown; its call is cancelled by then. Default: `reportError`. */
  readonly onError?: ((error: unknown, tool: AnyTool) => void) | undefined;
}
