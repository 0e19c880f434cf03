import { TextPieces } from './text-pieces.tsx';

/** A whole text of any length. It scrolls in its box. */
export function LongText({ text }: { text: string }) {
  return (
    // Long text scrolls in its box, so the keyboard has to reach the box.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs a tab stop
    <pre className="hr-json" tabIndex={0}>
      <TextPieces text={text} />
    </pre>
  );
}
