import { Fragment, type ReactNode } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { type AnyTool, callKey } from '../any-tool.ts';
import type { AnswerControls, AnswerOutcome } from '../hooks/use-answer.ts';
import { ArmingContext } from '../hooks/use-arming.ts';
import { useAsking } from '../hooks/use-asking.ts';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { SharedLabels } from '../text/shared-labels.ts';
import {
  readAskingServer,
  readPermissionPrompt,
  readToolPrompt,
  severityOf,
  type ToolPrompt,
} from '../text/tool-prompt.ts';
import { Announcements } from './announcement.tsx';
import { CardSurface } from './card-surface.tsx';
import type { DialogFrameProps } from './dialog-frame.tsx';
import { DialogSurface } from './dialog-surface.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import { type Slots, SlotsProvider } from './slot.tsx';

/** Props of every dialog and card. */
export interface QuestionProps {
  /** The call to answer. */
  readonly tool: AnyTool;
  /** Replaces the title read from the tool and its arguments. */
  readonly title?: string | undefined;
  /** Replaces the message below the title. */
  readonly message?: string | undefined;
  /** How careful the person should be. Default: from the tool's definition, else `neutral`. */
  readonly severity?: Severity | undefined;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /** Class names and renderers for its elements, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  /** Added to the dialog's or card's own class names. */
  readonly className?: string | undefined;
  /** Called once, when the person has answered or closed the question. */
  readonly onSettled?: ((outcome: AnswerOutcome) => void) | undefined;
  /** Called when the question could not be rendered, after its call was failed. Default: `reportError`. */
  readonly onError?: ((error: unknown, tool: AnyTool) => void) | undefined;
}

/** Props of the content of a question. */
export interface QuestionBodyProps {
  readonly prompt: ToolPrompt;
  readonly severity: Severity;
  readonly answer: AnswerControls;
}

interface QuestionShellProps extends QuestionProps, DialogFrameProps {
  readonly surface: 'dialog' | 'card';
  readonly kind: string;
  /** The names of the arguments that the body shows itself. */
  readonly consumed?: readonly string[] | undefined;
  /** What the agent says of the call, in place of a message that the arguments have. */
  readonly words?: string | undefined;
  /** Called by Escape. Default: cancels the call. */
  readonly onDismiss?: (() => void) | undefined;
  readonly children: (ask: QuestionBodyProps) => ReactNode;
}

/** The common frame of all dialogs and cards: texts, severity, answering and the surface. */
export function Question(props: QuestionShellProps) {
  // The key keeps the state of one call from reaching the next.
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
  words,
  children,
  tool,
  container,
  overlayClassName,
  onDismiss,
  ...options
}: QuestionShellProps) {
  const { answer, arming, form } = useAsking(tool, options.onSettled, surface);
  const labels = useLabels();
  const read = readPrompt(tool, consumed, labels);
  const prompt = {
    ...read,
    ...(words !== undefined && { message: displayText(words), isAgentsMessage: true }),
    ...(options.title !== undefined && { title: options.title, isAgentsTitle: false }),
    ...(options.message !== undefined && { message: options.message, isAgentsMessage: false }),
  };
  const severity = options.severity ?? severityOf(tool);
  const described = prompt.message !== undefined;
  const { toolCallId } = tool;
  const shared = { toolCallId, kind, severity, described, state: answer.state, className: options.className };
  const body = (
    <Announcements>
      <Fragment key={form}>{children({ prompt, severity, answer })}</Fragment>
      {answer.isLeaving && answer.state.status !== 'settled' && <LeaveQuestion answer={answer} />}
    </Announcements>
  );
  return (
    <ArmingContext.Provider value={arming}>
      {surface === 'card' ? (
        <CardSurface {...shared} title={prompt.title}>
          {body}
        </CardSurface>
      ) : (
        <DialogSurface
          {...shared}
          container={container}
          overlayClassName={overlayClassName}
          onDismiss={onDismiss ?? answer.dismiss}
        >
          {body}
        </DialogSurface>
      )}
    </ArmingContext.Provider>
  );
}

/** Reads the title, message and remaining arguments of a question. An MCP server's name becomes "… asks" as a title. */
export function readPrompt(
  tool: AnyTool,
  consumed: readonly string[] | undefined,
  labels: SharedLabels,
): ToolPrompt {
  if (tool.approvalReason !== undefined) return readPermissionPrompt(tool, labels);
  const read = readToolPrompt(tool, consumed);
  const server = readAskingServer(tool.toolName);
  return read.title === server ? { ...read, title: labels.serverAsks(server) } : read;
}
