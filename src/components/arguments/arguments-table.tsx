import { useMemo } from 'react';
import { Announcement } from '../primitives/announcement.tsx';
import { UndoIcon } from '../primitives/icons.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { SharedLabels } from '../text/shared-labels.ts';
import { ArgumentValue, MoreButton, useShownCount } from './argument-value.tsx';
import type { ChangeControls } from './change-controls.ts';
import type { Described } from './describe-value.ts';
import { formatValue } from './format-value.ts';
import { type ArgumentRow, type ArgumentsSource, readArguments } from './read-arguments.ts';
import { TextButton } from './text-button.tsx';

interface ArgumentsTableProps extends ArgumentsSource {
  /** The accessible name of the table. Default: the label `arguments`. */
  readonly label?: string | undefined;
  readonly change?: ChangeControls | undefined;
}

/** Shows what will run, or ran, as a table. Renders nothing for a call without arguments. */
export function ArgumentsTable({ args, schema, originalArgs, label, change }: ArgumentsTableProps) {
  const labels = useLabels();
  const also = change?.names;
  const { shown, showMore } = useShownCount();
  const { rows, total } = useMemo(
    () => readArguments({ args, schema, originalArgs, also }, labels, shown),
    [args, schema, originalArgs, also, labels, shown],
  );
  if (rows.length === 0) return null;
  return (
    <Slot slotName="arguments" as="div" className="hr-arguments">
      <dl className="hr-entries" aria-label={label ?? labels.arguments}>
        {rows.map((row) => (
          <Row key={row.name} row={row} change={change} />
        ))}
      </dl>
      <MoreButton hidden={total - shown} onPress={showMore} />
      {change && <Announcement text={describeTouched(rows, change, labels)} />}
    </Slot>
  );
}

function Row({ row, change }: { row: ArgumentRow; change: ChangeControls | undefined }) {
  const labels = useLabels();
  const { name, title, value, before, isMain } = row;
  if (change?.editing === name) {
    return (
      <div className="hr-entry" data-editing="">
        <dt className="hr-hidden">{title}</dt>
        <dd>{change.field}</dd>
      </div>
    );
  }
  const isMine = change?.changed.includes(name) === true;
  return (
    <div
      className="hr-entry"
      data-main={isMain ? '' : undefined}
      data-wide={isWide(value, labels) || (before && isWide(before, labels)) ? '' : undefined}
      data-changed={before && (isMine ? 'now' : 'earlier')}
    >
      <dt>
        {title}
        {isMine && <span className="hr-tag">{labels.changedByYou}</span>}
      </dt>
      <dd className="hr-entry-value">
        {before && <Before value={before} />}
        {before && <span className="hr-hidden">{labels.after} </span>}
        <ArgumentValue value={value} depth={0} />
      </dd>
      <RowAction row={row} change={change} />
    </div>
  );
}

/** The old value, struck through, and the arrow to the new one. */
function Before({ value }: { value: Described }) {
  const labels = useLabels();
  return (
    <>
      <del className="hr-before">
        <span className="hr-hidden">{labels.before} </span>
        <ArgumentValue value={value} depth={0} />
      </del>
      <span className="hr-arrow" aria-hidden="true">
        {' → '}
      </span>
    </>
  );
}

/** Change, or Undo for a changed value. One button, so that it keeps the focus. */
function RowAction({ row, change }: { row: ArgumentRow; change: ChangeControls | undefined }) {
  const labels = useLabels();
  const { name, title } = row;
  if (change === undefined || change.isClosed || row.isReadOnly || !change.names.includes(name)) return null;
  const isChanged = change.changed.includes(name);
  return (
    <dd className="hr-entry-action">
      <TextButton
        // The field had the focus, and is gone.
        autoFocus={change.touched === name && change.editing === undefined}
        aria-label={isChanged ? labels.undoArgument(title) : labels.changeArgument(title)}
        onClick={() => (isChanged ? change.undo(name) : change.start(name))}
      >
        {isChanged && <UndoIcon />}
        {isChanged ? labels.undo : labels.change}
      </TextButton>
    </dd>
  );
}

/** A text of many lines, and a value with values inside, take the whole width. */
function isWide(value: Described, labels: SharedLabels): boolean {
  const { type } = formatValue(value, labels);
  return type === 'long-text' || type === 'entries' || type === 'items';
}

function describeTouched(rows: readonly ArgumentRow[], change: ChangeControls, labels: SharedLabels): string {
  const row = rows.find(({ name }) => name === change.touched);
  if (row === undefined || change.editing !== undefined) return '';
  const shown = formatValue(row.value, labels);
  if (shown.type === 'text' || shown.type === 'word') return labels.changedTo(row.title, shown.text);
  return change.changed.includes(row.name) ? `${row.title}: ${labels.changedByYou}` : '';
}
