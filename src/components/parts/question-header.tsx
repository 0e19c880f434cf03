import type { ConfirmationTone } from '../../store/client-tools.ts';
import type { ToolPrompt } from '../text/tool-prompt.ts';
import type { AnyTool } from './any-tool.ts';
import { Countdown } from './countdown.tsx';
import { SurfaceHeader } from './surface-header.tsx';
import type { Answer } from './use-answer.ts';

/** The header of a call's question: its words, how careful to be, the time left, and the cross that cancels. */
export function QuestionHeader({
  tool,
  prompt,
  tone,
  answer,
}: {
  tool: AnyTool;
  prompt: ToolPrompt;
  tone: ConfirmationTone;
  answer: Answer;
}) {
  return (
    <SurfaceHeader
      title={prompt.title}
      message={prompt.message}
      tone={tone}
      onDismiss={answer.dismiss}
      aside={tool.expiresAt === undefined ? undefined : <Countdown expiresAt={tool.expiresAt} />}
    />
  );
}
