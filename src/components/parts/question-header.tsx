import { useContext } from 'react';
import type { ConfirmationTone } from '../../store/client-tools.ts';
import type { ToolPrompt } from '../text/tool-prompt.ts';
import type { AnyTool } from './any-tool.ts';
import { Countdown } from './countdown.tsx';
import { SurfaceContext } from './surface-context.ts';
import { SurfaceHeader } from './surface-header.tsx';
import type { Answer } from './use-answer.ts';

/** The header of a call's question: its words, how careful to be, the time left to answer, and the cross that cancels. */
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
  const isDialog = useContext(SurfaceContext)?.kind === 'dialog';
  const { word } = answer.state;
  // A card stays when it is answered; a dialog keeps its shape while it fades away.
  const isShown = word !== 'gone' && (word !== 'settled' || isDialog);
  return (
    <SurfaceHeader
      title={prompt.title}
      message={prompt.message}
      tone={tone}
      onDismiss={answer.dismiss}
      aside={isShown && tool.expiresAt && <Countdown expiresAt={tool.expiresAt} />}
    />
  );
}
