import type { ReactNode } from 'react';
import type { Severity } from '../../tools/client-tool.ts';
import { type AnswerControls, useAnswer } from '../hooks/use-answer.ts';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { severityOf } from '../text/severity-of.ts';
import {
  readAskingServer,
  readPermissionPrompt,
  readToolPrompt,
  type ToolPrompt,
} from '../text/tool-prompt.ts';
import { Announcements } from './announcement.tsx';
import { type AnyTool, callKey } from './any-tool.ts';
import { CardSurface } from './card-surface.tsx';
import type { DialogFrameProps } from './dialog-frame.tsx';
import { DialogSurface } from './dialog-surface.tsx';
import type { QuestionProps } from './question-props.ts';
import { SlotsProvider } from './slot.tsx';

/** What a body is given to ask with. */
export interface QuestionBodyProps {
  readonly prompt: ToolPrompt;
  readonly severity: Severity;
  readonly answer: AnswerControls;
}

interface QuestionShellProps extends QuestionProps, DialogFrameProps {
  readonly surface: 'dialog' | 'card';
  readonly kind: string;
  /** Argument names the body shows itself. */
  readonly consumed?: readonly string[] | undefined;
  /** What Escape and a press beside the dialog do; without it they cancel. */
  readonly onDismiss?: (() => void) | undefined;
  readonly children: (ask: QuestionBodyProps) => ReactNode;
}

/** What all dialogs and cards have in common: words, severity, answering, and a surface to stand on. */
export function Question(props: QuestionShellProps) {
  // Another call is another question: nothing of the former one's state may reach it.
  return (
    <LabelsProvider labels={props.labels}>
      <SlotsProvider slots={props.slots}>
        <QuestionOnSurface key={callKey(props.tool)} {...props} />
      </SlotsProvider>
    </LabelsProvider>
  );
}

function QuestionOnSurface({
  surface,
  kind,
  consumed,
  children,
  tool,
  container,
  overlayClassName,
  onDismiss,
  ...options
}: QuestionShellProps) {
  const answer = useAnswer(tool, options.onSettled);
  const labels = useLabels();
  const read = readPrompt(tool, consumed, labels);
  const prompt = { ...read, title: options.title ?? read.title, message: options.message ?? read.message };
  const severity = options.severity ?? severityOf(tool);
  const described = prompt.message !== undefined;
  const shared = { kind, severity, described, state: answer.state, className: options.className };
  const body = <Announcements>{children({ prompt, severity, answer })}</Announcements>;
  if (surface === 'card') {
    return <CardSurface {...shared}>{body}</CardSurface>;
  }
  return (
    <DialogSurface
      {...shared}
      container={container}
      overlayClassName={overlayClassName}
      onDismiss={onDismiss ?? answer.dismiss}
    >
      {body}
    </DialogSurface>
  );
}

/** The words a call is asked about with, by whose they may be. */
export function readPrompt(
  tool: AnyTool,
  consumed: readonly string[] | undefined,
  labels: Labels,
): ToolPrompt {
  if (tool.approvalReason !== undefined) return readPermissionPrompt(tool, labels);
  const read = readToolPrompt(tool, consumed);
  const server = readAskingServer(tool.toolName);
  return read.title === server ? { ...read, title: labels.serverAsks(server) } : read;
}
