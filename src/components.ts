'use client';

export type { AttachmentOptions, UploadFile } from './components/attachments/use-attachments.ts';
export { ChoiceCard, ChoiceDialog, type ChoiceProps } from './components/choice/choice-dialog.tsx';
export {
  ClientToolDialogs,
  type ClientToolDialogsProps,
} from './components/client-tools/client-tool-dialogs.tsx';
export {
  ClientToolDialogsOf,
  type ClientToolDialogsOfProps,
} from './components/client-tools/client-tool-dialogs-of.tsx';
export {
  choice,
  confirmation,
  elicitation,
  form,
  type QuestionKind,
} from './components/client-tools/question-kinds.ts';
export { Composer } from './components/composer/composer.tsx';
export { ComposerBar, type ComposerBarProps } from './components/composer/composer-bar.tsx';
export type { ComposerProps } from './components/composer/composer-props.ts';
export type { ComposedMessage } from './components/composer/use-composer-input.ts';
export {
  ConfirmationCard,
  ConfirmationDialog,
  type ConfirmationProps,
} from './components/confirmation/confirmation-dialog.tsx';
export { FormCard, FormDialog, type FormProps } from './components/form/form-dialog.tsx';
export type { FormSchema } from './components/form/schema/read-schema.ts';
export { SchemaForm, type SchemaFormProps } from './components/form/schema-form.tsx';
export type { FormReport, FormSubmit } from './components/form/use-schema-form.ts';
export { type HeldQuestion, useHeldQuestion } from './components/hooks/held-questions.ts';
export type { Answered, AnswerOutcome, AnswerState } from './components/hooks/use-answer.ts';
export {
  type Question,
  type QuestionOptions,
  type QuestionPanelProps,
  useQuestion,
} from './components/hooks/use-question.ts';
export { PendingInbox, type PendingInboxProps } from './components/inbox/pending-inbox.tsx';
export { AuditTrail, type AuditTrailProps } from './components/policies/audit-trail.tsx';
export { RememberedChoices, type RememberedChoicesProps } from './components/policies/remembered-choices.tsx';
export type { DialogFrameProps } from './components/primitives/dialog-frame.tsx';
export type { QuestionProps } from './components/primitives/question.tsx';
export {
  type SlotName,
  type SlotOptions,
  type Slots,
  SlotsProvider,
} from './components/primitives/slot.tsx';
export { englishLabels, type Labels } from './components/text/labels.ts';
export { LabelsProvider } from './components/text/labels-context.tsx';
export { MessageView, type MessageViewProps } from './components/transcript/message-view.tsx';
export { Notices, type NoticesProps } from './components/transcript/notices.tsx';
export { ToolCallView, type ToolCallViewProps } from './components/transcript/tool-call-view.tsx';
export { Transcript, type TranscriptProps } from './components/transcript/transcript.tsx';
export type {
  PartRendererProps,
  ToolRendererProps,
  TranscriptRenderers,
} from './components/transcript/transcript-renderers.ts';
export { TurnError, type TurnErrorProps } from './components/transcript/turn-error.tsx';
