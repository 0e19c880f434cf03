import { useMemo, useState } from 'react';
import { type AnyTool, callKey } from '../primitives/any-tool.ts';
import { DialogFrame, DialogFrameDefaults, type DialogFrameProps } from '../primitives/dialog-frame.tsx';
import { type QueuePosition, QueuePositionContext } from '../primitives/surface-context.ts';
import { ToolBoundary } from '../primitives/tool-boundary.tsx';
import { pickQuestion, type QuestionKind } from './pick-question.ts';
import { CustomQuestion, ToolQuestion } from './tool-question.tsx';
import type { ToolQueue } from './use-tool-queue.ts';

export interface QueueViewProps extends DialogFrameProps {
  readonly queue: ToolQueue;
  readonly className?: string | undefined;
  readonly onError: (error: unknown, tool: AnyTool) => void;
}

/** A question of the kit, and its place in the row at the time. */
interface Shown {
  readonly tool: AnyTool;
  readonly kind: QuestionKind;
  readonly position: QueuePosition;
}

/** One dialog at a time, all on one backdrop: the next question takes the place of the last without flicker. */
export function ModalQueue({ queue, className, onError, container, overlayClassName }: QueueViewProps) {
  const [tool] = queue.waiting;
  const question = tool && pickQuestion(tool);
  const current: Shown | undefined =
    tool && typeof question === 'string' ? { tool, kind: question, position: queue.position } : undefined;

  // The last dialog stays rendered while its backdrop fades out.
  const [last, setLast] = useState(current);
  if (current !== undefined && !isSame(current, last)) setLast(current);
  const shown = current ?? last;

  const frame = useMemo(() => ({ container, overlayClassName }), [container, overlayClassName]);
  return (
    <>
      <DialogFrame open={current !== undefined} container={container} overlayClassName={overlayClassName}>
        {shown !== undefined && (
          <ToolBoundary key={callKey(shown.tool)} tool={shown.tool} onError={onError}>
            <QueuePositionContext.Provider value={shown.position}>
              <ToolQuestion
                kind={shown.kind}
                tool={shown.tool}
                surface="dialog"
                className={className}
                onSettled={() => queue.markAnswered(shown.tool)}
              />
            </QueuePositionContext.Provider>
          </ToolBoundary>
        )}
      </DialogFrame>
      {tool !== undefined && current === undefined && (
        <ToolBoundary key={callKey(tool)} tool={tool} onError={onError}>
          <DialogFrameDefaults.Provider value={frame}>
            <CustomQuestion component={question} tool={tool} onAnswered={queue.markAnswered} />
          </DialogFrameDefaults.Provider>
        </ToolBoundary>
      )}
    </>
  );
}

function isSame(one: Shown, other: Shown | undefined): boolean {
  return (
    one.tool === other?.tool &&
    one.position.index === other.position.index &&
    one.position.total === other.position.total
  );
}
