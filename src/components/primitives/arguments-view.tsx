import { type ReactNode, useContext } from 'react';
import { isRecord, toPlain } from '../../shared/json.ts';
import { SurfaceContext } from '../hooks/surface-context.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, humaniseName, readLink } from '../text/safe-text.ts';
import { LongText } from './long-text.tsx';
import { Slot } from './slot.tsx';

/** Limits of what is shown, so that the page stays usable whatever a model sends. The details of a question have the rest. */
const MAX_ENTRIES = 40;
const MAX_DEPTH = 4;
const MAX_VALUE_LENGTH = 600;

/** Arguments in readable form: names for people, values as text, long lists and deep values cut. */
export function ArgumentsView({
  value,
  label,
}: {
  value: Readonly<Record<string, unknown>>;
  /** The accessible name of the list. Default: the label `arguments`. */
  label?: string;
}) {
  const labels = useLabels();
  if (!isNested(value)) return null;
  return (
    <Slot slotName="arguments" as="div" className="hr-arguments">
      <Entries value={value} depth={1} label={label ?? labels.arguments} />
    </Slot>
  );
}

interface CallContent {
  readonly args?: unknown;
  readonly result?: unknown;
  readonly error?: string | undefined;
}

/** The arguments of a call, then its result or error text. Empty for a call that has none of them. */
export function CallBody({ call }: { call: CallContent }) {
  return (
    <div className="hr-call-body">
      <CallFields call={call} />
    </div>
  );
}

/** The same inside a body that has other content as well. */
export function CallFields({ call: { args, result, error } }: { call: CallContent }) {
  const labels = useLabels();
  return (
    <>
      {isRecord(args) && <Titled title={labels.callArguments} value={args} />}
      {isRecord(result) ? (
        <Titled title={labels.result} value={result} />
      ) : (
        // The name of the only entry says that it is the result.
        result !== undefined && <ArgumentsView value={{ [labels.result]: result }} label={labels.result} />
      )}
      {error !== undefined && (
        <Slot slotName="error" as="p" className="hr-error">
          {displayText(error)}
        </Slot>
      )}
    </>
  );
}

/** A list below its name, which screen readers get as the name of the list. */
function Titled({ title, value }: { title: string; value: Readonly<Record<string, unknown>> }) {
  if (!isNested(value)) return null;
  return (
    <div>
      <p className="hr-call-heading" aria-hidden="true">
        {title}
      </p>
      <ArgumentsView value={value} label={title} />
    </div>
  );
}

function Entries({ value, depth, label }: { value: object; depth: number; label?: string }) {
  const entries = Object.entries(value);
  return (
    <>
      <dl className="hr-entries" aria-label={label}>
        {entries.slice(0, MAX_ENTRIES).map(([key, item]) => (
          <div className="hr-entry" key={key} data-nested={isNested(item) ? '' : undefined}>
            <dt>{humaniseName(key)}</dt>
            <dd>
              <Value value={item} depth={depth} />
            </dd>
          </div>
        ))}
      </dl>
      <More count={entries.length - MAX_ENTRIES} />
    </>
  );
}

function Value({ value: given, depth }: { value: unknown; depth: number }): ReactNode {
  const labels = useLabels();
  const value = toPlain(given);
  if (value === null || value === undefined) return <Faint>{labels.none}</Faint>;
  if (typeof value === 'boolean') return value ? labels.yes : labels.no;
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value !== 'object') return <bdi>{displayText(String(value), MAX_VALUE_LENGTH)}</bdi>;
  if (!isNested(value)) return <Faint>{labels.emptyList}</Faint>;
  if (depth >= MAX_DEPTH) return <Faint>{labels.tooDeep}</Faint>;
  return Array.isArray(value) ? (
    <Items items={value} depth={depth + 1} />
  ) : (
    <Entries value={value} depth={depth + 1} />
  );
}

function Faint({ children }: { children: string }) {
  return <span className="hr-faint">{children}</span>;
}

function Items({ items, depth }: { items: readonly unknown[]; depth: number }) {
  return (
    <>
      <ul className="hr-items">
        {items.slice(0, MAX_ENTRIES).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: arguments never change while they are shown
          <li key={index}>
            <Value value={item} depth={depth} />
          </li>
        ))}
      </ul>
      <More count={items.length - MAX_ENTRIES} />
    </>
  );
}

function More({ count }: { count: number }) {
  const labels = useLabels();
  return count > 0 && <p className="hr-faint">{labels.moreItems(count)}</p>;
}

function Text({ text }: { text: string }) {
  const labels = useLabels();
  const isQuestion = useContext(SurfaceContext) !== undefined;
  if (text === '') return <Faint>{labels.emptyText}</Faint>;
  // A person who answers has to be able to read what the cut would hide.
  if (isQuestion && text.length > MAX_VALUE_LENGTH) return <LongText text={text} />;
  const link = readLink(text);
  if (link === undefined) return <bdi className="hr-value-text">{displayText(text, MAX_VALUE_LENGTH)}</bdi>;
  // The link shows its own address, so that its text cannot promise another target.
  return (
    <a className="hr-link" href={link} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{displayText(link)}</bdi>
    </a>
  );
}

/** Returns true for a value with entries of its own. */
function isNested(given: unknown): boolean {
  const value = toPlain(given);
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
