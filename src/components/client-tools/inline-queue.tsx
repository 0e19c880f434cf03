import { useRef } from 'react';
import { callKey } from '../parts/any-tool.ts';
import { ToolBoundary } from '../parts/tool-boundary.tsx';
import type { QueueViewProps } from './modal-queue.tsx';
import { pickQuestion } from './pick-question.ts';
import { CustomQuestion, ToolQuestion } from './tool-question.tsx';
import { useNextCard } from './use-next-card.ts';

/** All questions at once, as cards in the flow of the page. */
export function InlineQueue({ queue, className, onError }: QueueViewProps) {
  const list = useRef<HTMLDivElement>(null);
  const markAnswered = useNextCard(list, queue.markAnswered);
  if (queue.waiting.length === 0) return null;
  return (
    <div className="hr-inline" ref={list}>
      {queue.waiting.map((tool) => {
        const question = pickQuestion(tool);
        return (
          <ToolBoundary key={callKey(tool)} tool={tool} onError={onError}>
            {typeof question === 'string' ? (
              <ToolQuestion
                kind={question}
                surface="card"
                tool={tool}
                className={className}
                onSettled={() => markAnswered(tool)}
              />
            ) : (
              <CustomQuestion component={question} tool={tool} onAnswered={markAnswered} />
            )}
          </ToolBoundary>
        );
      })}
    </div>
  );
}
