'use client';

import { createContext, Fragment, memo, type ReactNode, useContext, useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import { joinWords } from '../components/primitives/join-words.ts';
import { displayText, readLink } from '../components/text/safe-text.ts';
import { splitMarkdown } from './split-markdown.ts';

export interface MarkdownProps {
  /** Markdown (CommonMark), also while it is still arriving. */
  readonly text: string;
  /** Such as `remark-gfm` for tables. Keep its identity stable. */
  readonly remarkPlugins?: Options['remarkPlugins'];
  /** Which images are fetched and shown. Default none, see {@link Markdown}. Keep its identity stable. */
  readonly allowImage?: ((address: URL) => boolean) | undefined;
  readonly className?: string | undefined;
}

/**
 * Text of a model as markdown, by `react-markdown` (an optional peer).
 *
 * - HTML in it is shown as it was written, and never becomes part of the page.
 * - Links lead to `http:`, `https:` and `mailto:` only, and say where to, unless their text does.
 * - Images become links. An address can carry anything that was said in the conversation, and an image is fetched
 *   without anybody's doing: text that reached the model from outside could send it away unseen.
 *
 * react-markdown, as assistant-ui has it too, rather than Streamdown of the AI Elements: the latter looks better out
 * of the box, but allows every image and link by default and wants Tailwind. What it does well, parsing only the piece
 * that still grows, is done here.
 */
export const Markdown = /* @__PURE__ */ memo(function Markdown({
  text,
  className,
  ...options
}: MarkdownProps) {
  return (
    <div className={joinWords('hr-piece', 'hr-markdown', className)} dir="auto">
      {splitMarkdown(text).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces only ever grow at the end
        <Fragment key={index}>
          {/* Read out or copied as text, the words of two paragraphs are not one. */}
          {index > 0 && '\n'}
          <Piece text={piece} {...options} />
        </Fragment>
      ))}
    </div>
  );
});

const Piece = /* @__PURE__ */ memo(function Piece({
  text,
  remarkPlugins,
  allowImage,
}: Omit<MarkdownProps, 'className'>) {
  const components = useMemo<Components>(() => ({ a: Link, img: createImage(allowImage) }), [allowImage]);
  return (
    <ReactMarkdown
      components={components}
      remarkPlugins={remarkPlugins ?? null}
      urlTransform={(address) => readLink(address) ?? null}
    >
      {text}
    </ReactMarkdown>
  );
});

/** An image may stand in a link, as a badge does, but a link may not. */
const InLink = /* @__PURE__ */ createContext(false);

function Link({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  const isInLink = useContext(InLink);
  if (href === undefined || isInLink) return <>{children}</>;
  const text = textOf(children);
  const place = placeOf(href);
  return (
    <>
      <a className="hr-link" href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
        <InLink.Provider value={true}>{children}</InLink.Provider>
      </a>
      {text !== place && readLink(text) !== href && (
        <bdi className="hr-link-place"> ({displayText(place, 120)})</bdi>
      )}
    </>
  );
}

function createImage(allowImage: MarkdownProps['allowImage'] = () => false) {
  return function Image({ src, alt = '' }: { src?: unknown; alt?: string | undefined }) {
    if (typeof src !== 'string') return <>{alt}</>;
    if (allowImage(new URL(src))) return <img className="hr-image" src={src} alt={alt} loading="lazy" />;
    return <Link href={src}>{alt === '' ? src : alt}</Link>;
  };
}

/** The host of a page, or whom a message goes to. */
function placeOf(href: string): string {
  const { host, pathname } = new URL(href);
  return host === '' ? pathname : host;
}

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  return typeof node === 'string' ? node : '';
}
