import type { ComponentType } from 'react';
import { ChoiceCard, ChoiceDialog } from '../../src/components/choice/choice-dialog.tsx';
import {
  ConfirmationCard,
  ConfirmationDialog,
} from '../../src/components/confirmation/confirmation-dialog.tsx';
import { FormCard, FormDialog } from '../../src/components/form/form-dialog.tsx';
import type { DialogFrameProps } from '../../src/components/parts/dialog-frame.tsx';
import type { QuestionProps } from '../../src/components/parts/question-props.ts';
import { createTestTool } from './create-test-tool.ts';

/** A dialog, its card, a call they can show, and where the focus of the dialog has to start. */
export interface ConformanceCase {
  readonly name: string;
  readonly Dialog: ComponentType<QuestionProps & DialogFrameProps>;
  readonly Card: ComponentType<QuestionProps>;
  readonly args: Readonly<Record<string, unknown>>;
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
];

/** A fresh call of a case. All of them ask in the same words. */
export function toolOf({ args }: ConformanceCase, toolCallId = 'call-1') {
  return createTestTool({
    toolCallId,
    args: { title: 'Place order', description: 'Two flat whites.', ...args },
  });
}
