import { useMemo, useState } from 'react';
import { type AnyTool, callKey } from '../any-tool.ts';
import { LaterContext, type QueuePosition, QueuePositionContext } from '../hooks/surface-context.ts';
import { TypingContext } from '../hooks/watch-typing.ts';
import { DialogFrame, DialogFrameDefaults, type DialogFrameProps } from '../primitives/dialog-frame.tsx';
import { readPrompt } from '../primitives/question.tsx';
import { ToolBoundary } from '../primitives/tool-boundary.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { HeldNotice } from './held-notice.tsx';
import { type KitQuestion, pickQuestion } from './pick-question.ts';
import { CustomQuestion, ToolQuestion } from './tool-question.tsx';
import { type Hold, useHold } from './use-hold.ts';
import type { ToolQueue } from './use-tool-queue.ts';

export interface QueueViewProps extends DialogFrameProps {
  readonly queue: ToolQueue;
  /** Says what the cross and Escape of a dialog do. */
  readonly dismiss?: 'cancel' | 'later' | undefined;
  readonly className?: string | undefined;
  readonly onError: (error: unknown, tool: AnyTool) => void;
}

/** A question of the kit, and its position in the queue when it was shown. */
interface Shown {
  readonly tool: AnyTool;
  readonly question: KitQuestion;
  readonly position: QueuePosition;
}

/** One dialog at a time on one shared backdrop, which does not flicker when the next question replaces the last. */
export function ModalQueue({
  queue,
  dismiss = 'cancel',
  className,
  onError,
  container,
  overlayClassName,
}: QueueViewProps) {
  const [next] = queue.shown;
  const hold = useHold(next);
  const tool = hold.isHeld ? undefined : next;
  const question = useMemo(() => tool && pickQuestion(tool), [tool]);
  const current: Shown | undefined =
    tool && question && question.kind !== 'component'
      ? { tool, question, position: queue.position }
      : undefined;

  // The last dialog stays rendered while its backdrop fades out.
  const [last, setLast] = useState(current);
  if (current !== undefined && !isSame(current, last)) setLast(current);
  const shown = current ?? last;

  const frame = useMemo(() => ({ container, overlayClassName }), [container, overlayClassName]);
  return (
    <LaterContext.Provider value={dismiss === 'later' ? queue.later : undefined}>
      <TypingContext.Provider value={hold.typing}>
        <HeldQuestionOf queue={queue} hold={hold} />
        <DialogFrame open={current !== undefined} container={container} overlayClassName={overlayClassName}>
          {shown !== undefined && (
            <ToolBoundary key={callKey(shown.tool)} tool={shown.tool} onError={onError}>
              <QueuePositionContext.Provider value={shown.position}>
                <ToolQuestion
                  question={shown.question}
                  tool={shown.tool}
                  surface="dialog"
                  className={className}
                  onSettled={() => queue.markAnswered(shown.tool)}
                />
              </QueuePositionContext.Provider>
            </ToolBoundary>
          )}
        </DialogFrame>
        {tool !== undefined && question?.kind === 'component' && (
          <ToolBoundary key={callKey(tool)} tool={tool} onError={onError}>
            <DialogFrameDefaults.Provider value={frame}>
              <CustomQuestion component={question.component} tool={tool} onAnswered={queue.markAnswered} />
            </DialogFrameDefaults.Provider>
          </ToolBoundary>
        )}
      </TypingContext.Provider>
    </LaterContext.Provider>
  );
}

/** Tells of the question that waits for a pause, else of the first one that the person has put off. */
function HeldQuestionOf({ queue, hold }: { queue: ToolQueue; hold: Hold }) {
  const labels = useLabels();
  const typed = hold.isHeld ? queue.shown[0] : undefined;
  const tool = typed ?? queue.putOff[0];
  if (tool === undefined) return null;
  return (
    <HeldNotice
      title={readPrompt(tool, undefined, labels).title}
      reason={typed === undefined ? 'later' : 'typing'}
      onOpen={typed === undefined ? () => queue.bringBack(tool) : hold.open}
    />
  );
}

function isSame(one: Shown, other: Shown | undefined): boolean {
  return (
    one.tool === other?.tool &&
    one.position.index === other.position.index &&
    one.position.total === other.position.total
  );
}
