import { useContext, useMemo } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { useSurroundingChat } from '../../react/agent-chat-provider.tsx';
import type { AnyTool } from '../any-tool.ts';
import { SurfaceContext } from '../hooks/surface-context.ts';
import type { AnswerControls } from '../hooks/use-answer.ts';
import { nameCaller } from '../text/name-call.ts';
import { readServer, type ToolPrompt } from '../text/tool-prompt.ts';
import type { CallPlace } from './question-strip.tsx';
import { SurfaceHeader } from './surface-header.tsx';

/** The header of a question about a call: the strip with who asks, where the call runs and the time left; then severity, title and message. */
export function QuestionHeader({
  tool,
  prompt,
  severity,
  answer,
  hasWordsBelow = false,
}: {
  tool: AnyTool;
  prompt: ToolPrompt;
  severity: Severity;
  answer: AnswerControls;
  /** The body shows a message of the model itself, below what will run. */
  hasWordsBelow?: boolean;
}) {
  const chat = useSurroundingChat();
  const caller = useMemo(() => chat && nameCaller(tool.toolCallId, chat.getState().messages), [chat, tool]);
  const isDialog = useContext(SurfaceContext)?.kind === 'dialog';
  const { status } = answer.state;
  // An answered card stays on the page without its countdown. A dialog keeps its shape while it fades out.
  const isShown = status !== 'gone' && (status !== 'settled' || isDialog);
  return (
    <SurfaceHeader
      prompt={prompt}
      severity={severity}
      hasWordsBelow={hasWordsBelow}
      origin={tool.origin ?? caller ?? undefined}
      place={readPlace(tool)}
      onDismiss={answer.dismiss}
      expiresAt={isShown ? tool.expiresAt : undefined}
    />
  );
}

/** Where a call runs: a tool with a handler in this browser, a tool of an MCP server there. The host names the call, so a server cannot pretend to be another one. */
function readPlace({ toolName, approvalReason }: AnyTool): CallPlace | undefined {
  const server = readServer(toolName);
  if (server !== undefined) return { server };
  return approvalReason === undefined ? undefined : 'browser';
}
