import { type ReactNode, useMemo, useRef } from 'react';
import { type AnyTool, callKey } from '../any-tool.ts';
import { ArrivesLaterContext, QueueSurfaceContext } from '../hooks/surface-context.ts';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { ToolBoundary } from '../primitives/tool-boundary.tsx';
import type { QueueViewProps } from './modal-queue.tsx';
import { pickQuestion } from './pick-question.ts';
import { CustomQuestion, ToolQuestion } from './tool-question.tsx';
import { useNextCard } from './use-next-card.ts';
import { useSteadyPresses } from './use-steady-presses.ts';

/** All questions at once, as cards in the flow of the page. */
export function InlineQueue({ queue, className, onError }: QueueViewProps) {
  const nextCard = useNextCard();
  const swallowEarlyPress = useSteadyPresses(queue.waiting.map(callKey));
  const isOnPage = useRef(false);
  useBeforePaint(() => {
    isOnPage.current = true;
  }, []);
  if (queue.waiting.length === 0) return null;
  return (
    <ArrivesLaterContext.Provider value={isOnPage.current}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only remembers where the focus was, and drops presses */}
      <div className="hr-inline" onFocus={nextCard.remember} onClickCapture={swallowEarlyPress}>
        {queue.waiting.map((tool) => (
          <ToolBoundary key={callKey(tool)} tool={tool} onError={onError}>
            <Leaving onLeave={nextCard.leave}>
              <InlineQuestion tool={tool} className={className} onAnswered={queue.markAnswered} />
            </Leaving>
          </ToolBoundary>
        ))}
      </div>
    </ArrivesLaterContext.Provider>
  );
}

/** Shows one question as a card. */
export function InlineQuestion({
  tool,
  className,
  onAnswered,
}: {
  tool: AnyTool;
  className: string | undefined;
  onAnswered: (tool: AnyTool) => void;
}) {
  const question = useMemo(() => pickQuestion(tool), [tool]);
  if (question.kind === 'component') {
    return (
      <QueueSurfaceContext.Provider value="card">
        <CustomQuestion component={question.component} tool={tool} onAnswered={onAnswered} />
      </QueueSurfaceContext.Provider>
    );
  }
  return (
    <ToolQuestion
      question={question}
      surface="card"
      tool={tool}
      className={className}
      onSettled={() => onAnswered(tool)}
    />
  );
}

/** Calls `onLeave` before React removes its elements from the page. */
export function Leaving({ onLeave, children }: { onLeave: () => void; children: ReactNode }) {
  useBeforePaint(() => onLeave, [onLeave]);
  return children;
}
