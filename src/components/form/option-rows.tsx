import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Announcement } from '../primitives/announcement.tsx';
import { SearchIcon } from '../primitives/icons.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { FieldOption } from './form-field.ts';

/** From this many options on there is a search. */
export const SEARCH_FROM = 13;
/** Rows rendered at once; the search reaches the others. */
const MAX_ROWS = 200;
/** The row that takes a pick back. */
export const NO_PICK = -1;

/**
 * The rows of a choice, for a group that has a name: radio buttons or checkboxes, from a dozen on below a search. No
 * combobox: native controls say "3 of 60" in every screen reader, and need no popup inside a dialog. What is picked
 * stays in sight whatever is searched.
 */
export function OptionRows({
  id,
  options,
  multiple,
  picked,
  clearable = false,
  numbered = false,
  autofocus,
  onPick,
  onBlur,
}: {
  /** Of the group. A row's is `id-0`, `id-1` and so on. */
  id: string;
  options: readonly FieldOption[];
  multiple: boolean;
  /** Positions in `options`. */
  picked: readonly number[];
  /** Whether a first row takes the pick back: `onPick` is called with `NO_PICK`. */
  clearable?: boolean;
  /** Shows the key that picks, where there is no search. */
  numbered?: boolean;
  autofocus: boolean;
  onPick: (index: number) => void;
  onBlur?: () => void;
}) {
  const labels = useLabels();
  const rowsRef = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const searchable = options.length >= SEARCH_FROM;
  const rows = options.map((option, index) => ({ option, index }));
  const found = rows.filter(({ option }) => matches(option, query));
  const reached = new Set(found.slice(0, MAX_ROWS));
  const shown = rows.filter((row) => reached.has(row) || picked.includes(row.index));
  const hidden = found.filter((row) => !shown.includes(row)).length;
  const none: FieldOption = { value: null, label: labels.none };
  const checked = clearable && picked.length === 0 ? [NO_PICK] : picked;
  const focused = multiple ? 0 : (checked[0] ?? 0);
  useEffect(() => {
    if (searchable) showPick(rowsRef.current);
  }, [searchable]);
  return (
    <>
      {searchable && (
        <Search
          id={`${id}-search`}
          query={query}
          results={found.length}
          autofocus={autofocus}
          onChange={setQuery}
          onEnterList={() => rowsRef.current?.querySelector('input')?.focus()}
        />
      )}
      <div className="hr-options" data-scroll={searchable ? '' : undefined} ref={rowsRef}>
        {(clearable ? [{ option: none, index: NO_PICK }, ...shown] : shown).map(({ option, index }) => (
          <OptionRow
            key={String(index)}
            option={option}
            id={`${id}-${index}`}
            shortcut={numbered && !searchable && index < 9 ? String(index + 1) : undefined}
          >
            <Slot
              slotName={multiple ? 'checkbox' : 'radio'}
              as="input"
              type={multiple ? 'checkbox' : 'radio'}
              id={`${id}-${index}`}
              name={id}
              data-index={index}
              checked={checked.includes(index)}
              data-autofocus={autofocus && !searchable && index === focused ? '' : undefined}
              aria-describedby={option.description === undefined ? undefined : `${id}-${index}-hint`}
              onBlur={onBlur}
              onChange={() => onPick(index)}
            />
          </OptionRow>
        ))}
        {found.length === 0 && <p className="hr-faint">{labels.searchEmpty}</p>}
        {hidden > 0 && <p className="hr-faint">{labels.moreItems(hidden)}</p>}
      </div>
    </>
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
  const labels = useLabels();
  const handleKey = (event: KeyboardEvent) => {
    switch (event.key) {
      case 'Escape':
        // Not every browser does so itself. The dialog around it knows that this one is not meant for it.
        return onChange('');
      case 'ArrowDown':
        event.preventDefault();
        return onEnterList();
      case 'Enter':
        // It would send a pick nobody made yet.
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

/** One radio button or checkbox with its words; the whole row can be pressed. */
function OptionRow({
  option,
  id,
  shortcut,
  children,
}: {
  option: FieldOption;
  id: string;
  /** The key that picks this option. */
  shortcut: string | undefined;
  children: ReactNode;
}) {
  return (
    <Slot slotName="option" as="div" className="hr-option">
      {children}
      <label htmlFor={id}>{option.label}</label>
      {option.description !== undefined && (
        <Slot slotName="hint" as="span" className="hr-hint" id={`${id}-hint`}>
          {displayText(option.description)}
        </Slot>
      )}
      {shortcut !== undefined && (
        <span className="hr-key" aria-hidden="true">
          {shortcut}
        </span>
      )}
    </Slot>
  );
}

function matches(option: FieldOption, query: string): boolean {
  const words = query.trim().toLocaleLowerCase();
  return words === '' || `${option.label} ${option.description ?? ''}`.toLocaleLowerCase().includes(words);
}

/** Scrolls the list, and nothing around it, to what was picked before. */
function showPick(list: HTMLElement | null): void {
  const row = list?.querySelector(':checked')?.parentElement;
  if (list === null || !row) return;
  const middle = (list.clientHeight - row.clientHeight) / 2;
  list.scrollTop += row.getBoundingClientRect().top - list.getBoundingClientRect().top - middle;
}
