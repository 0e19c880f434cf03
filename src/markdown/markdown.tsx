'use client';

import { createContext, Fragment, memo, type ReactNode, useContext, useMemo } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import { joinWords } from '../components/primitives/join-words.ts';
import { displayText, readLink } from '../components/text/safe-text.ts';
import { countElements, isSlowMarkdown } from './is-slow-markdown.ts';
import { splitMarkdown } from './split-markdown.ts';

export interface MarkdownProps {
  /** Markdown (CommonMark), also while it streams. */
  readonly text: string;
  /** Plugins, such as `remark-gfm` for tables. Keep the array's identity stable. */
  readonly remarkPlugins?: Options['remarkPlugins'];
  /** Returns true for an image to fetch and show. Default: no image, see {@link Markdown}. Keep its identity stable. */
  readonly allowImage?: ((address: URL) => boolean) | undefined;
  readonly className?: string | undefined;
}

/**
 * Renders the text of a model as markdown with `react-markdown` (an optional peer dependency).
 *
 * - HTML in the text is shown as text.
 * - Links lead to `http:`, `https:` and `mailto:` only. The target is shown beside a link whose text differs from it.
 * - A paragraph with so much markup that the page would stand still while it is parsed is shown as plain text. So is the rest of
 *   a text after some 2,000 lines and marks.
 * - Images become links. The browser fetches an image without an action of the person, so injected text could make the
 *   model send parts of the conversation, hidden in an image address, to another site.
 *
 * Streamdown, which the AI Elements use, allows every image and link by default and needs Tailwind. Its advantage, that it
 * parses only the piece of text that still grows, is implemented here.
 */
export const Markdown = /* @__PURE__ */ memo(function Markdown({
  text,
  className,
  ...options
}: MarkdownProps) {
  const { pieces, rest } = limitElements(splitMarkdown(text));
  return (
    <div className={joinWords('hr-piece', 'hr-markdown', className)} dir="auto">
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only added at the end
        <Fragment key={index}>
          {/* Without the line break, copied text would join the words of two paragraphs. */}
          {index > 0 && '\n'}
          <Piece text={piece} {...options} />
        </Fragment>
      ))}
      {rest !== '' && <p className="hr-plain">{rest}</p>}
    </div>
  );
});

/** A page with more elements stands still while it is laid out. */
const MAX_ELEMENTS = 2_000;

/** Returns the pieces that a page can hold, and the text after them. */
function limitElements(pieces: readonly string[]): { pieces: readonly string[]; rest: string } {
  let left = MAX_ELEMENTS;
  const end = pieces.findIndex((piece) => {
    left -= countElements(piece);
    return left < 0;
  });
  return end < 0 ? { pieces, rest: '' } : { pieces: pieces.slice(0, end), rest: pieces.slice(end).join('') };
}

const Piece = /* @__PURE__ */ memo(function Piece({
  text,
  remarkPlugins,
  allowImage,
}: Omit<MarkdownProps, 'className'>) {
  const components = useMemo<Components>(() => ({ a: Link, img: createImage(allowImage) }), [allowImage]);
  if (isSlowMarkdown(text)) return <p className="hr-plain">{text}</p>;
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

/** A badge is an image inside a link. As a link it would be nested, so it becomes text there. */
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

/** The host of a page, or the address of a `mailto:` link. */
function placeOf(href: string): string {
  const { host, pathname } = new URL(href);
  return host === '' ? pathname : host;
}

function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  return typeof node === 'string' ? node : '';
}
