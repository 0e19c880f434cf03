import { useContext } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { SurfaceContext } from '../hooks/surface-context.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { ToolPrompt } from '../text/tool-prompt.ts';
import { AgentWords } from './agent-words.tsx';
import { FoldedText } from './folded-text.tsx';
import { SeverityIcon } from './icons.tsx';
import { QuestionStrip, type QuestionStripProps } from './question-strip.tsx';
import { Slot } from './slot.tsx';

export interface SurfaceHeaderProps extends QuestionStripProps {
  readonly prompt: Omit<ToolPrompt, 'rest'>;
  readonly severity: Severity;
  /** The body shows a message of the model itself, below what will run. */
  readonly hasWordsBelow?: boolean;
}

/** The strip of a question, then severity, title and message. Title and message are the accessible name and description of the question. */
export function SurfaceHeader({ prompt, severity, hasWordsBelow, ...strip }: SurfaceHeaderProps) {
  const labels = useLabels();
  const surface = useContext(SurfaceContext);
  const { title, message, isAgentsTitle, isAgentsMessage } = prompt;
  return (
    <>
      <QuestionStrip {...strip} />
      <Slot slotName="header" as="div" className="hr-header">
        {severity !== 'neutral' && (
          <Slot slotName="severity" as="p" className="hr-severity" data-severity={severity}>
            <SeverityIcon />
            {labels[severity]}
          </Slot>
        )}
        {isAgentsTitle && <p className="hr-in-agents-words">{labels.inAgentsWords}</p>}
        <Slot
          slotName="title"
          as={surface?.kind === 'dialog' ? 'h2' : 'h3'}
          className="hr-title"
          id={surface?.titleId}
        >
          {title}
        </Slot>
        {message !== undefined && !isAgentsMessage && (
          <FoldedText
            slotName="description"
            as="p"
            className="hr-description"
            id={surface?.descriptionId}
            text={message}
          />
        )}
        {message !== undefined && isAgentsMessage && !hasWordsBelow && <AgentWords text={message} />}
      </Slot>
    </>
  );
}
