import { memo, useEffect, useMemo, useState } from 'react';
import { displayText } from '../text/safe-text.ts';

/** A browser lays out so much text in a few milliseconds. */
const PIECE_LENGTH = 20_000;
/** So many pieces are added at once. */
const PIECES_AT_ONCE = 10;

/** A whole text, in pieces: with ten megabytes in one element, the page would stand still for seconds. */
export function TextPieces({ text }: { text: string }) {
  const ends = useMemo(() => cut(text), [text]);
  const [shown, setShown] = useState(PIECES_AT_ONCE);
  useEffect(() => {
    if (shown >= ends.length) return;
    const frame = requestAnimationFrame(() => setShown(shown + PIECES_AT_ONCE));
    return () => cancelAnimationFrame(frame);
  }, [shown, ends]);
  return (
    <>
      {ends.slice(0, shown).map((end, index) => (
        <Piece key={end} text={text.slice(ends[index - 1] ?? 0, end)} />
      ))}
    </>
  );
}

const Piece = /* @__PURE__ */ memo(function Piece({ text }: { text: string }) {
  return <span className="hr-text-piece">{displayText(text, Number.POSITIVE_INFINITY)}</span>;
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
