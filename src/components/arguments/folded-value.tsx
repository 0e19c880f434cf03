import { memo, useEffect, useMemo, useState } from 'react';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import { TextButton } from './text-button.tsx';

/** More than four lines of the widest table. The style sheet cuts the rest. */
const FOLDED_LENGTH = 600;
/** A browser lays out so much text in a few milliseconds. */
const PIECE_LENGTH = 20_000;
/** So many pieces are added at once. */
const PIECES_AT_ONCE = 10;

/** A long text: its first lines, and all of it on demand. */
export function FoldedValue({ text }: { text: string }) {
  const labels = useLabels();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {isOpen ? (
        <Pieces text={text} />
      ) : (
        <bdi className="hr-folded">{displayText(text.slice(0, FOLDED_LENGTH))}</bdi>
      )}
      <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? labels.showLess : labels.showAll(text.length)}
      </TextButton>
    </>
  );
}

/** A whole text, in pieces: with ten megabytes in one element, the page would stand still for seconds. */
function Pieces({ text }: { text: string }) {
  const ends = useMemo(() => cut(text), [text]);
  const [shown, setShown] = useState(PIECES_AT_ONCE);
  useEffect(() => {
    if (shown >= ends.length) return;
    const frame = requestAnimationFrame(() => setShown(shown + PIECES_AT_ONCE));
    return () => cancelAnimationFrame(frame);
  }, [shown, ends]);
  return (
    <div className="hr-long-text" dir="auto">
      {ends.slice(0, shown).map((end, index) => (
        <Piece key={end} text={text.slice(ends[index - 1] ?? 0, end)} />
      ))}
    </div>
  );
}

const Piece = /* @__PURE__ */ memo(function Piece({ text }: { text: string }) {
  // Each piece begins a line of its own, so it needs no line break at its end.
  return <div>{displayText(text.replace(/\n$/, ''), Number.POSITIVE_INFINITY)}</div>;
});

/** Returns where the pieces end: after a line break or a space, if there is one. */
function cut(text: string): readonly number[] {
  const ends: number[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE_LENGTH;
    const breaks = end >= text.length ? [] : [text.lastIndexOf('\n', end), text.lastIndexOf(' ', end)];
    const last = breaks.find((position) => position > start + PIECE_LENGTH / 2);
    // Between the halves of a surrogate pair, both would show as replacement characters.
    const isInPair = last === undefined && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    start = Math.min(last === undefined ? end - (isInPair ? 1 : 0) : last + 1, text.length);
    ends.push(start);
  }
  return ends;
}
