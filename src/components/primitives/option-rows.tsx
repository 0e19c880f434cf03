import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { deepEqual } from '../../shared/deep-equal.ts';
import { isComposing } from '../../shared/is-composing.ts';
import { englishChoiceLabels } from '../text/choice-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { FieldOption } from '../text/read-options.ts';
import { displayText } from '../text/safe-text.ts';
import { Announcement } from './announcement.tsx';
import { SearchIcon } from './icons.tsx';
import { Slot } from './slot.tsx';

/** From this number of options on there is a search. */
export const SEARCH_FROM = 8;
/** At most so many rows are rendered; the search finds the others. */
const MAX_ROWS = 200;
/** The index of the row that takes a pick back. */
export const NO_PICK = -1;

/** Returns the position of the option with this value as text, or an empty text. */
export function findOption(options: readonly FieldOption[], value: unknown): string {
  const index = options.findIndex((option) => deepEqual(option.value, value));
  return index === -1 ? '' : String(index);
}

interface OptionRowsProps {
  /** The id of the group. A row has `id-0`, `id-1` and so on. */
  id: string;
  options: readonly FieldOption[];
  multiple: boolean;
  /** Positions in `options`. */
  picked: readonly number[];
  /** Shows a first row that takes the pick back: `onPick` is called with `NO_PICK`. */
  clearable?: boolean;
  /** Shows the number key of each row, unless there is a search. */
  numbered?: boolean;
  autofocus: boolean;
  onPick: (index: number) => void;
  onBlur?: () => void;
}

/**
 * The rows of a choice inside a labelled group: radio buttons or checkboxes, with a search above many of them. It is not
 * a combobox, because native controls say "3 of 60" in every screen reader and need no popup inside a dialog. Picked rows
 * stay visible while a person searches, the first of them where there are too many for a page.
 */
export function OptionRows(props: OptionRowsProps) {
  const { id, options, picked, clearable = false } = props;
  const labels = useLabels(englishChoiceLabels);
  const rowsRef = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const searchable = options.length >= SEARCH_FROM;
  const { found, shown, hidden } = findRows(options, query, picked);
  const none = { option: { value: null, label: labels.none }, index: NO_PICK };
  useEffect(() => {
    if (searchable) scrollToPick(rowsRef.current);
  }, [searchable]);
  return (
    <>
      {searchable && (
        <Search
          id={`${id}-search`}
          query={query}
          results={found.length}
          autofocus={props.autofocus}
          onChange={setQuery}
          onEnterList={() => rowsRef.current?.querySelector('input')?.focus()}
        />
      )}
      <div className="hr-options" data-scroll={searchable ? '' : undefined} ref={rowsRef}>
        {(clearable ? [none, ...shown] : shown).map(({ option, index }) => (
          <OptionRow
            key={String(index)}
            option={option}
            index={index}
            {...props}
            checked={clearable && picked.length === 0 ? [NO_PICK] : picked}
            searchable={searchable}
          />
        ))}
        {found.length === 0 && <p className="hr-faint">{labels.searchEmpty}</p>}
        {hidden > 0 && <p className="hr-faint">{labels.moreItems(hidden)}</p>}
      </div>
    </>
  );
}

/** The rows that match the query, those of them that are rendered, and the number of the others. */
function findRows(options: readonly FieldOption[], query: string, picked: readonly number[]) {
  const rows = options.map((option, index) => ({ option, index }));
  const found = rows.filter(({ option }) => matches(option, query));
  const reached = new Set(found.slice(0, MAX_ROWS));
  const kept = new Set(picked.slice(0, MAX_ROWS));
  const shown = rows.filter((row) => reached.has(row) || kept.has(row.index));
  const rendered = new Set(shown);
  return { found, shown, hidden: found.filter((row) => !rendered.has(row)).length };
}

/** One radio button or checkbox with its label. The whole row can be pressed. */
function OptionRow({
  id: groupId,
  option,
  index,
  multiple,
  checked,
  numbered = false,
  searchable,
  autofocus,
  onBlur,
  onPick,
}: Omit<OptionRowsProps, 'options' | 'picked'> & {
  option: FieldOption;
  index: number;
  checked: readonly number[];
  searchable: boolean;
}) {
  const id = `${groupId}-${index}`;
  const focused = multiple ? 0 : (checked[0] ?? 0);
  return (
    <Slot slotName="option" as="div" className="hr-option">
      <Slot
        slotName={multiple ? 'checkbox' : 'radio'}
        as="input"
        type={multiple ? 'checkbox' : 'radio'}
        id={id}
        name={groupId}
        data-index={index}
        checked={checked.includes(index)}
        data-autofocus={autofocus && !searchable && index === focused ? '' : undefined}
        aria-describedby={option.description === undefined ? undefined : `${id}-hint`}
        onBlur={onBlur}
        onChange={() => onPick(index)}
      />
      <label htmlFor={id}>{option.label}</label>
      {option.description !== undefined && (
        <Slot slotName="hint" as="span" className="hr-hint" id={`${id}-hint`}>
          {displayText(option.description)}
        </Slot>
      )}
      {numbered && !searchable && index < 9 && (
        <span className="hr-key" aria-hidden="true">
          {String(index + 1)}
        </span>
      )}
    </Slot>
  );
}

function Search({
  id,
  query,
  results,
  autofocus,
  onChange,
  onEnterList,
}: {
  id: string;
  query: string;
  results: number;
  autofocus: boolean;
  onChange: (query: string) => void;
  onEnterList: () => void;
}) {
  const labels = useLabels(englishChoiceLabels);
  const handleKey = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    switch (event.key) {
      case 'Escape':
        // Not every browser clears the field itself. The dialog ignores an Escape from a search field.
        return onChange('');
      case 'ArrowDown':
        event.preventDefault();
        return onEnterList();
      case 'Enter':
        // Enter would submit the form before the person picked.
        return event.preventDefault();
      default:
        return;
    }
  };
  return (
    <div className="hr-search">
      <SearchIcon />
      <Slot
        slotName="input"
        as="input"
        id={id}
        className="hr-input"
        type="search"
        aria-label={labels.search}
        placeholder={labels.search}
        value={query}
        autoComplete="off"
        data-autofocus={autofocus ? '' : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={handleKey}
      />
      <Announcement text={query === '' ? '' : labels.searchResults(results)} />
    </div>
  );
}

function matches(option: FieldOption, query: string): boolean {
  const words = query.trim().toLocaleLowerCase();
  return words === '' || `${option.label} ${option.description ?? ''}`.toLocaleLowerCase().includes(words);
}

/** Scrolls only the list, and not the page, to the first picked row. */
function scrollToPick(list: HTMLElement | null): void {
  const row = list?.querySelector(':checked')?.parentElement;
  if (list === null || !row) return;
  const middle = (list.clientHeight - row.clientHeight) / 2;
  list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - middle;
}
