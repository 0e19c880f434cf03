import { type ReactNode, useMemo, useState } from 'react';
import { useMedia } from '../hooks/use-media.ts';
import { FileIcon } from '../primitives/icons.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, readLink } from '../text/safe-text.ts';
import { countInside, type Described, describeInside, entryNames } from './describe-value.ts';
import { FoldedValue } from './folded-value.tsx';
import { formatValue } from './format-value.ts';
import { tellApart, titleOf } from './read-arguments.ts';
import type { ShownFile } from './read-file.ts';
import { TextButton } from './text-button.tsx';

/** So many values are shown at first: the page stays usable whatever a model sends. */
const FIRST_ENTRIES = 40;
const MORE_ENTRIES = 200;

/** How many values are shown, and how to show more. */
export function useShownCount(): { readonly shown: number; readonly showMore: () => void } {
  const [shown, setShown] = useState(FIRST_ENTRIES);
  return { shown, showMore: () => setShown(shown + MORE_ENTRIES) };
}

/** The last button of a list that is too long to be shown at once. */
export function MoreButton({ hidden, onPress }: { hidden: number; onPress: () => void }) {
  const labels = useLabels();
  return hidden > 0 && <TextButton onClick={onPress}>{labels.showMore(hidden)}</TextButton>;
}

/** Shows one value. `depth` 0 is a value in a table; below the first level, a button opens the value. */
export function ArgumentValue({ value, depth }: { value: Described; depth: number }): ReactNode {
  const labels = useLabels();
  const isNarrow = useMedia('(width < 640px)');
  const shown = formatValue(value, labels, isNarrow ? 'short' : 'long');
  switch (shown.type) {
    case 'text':
      return <bdi className="hr-value-text">{shown.text}</bdi>;
    case 'word':
      return <span className="hr-faint">{shown.text}</span>;
    case 'long-text':
      return <FoldedValue text={shown.text} />;
    case 'link':
      return <Link href={shown.href} />;
    case 'file':
      return <FileValue file={shown.file} />;
    case 'entries':
    case 'items':
      return depth === 0 ? (
        <Inside value={value} depth={1} />
      ) : (
        <Closed value={value} count={shown.count} depth={depth} />
      );
    default:
      return shown satisfies never;
  }
}

/** The link shows its own address, so that its text cannot promise another target. */
function Link({ href }: { href: string }) {
  return (
    <a className="hr-link" href={href} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{displayText(href)}</bdi>
    </a>
  );
}

function FileValue({ file: { name, size, url, thumbnail } }: { file: ShownFile }) {
  const labels = useLabels();
  const link = readLink(url);
  return (
    <span className="hr-argument-file">
      {thumbnail === undefined ? <FileIcon /> : <img src={thumbnail} alt="" />}
      <span>
        <bdi>{displayText(name, 120)}</bdi>{' '}
        {size !== undefined && <bdi className="hr-faint">{labels.fileSize(size)}</bdi>}
        {link !== undefined && (
          <>
            <br />
            <Link href={link} />
          </>
        )}
      </span>
    </span>
  );
}

/** A value below the first level. */
function Closed({ value, count, depth }: { value: Described; count: number; depth: number }) {
  const labels = useLabels();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? labels.showLess : labels.moreInside(count)}
      </TextButton>
      {isOpen && <Inside value={value} depth={depth + 1} />}
    </>
  );
}

function Inside({ value, depth }: { value: Described; depth: number }) {
  return Array.isArray(value.value) ? (
    <Items value={value} depth={depth} />
  ) : (
    <Entries value={value} depth={depth} />
  );
}

function Entries({ value, depth }: { value: Described; depth: number }) {
  const names = useMemo(() => entryNames(value), [value]);
  const { shown, showMore } = useShownCount();
  const entries = useMemo(() => {
    const inside = names.slice(0, shown).map((name) => ({ name, value: describeInside(value, name) }));
    return tellApart(inside.map((entry) => ({ ...entry, title: titleOf(entry.value, entry.name) })));
  }, [names, shown, value]);
  return (
    <>
      <dl className="hr-entries" data-inside="">
        {entries.map((entry) => (
          <Entry key={entry.name} {...entry} depth={depth} />
        ))}
      </dl>
      <MoreButton hidden={names.length - shown} onPress={showMore} />
    </>
  );
}

function Entry({ value, title, depth }: { value: Described; title: string; depth: number }) {
  return (
    <div className="hr-entry">
      <dt>{title}</dt>
      <dd className="hr-entry-value">
        <ArgumentValue value={value} depth={depth} />
      </dd>
    </div>
  );
}

function Items({ value, depth }: { value: Described; depth: number }) {
  const { shown, showMore } = useShownCount();
  const total = countInside(value);
  return (
    <>
      <ul className="hr-items">
        {Array.from({ length: Math.min(shown, total) }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place alone
          <li key={index}>
            <ArgumentValue value={describeInside(value, index)} depth={depth} />
          </li>
        ))}
      </ul>
      <MoreButton hidden={total - shown} onPress={showMore} />
    </>
  );
}
