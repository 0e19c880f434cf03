import type { ReactNode } from 'react';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { callKey } from '../primitives/any-tool.ts';
import { ToolBoundary } from '../primitives/tool-boundary.tsx';
import type { QueueViewProps } from './modal-queue.tsx';
import { pickQuestion } from './pick-question.ts';
import { CustomQuestion, ToolQuestion } from './tool-question.tsx';
import { useNextCard } from './use-next-card.ts';

/** All questions at once, as cards in the flow of the page. */
export function InlineQueue({ queue, className, onError }: QueueViewProps) {
  const leave = useNextCard();
  if (queue.waiting.length === 0) return null;
  return (
    <div className="hr-inline">
      {queue.waiting.map((tool) => {
        const question = pickQuestion(tool);
        return (
          <ToolBoundary key={callKey(tool)} tool={tool} onError={onError}>
            <Leaving onLeave={leave}>
              {typeof question === 'string' ? (
                <ToolQuestion
                  kind={question}
                  surface="card"
                  tool={tool}
                  className={className}
                  onSettled={() => queue.markAnswered(tool)}
                />
              ) : (
                <CustomQuestion component={question} tool={tool} onAnswered={queue.markAnswered} />
              )}
            </Leaving>
          </ToolBoundary>
        );
      })}
    </div>
  );
}

/** Tells that it goes away while its elements are still there. */
function Leaving({ onLeave, children }: { onLeave: () => void; children: ReactNode }) {
  useBeforePaint(() => onLeave, [onLeave]);
  return children;
}
