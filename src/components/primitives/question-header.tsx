import { useContext, useMemo } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { useSurroundingChat } from '../../react/agent-chat-provider.tsx';
import type { AnyTool } from '../any-tool.ts';
import { SurfaceContext } from '../hooks/surface-context.ts';
import type { AnswerControls } from '../hooks/use-answer.ts';
import { nameCaller } from '../text/name-call.ts';
import type { ToolPrompt } from '../text/tool-prompt.ts';
import { Countdown } from './countdown.tsx';
import { SurfaceHeader } from './surface-header.tsx';

/**
 * The header of a question: the agent that asks where it is not the main one, title, message, severity, the time left to answer, and
 * the cross that cancels.
 */
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
  const chat = useSurroundingChat();
  const caller = useMemo(() => chat && nameCaller(tool.toolCallId, chat.getState().messages), [chat, tool]);
  const isDialog = useContext(SurfaceContext)?.kind === 'dialog';
  const { status } = answer.state;
  // An answered card stays on the page without its countdown. A dialog keeps its shape while it fades out.
  const isShown = status !== 'gone' && (status !== 'settled' || isDialog);
  return (
    <SurfaceHeader
      title={prompt.title}
      message={prompt.message}
      severity={severity}
      origin={tool.origin ?? caller ?? undefined}
      onDismiss={answer.dismiss}
      aside={isShown && tool.expiresAt && <Countdown expiresAt={tool.expiresAt} />}
    />
  );
}
