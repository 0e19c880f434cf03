import { type RefObject, useState } from 'react';
import { OptionRow } from '../form/choice-widgets.tsx';
import { FieldError } from '../form/field-frame.tsx';
import type { FieldOption } from '../form/form-field.ts';
import { Announcement } from '../parts/announcement.tsx';
import { Part } from '../parts/part.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { ChoiceModel } from './read-choice.ts';

/** From this many options on there is a search instead of number keys. */
export const SEARCH_FROM = 13;
/** Rows rendered at once; the search reaches the others. */
const MOST_ROWS = 200;

/** Radio buttons or checkboxes; a long list can be searched. A picked option stays in sight whatever is searched. */
export function OptionList({
  id,
  listRef,
  choice,
  picked,
  error,
  autofocus,
  onPick,
}: {
  id: string;
  listRef: RefObject<HTMLFieldSetElement | null>;
  choice: ChoiceModel;
  picked: readonly number[];
  error: string | undefined;
  autofocus: boolean;
  onPick: (index: number) => void;
}) {
  const labels = useLabels();
  const [query, setQuery] = useState('');
  const searchable = choice.options.length >= SEARCH_FROM;
  const rows = choice.options
    .map((option, index) => ({ option, index }))
    .filter(({ option, index }) => matches(option, query) || picked.includes(index));
  const shown = rows.slice(0, MOST_ROWS);
  const focused = searchable ? undefined : (picked[0] ?? 0);
  return (
    <>
      {searchable && (
        <Part partName="field" as="div" className="hr-field">
          <Part partName="label" as="label" className="hr-label" htmlFor={`${id}search`}>
            {labels.search}
          </Part>
          <Part
            partName="input"
            as="input"
            id={`${id}search`}
            className="hr-input"
            type="search"
            value={query}
            autoComplete="off"
            data-autofocus={autofocus ? '' : undefined}
            onChange={(event) => setQuery(event.currentTarget.value)}
            // Enter while searching would send a pick nobody made yet.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <Announcement text={query === '' ? '' : labels.searchResults(rows.length)} />
        </Part>
      )}
      <Part
        partName="fieldset"
        as="fieldset"
        className="hr-field"
        ref={listRef}
        data-invalid={error === undefined ? undefined : ''}
        aria-labelledby={`${id}hint`}
        aria-describedby={error === undefined ? undefined : `${id}error`}
        {...(choice.multiple
          ? {}
          : { role: 'radiogroup', 'aria-required': true, 'aria-invalid': error !== undefined })}
      >
        <Part partName="hint" as="p" className="hr-hint" id={`${id}hint`}>
          {choice.multiple ? labels.chooseSeveral(choice.min, choice.max) : labels.chooseOne}
        </Part>
        <div className="hr-options" data-scroll={searchable ? '' : undefined}>
          {shown.map(({ option, index }) => (
            <OptionRow
              key={String(index)}
              option={option}
              id={`${id}${index}`}
              shortcut={searchable || index > 8 ? undefined : String(index + 1)}
            >
              <Part
                partName={choice.multiple ? 'checkbox' : 'radio'}
                as="input"
                type={choice.multiple ? 'checkbox' : 'radio'}
                id={`${id}${index}`}
                name={id}
                data-index={index}
                checked={picked.includes(index)}
                data-autofocus={autofocus && index === focused ? '' : undefined}
                aria-describedby={option.description === undefined ? undefined : `${id}${index}-hint`}
                onChange={() => onPick(index)}
              />
            </OptionRow>
          ))}
          {shown.length === 0 && <p className="hr-faint">{labels.searchEmpty}</p>}
          {rows.length > shown.length && (
            <p className="hr-faint">{labels.moreItems(rows.length - shown.length)}</p>
          )}
        </div>
        <FieldError control={{ message: error, errorId: `${id}error` }} />
      </Part>
    </>
  );
}

function matches(option: FieldOption, query: string): boolean {
  const words = query.trim().toLocaleLowerCase();
  if (words === '') return true;
  return `${option.label} ${option.description ?? ''}`.toLocaleLowerCase().includes(words);
}
