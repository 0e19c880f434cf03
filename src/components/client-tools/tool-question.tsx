import { type ComponentType, type ReactNode, useMemo } from 'react';
import type { Settlement } from '../../tools/client-tool.ts';
import { ChoiceCard, ChoiceDialog } from '../choice/choice-dialog.tsx';
import { ConfirmationCard, ConfirmationDialog } from '../confirmation/confirmation-dialog.tsx';
import { FormCard, FormDialog } from '../form/form-dialog.tsx';
import type { AnyTool } from '../primitives/any-tool.ts';
import type { QuestionProps } from '../primitives/question-props.ts';
import type { QuestionKind } from './pick-question.ts';

const DIALOGS: Readonly<Record<QuestionKind, ComponentType<QuestionProps>>> = {
  confirm: ConfirmationDialog,
  form: FormDialog,
  choice: ChoiceDialog,
};

const CARDS: Readonly<Record<QuestionKind, ComponentType<QuestionProps>>> = {
  confirm: ConfirmationCard,
  form: FormCard,
  choice: ChoiceCard,
};

/** The question of a kind, on a surface. */
export function ToolQuestion({
  kind,
  surface,
  ...props
}: QuestionProps & { kind: QuestionKind; surface: 'dialog' | 'card' }): ReactNode {
  const Question = surface === 'dialog' ? DIALOGS[kind] : CARDS[kind];
  return <Question {...props} />;
}

/** The app's own component for a tool. What it shows is its own business; that it answered is the queue's. */
export function CustomQuestion({
  component,
  tool,
  onAnswered,
}: {
  component: unknown;
  tool: AnyTool;
  onAnswered: (tool: AnyTool) => void;
}): ReactNode {
  const Component = component as ComponentType<{ tool: AnyTool }>;
  const watched = useMemo(() => {
    const told = (settlement: Settlement) => {
      // A call made by hand may return nothing: it took the answer.
      if (settlement?.settled !== false) onAnswered(tool);
      return settlement;
    };
    return {
      ...tool,
      status: tool.status,
      submit: (...answer: Parameters<AnyTool['submit']>) => told(tool.submit(...answer)),
      cancel: (...answer: Parameters<AnyTool['cancel']>) => told(tool.cancel(...answer)),
      decline: (...answer: Parameters<AnyTool['decline']>) => told(tool.decline(...answer)),
    };
  }, [tool, onAnswered]);
  return <Component tool={watched} />;
}
