import { useContext } from 'react';
import type { Severity } from '../../tools/client-tool.ts';
import type { AnswerControls } from '../hooks/use-answer.ts';
import type { ToolPrompt } from '../text/tool-prompt.ts';
import type { AnyTool } from './any-tool.ts';
import { Countdown } from './countdown.tsx';
import { SurfaceContext } from './surface-context.ts';
import { SurfaceHeader } from './surface-header.tsx';

/** The header of a question: title, message, severity, the time left to answer, and the cross that cancels. */
export function QuestionHeader({
  tool,
  prompt,
  severity,
  answer,
}: {
  tool: AnyTool;
  prompt: ToolPrompt;
  severity: Severity;
  answer: AnswerControls;
}) {
  const isDialog = useContext(SurfaceContext)?.kind === 'dialog';
  const { status } = answer.state;
  // An answered card stays on the page without its countdown. A dialog keeps its shape while it fades out.
  const isShown = status !== 'gone' && (status !== 'settled' || isDialog);
  return (
    <SurfaceHeader
      title={prompt.title}
      message={prompt.message}
      severity={severity}
      origin={tool.origin}
      onDismiss={answer.dismiss}
      aside={isShown && tool.expiresAt && <Countdown expiresAt={tool.expiresAt} />}
    />
  );
}
