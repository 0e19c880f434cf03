import { type ReactNode, useEffect, useRef } from 'react';
import { get, useFieldArray, useFormState } from 'react-hook-form';
import { Button } from '../../primitives/button.tsx';
import { BinIcon, DownIcon, PlusIcon, UpIcon } from '../../primitives/icons.tsx';
import { Slot } from '../../primitives/slot.tsx';
import type { FormField, ListField, RecordField } from '../schema/form-field.ts';
import { FieldSet, groupLabelId } from './field-frame.tsx';
import type { AskedForSecret, ControlBudget, FieldTools } from './field-kind.ts';
import { controlId, hintOf, useFormScope } from './form-context.ts';
import { type FormValues, type FormValuesGroup, wholeName } from './form-values.ts';
import { type FormRoomLabels, useFormLabels } from './use-form-labels.ts';

/** A field with rows: a list, or a record, whose rows have a name each. */
type RowsField = ListField | RecordField;

/** Copies the item of a row. Rows may have moved, so a row of other values may belong to another secret. */
export function copyRowItem(
  field: RowsField,
  row: FormValuesGroup,
  withSecrets: boolean,
  inner: FieldTools,
): FormValues {
  return inner.copy(field.item, row.item, withSecrets ? row.item : undefined);
}

export function guardItem(field: RowsField, asked: AskedForSecret, inner: FieldTools): FormField {
  const item = inner.guard(field.item, '', asked !== undefined);
  return item === field.item ? field : { ...field, item };
}

/** The buttons of a row, which move and remove it. */
const CONTROLS_OF_ROW = 3;

export function limitItems(
  field: RowsField,
  value: unknown,
  budget: ControlBudget,
  inner: FieldTools,
): FormField {
  const count = CONTROLS_OF_ROW * countValues(value);
  if (count > budget.left) return inner.toJson(field);
  budget.left -= count;
  return field;
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countValues(item), 0);
}

/** Rows that a person can add, move and remove. */
export function RowsWidget({
  field,
  name,
  maxItems = Infinity,
  isPair = false,
  createRow,
  children,
}: {
  field: RowsField;
  name: string;
  maxItems?: number | undefined;
  /** A row has two controls: a name and its value. */
  isPair?: boolean;
  createRow: () => FormValuesGroup;
  /** Renders the controls of a row. `place` is its place in the form values. */
  children: (label: string, place: string) => ReactNode;
}) {
  const labels = useFormLabels();
  const rows = useRows(field, name);
  return (
    <FieldSet field={field} control={rows.control} role="group" limits={describeCount(field, labels)}>
      <ol className="hr-rows" ref={rows.listRef}>
        {rows.fields.map((row, index) => {
          const label = labels.itemLabel(field.label, index + 1);
          return (
            <Slot
              slotName="row"
              as="li"
              className="hr-row"
              key={row.id}
              data-pair={isPair ? '' : undefined}
              data-plain={!isPair && isLeaf(field.item) ? '' : undefined}
            >
              <div className="hr-row-field">{children(label, `${name}.${index}`)}</div>
              <RowActions label={label} index={index} rows={rows} />
            </Slot>
          );
        })}
      </ol>
      {rows.fields.length < maxItems && (
        <Button
          ref={rows.addRef}
          look="quiet"
          className="hr-add"
          id={`${rows.control.id}-add`}
          // The text on the button does not say to what it adds.
          aria-labelledby={`${rows.control.id}-add ${groupLabelId(rows.control.id)}`}
          autofocus={rows.autofocus}
          onClick={() => rows.add(createRow())}
        >
          <PlusIcon />
          {rows.fields.length === 0 ? labels.addFirstItem : labels.addItem}
        </Button>
      )}
    </FieldSet>
  );
}

/** A row of one control needs no frame, and its label is that of the list with a number. */
function isLeaf({ kind }: FormField): boolean {
  return kind !== 'group' && kind !== 'union' && kind !== 'list' && kind !== 'record';
}

/** Says how many items a list takes. One that may be empty has a lower limit only where it has items. */
function describeCount(field: RowsField, { itemRange }: FormRoomLabels): string | undefined {
  if (field.kind === 'record') return undefined;
  const { minItems = 0, maxItems } = field;
  return minItems === 0 && maxItems === undefined ? undefined : itemRange(minItems, maxItems);
}

/** The rows of a list and the error of the list as a whole. Moves the focus when rows change. */
function useRows(field: FormField, name: string) {
  const { control, formId, autofocusName } = useFormScope();
  const { fields, append, remove, move } = useFieldArray({ control, name });
  const { errors } = useFormState({ control, name });
  const message: unknown = get(errors, `${wholeName(name)}.message`);
  const id = controlId(formId, name);
  const hint = message === undefined ? hintOf(field) : undefined;
  const listRef = useRef<HTMLOListElement>(null);
  const addRef = useRef<HTMLButtonElement>(null);
  const focusNext = useRef<(() => Element | null | undefined) | undefined>(undefined);
  useEffect(() => {
    const element = focusNext.current?.();
    focusNext.current = undefined;
    if (element instanceof HTMLElement) element.focus();
  });
  const row = (index: number) => listRef.current?.children[index];

  return {
    fields,
    listRef,
    addRef,
    autofocus: autofocusName === name,
    control: {
      id,
      message: typeof message === 'string' ? message : undefined,
      hint,
      hintId: hint === undefined ? undefined : `${id}-hint`,
      errorId: message === undefined ? undefined : `${id}-error`,
    },
    add(row: FormValuesGroup) {
      focusNext.current = () =>
        listRef.current?.lastElementChild?.querySelector('input, select, textarea, button');
      append(row, { shouldFocus: false });
    },
    remove(index: number) {
      // The focused button disappears: focus the one of the next row, or the button that adds a row.
      focusNext.current = () =>
        row(Math.min(index, fields.length - 2))?.querySelector('[data-act="remove"]') ?? addRef.current;
      remove(index);
    },
    move(index: number, by: 1 | -1) {
      // React takes the row out of the document for a moment, and the row loses the focus.
      focusNext.current = () =>
        row(index + by)?.querySelector(by < 0 ? '[data-act="up"]' : '[data-act="down"]');
      move(index, index + by);
    },
  };
}

function RowActions({
  label,
  index,
  rows,
}: {
  label: string;
  index: number;
  rows: ReturnType<typeof useRows>;
}) {
  const labels = useFormLabels();
  const last = rows.fields.length - 1;
  return (
    <div className="hr-row-actions">
      {last > 0 && (
        <>
          <IconButton
            act="up"
            label={labels.moveUp(label)}
            disabled={index === 0}
            onClick={() => rows.move(index, -1)}
          >
            <UpIcon />
          </IconButton>
          <IconButton
            act="down"
            label={labels.moveDown(label)}
            disabled={index === last}
            onClick={() => rows.move(index, 1)}
          >
            <DownIcon />
          </IconButton>
        </>
      )}
      <IconButton act="remove" label={labels.removeItem(label)} onClick={() => rows.remove(index)}>
        <BinIcon />
      </IconButton>
    </div>
  );
}

/**
 * A button with `aria-disabled`: one with the `disabled` attribute would lose the keyboard's focus when it is pressed.
 */
function IconButton({
  label,
  disabled = false,
  act,
  onClick,
  children,
}: {
  label: string;
  disabled?: boolean;
  act: 'up' | 'down' | 'remove';
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Button
      look="icon"
      label={label}
      aria-disabled={disabled}
      data-act={act}
      onClick={disabled ? undefined : onClick}
    >
      {children}
    </Button>
  );
}
