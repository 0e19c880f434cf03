import { useState } from 'react';
import { TextPieces } from '../primitives/text-pieces.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { TextButton } from './text-button.tsx';

/** More than four lines of the widest table. The style sheet cuts the rest. */
const FOLDED_LENGTH = 600;
/** A long text: its first lines, and all of it on demand. */
export function FoldedValue({ text }: { text: string }) {
  const labels = useLabels();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isOpen ? (
        <div className="hr-long-text" dir="auto">
          <TextPieces text={text} />
        </div>
      ) : (
        <bdi className="hr-folded">{displayText(text.slice(0, FOLDED_LENGTH))}</bdi>
      )}
      <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? labels.showLess : labels.showAll(text.length)}
      </TextButton>
    </>
  );
}
