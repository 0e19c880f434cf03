import { ToolBoundary } from '../parts/tool-boundary.tsx';
import type { QueueViewProps } from './modal-queue.tsx';
import { pickQuestion } from './pick-question.ts';
import { CustomQuestion, ToolQuestion } from './tool-question.tsx';

/** All questions at once, as cards in the flow of the page. */
export function InlineQueue({ queue, className, onError }: QueueViewProps) {
  if (queue.waiting.length === 0) return null;
  return (
    <div className="hr-inline">
      {queue.waiting.map((tool) => {
        const question = pickQuestion(tool);
        return (
          <ToolBoundary key={tool.toolCallId} tool={tool} onError={onError}>
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
          </ToolBoundary>
        );
      })}
    </div>
  );
}
