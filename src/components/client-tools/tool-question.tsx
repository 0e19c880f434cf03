import { type ComponentType, type ReactNode, useMemo } from 'react';
import type { ClientToolComponent, DialogKind, Settlement } from '../../core/tools/client-tool.ts';
import type { AnyTool } from '../any-tool.ts';
import { ChoiceQuestion } from '../choice/choice-dialog.tsx';
import { ConfirmationQuestion } from '../confirmation/confirmation-dialog.tsx';
import type { Elicitation } from '../elicitation/read-elicitation.ts';
import { FormQuestion } from '../form/form-dialog.tsx';
import type { OnSurface } from '../primitives/create-question.tsx';
import type { QuestionProps } from '../primitives/question.tsx';
import type { KitQuestion } from './pick-question.ts';

interface KitQuestionProps extends OnSurface<QuestionProps> {
  /** As `pickQuestion` read it, so that a dialog need not read it again. */
  readonly elicitation?: Elicitation | null | undefined;
}

/** The component of each kind, without the error boundary: a queue has its own. */
const QUESTIONS: Readonly<Record<DialogKind, ComponentType<KitQuestionProps>>> = {
  confirm: ConfirmationQuestion,
  form: FormQuestion,
  choice: ChoiceQuestion,
};

/** A question of the kit, as a dialog or a card. */
export function ToolQuestion({
  question,
  ...props
}: Omit<KitQuestionProps, 'elicitation'> & { question: KitQuestion }): ReactNode {
  const Question = QUESTIONS[question.kind];
  return <Question {...props} elicitation={question.elicitation} />;
}

/** The app's own component for a tool. Its tool notifies the queue when the component has answered the call. */
export function CustomQuestion({
  component,
  tool,
  onAnswered,
}: {
  component: ClientToolComponent;
  tool: AnyTool;
  onAnswered: (tool: AnyTool) => void;
}): ReactNode {
  const Component = component as ComponentType<{ tool: AnyTool }>;
  const watched = useMemo(() => watchTool(tool, onAnswered), [tool, onAnswered]);
  return <Component tool={watched} />;
}

/**
 * Returns the same call with methods that notify the queue. The property descriptors keep `status` a getter: a spread would
 * leave it at the stage of this moment for ever.
 */
function watchTool(tool: AnyTool, onAnswered: (tool: AnyTool) => void): AnyTool {
  const notify = (settlement: Settlement) => {
    // A hand-made call may return nothing. That counts as settled.
    if (settlement?.settled !== false) onAnswered(tool);
    return settlement;
  };
  const methods: Partial<AnyTool> = {
    submit: (...answer) => notify(tool.submit(...answer)),
    cancel: (...answer) => notify(tool.cancel(...answer)),
    decline: (...answer) => notify(tool.decline(...answer)),
    ...(tool.fail && { fail: (error: string) => notify(tool.fail?.(error) ?? { settled: true }) }),
  };
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(tool),
    ...Object.getOwnPropertyDescriptors(methods),
  });
}
