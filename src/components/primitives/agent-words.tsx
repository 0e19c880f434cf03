import { useContext } from 'react';
import { SurfaceContext } from '../hooks/surface-context.ts';
import { useLabels } from '../text/labels-context.tsx';
import { FoldedText } from './folded-text.tsx';
import { Slot } from './slot.tsx';

/** A text that the model wrote, quoted and folded, so that nobody takes it for a text of the app. It describes its question. */
export function AgentWords({ text }: { text: string }) {
  const labels = useLabels();
  return (
    <Slot slotName="quote" as="div" className="hr-quote">
      <p className="hr-quote-label">{labels.agentSays}</p>
      <FoldedText
        slotName="description"
        as="blockquote"
        className="hr-quote-text"
        id={useContext(SurfaceContext)?.descriptionId}
        text={text}
      />
    </Slot>
  );
}
