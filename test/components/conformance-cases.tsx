import type { ComponentType } from 'react';
import { ChoiceCard, ChoiceDialog } from '../../src/components/choice/choice-dialog.tsx';
import {
  ConfirmationCard,
  ConfirmationDialog,
} from '../../src/components/confirmation/confirmation-dialog.tsx';
import { FormCard, FormDialog } from '../../src/components/form/form-dialog.tsx';
import type { DialogFrameProps } from '../../src/components/primitives/dialog-frame.tsx';
import type { QuestionProps } from '../../src/components/primitives/question.tsx';
import type { InteractiveToolDefinition } from '../../src/core/tools/client-tool.ts';
import { RunCodeQuestion } from '../../src/sandbox/ui/run-code-question.tsx';
import { runCodeTool } from '../../src/sandbox/ui/run-code-tool.ts';
import { createTestTool, type TestToolOptions } from './create-test-tool.ts';

/** A dialog, its card, a call for them, and the first focus of the dialog. */
export interface ConformanceCase {
  readonly name: string;
  readonly Dialog: ComponentType<QuestionProps & DialogFrameProps>;
  readonly Card: ComponentType<QuestionProps>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly definition?: TestToolOptions['definition'];
  readonly start: { readonly role: string; readonly name: string };
}

export const conformanceCases: readonly ConformanceCase[] = [
  {
    name: 'confirmation',
    Dialog: ConfirmationDialog,
    Card: ConfirmationCard,
    args: { total: 11.4 },
    start: { role: 'button', name: 'Confirm' },
  },
  {
    name: 'form',
    Dialog: FormDialog,
    Card: FormCard,
    args: { fields: [{ name: 'note', label: 'Note' }] },
    start: { role: 'textbox', name: 'Note' },
  },
  {
    name: 'single choice',
    Dialog: ChoiceDialog,
    Card: ChoiceCard,
    args: { options: ['Tea', 'Coffee'] },
    start: { role: 'radio', name: 'Tea' },
  },
  {
    name: 'multiple choice',
    Dialog: ChoiceDialog,
    Card: ChoiceCard,
    args: { options: ['Tea', 'Coffee'], multiple: true },
    start: { role: 'checkbox', name: 'Tea' },
  },
  {
    name: 'page to open',
    Dialog: ConfirmationDialog,
    Card: ConfirmationCard,
    args: { mode: 'url', url: 'https://accounts.example.com/connect' },
    start: { role: 'button', name: 'Open page' },
  },
  {
    name: 'consent without a form',
    Dialog: ConfirmationDialog,
    Card: ConfirmationCard,
    args: { requestedSchema: { type: 'object', properties: {} } },
    start: { role: 'button', name: 'Confirm' },
  },
  {
    name: 'run code',
    Dialog: RunCodeQuestion,
    Card: RunCodeAsCard,
    args: { code: 'export default () => 1;' },
    definition: withoutTitle(runCodeTool()),
    start: { role: 'button', name: 'Don’t run' },
  },
];

function RunCodeAsCard({ tool, ...props }: QuestionProps) {
  const definition = withoutTitle(runCodeTool({ surface: 'card' }));
  return <RunCodeQuestion {...props} tool={{ ...tool, definition }} />;
}

/** Takes its texts from the call, as the others do. */
function withoutTitle({ title: _, ...definition }: InteractiveToolDefinition): InteractiveToolDefinition {
  return definition;
}

/** A new call of a case. All cases have the same texts; in a call with code they are its explanation. */
export function toolOf(
  { args, definition }: ConformanceCase,
  message: string | undefined = 'Two flat whites.',
) {
  const words = definition === undefined ? { description: message } : { explanation: message };
  return createTestTool({
    args: { title: 'Place order', ...words, ...args },
    ...(definition !== undefined && { definition }),
  });
}
