import { type ReactNode, useEffect, useRef } from 'react';
import { get, useFieldArray, useFormState } from 'react-hook-form';
import { Button } from '../primitives/button.tsx';
import { CloseIcon, DownIcon, PlusIcon, UpIcon } from '../primitives/icons.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { createFormValues } from './create-form-values.ts';
import { FieldSet } from './field-frame.tsx';
import { controlId, type FieldComponent, useFormScope } from './form-context.ts';
import type { FormField, ListField, RecordField } from './form-field.ts';
import { type FormValuesGroup, wholeName } from './form-values.ts';
import { TextWidget } from './text-widgets.tsx';

const keyField = { kind: 'text', format: 'plain', required: true } as const;

/** Rows that a person can add, move and remove: the items of a list, or the names and values of a record. */
export function RowsWidget({
  field,
  name,
  Field,
}: {
  field: ListField | RecordField;
  name: string;
  Field: FieldComponent;
}) {
  const labels = useLabels();
  const rows = useRows(field, name);
  const isRecord = field.kind === 'record';
  return (
    <FieldSet field={field} control={rows.control} role="group">
      <ol className="hr-rows" ref={rows.listRef}>
        {rows.fields.map((row, index) => {
          const label = labels.itemLabel(field.label, index + 1);
          const itemLabel = isRecord ? labels.entryValue : label;
          return (
            <Slot
              slotName="row"
              as="li"
              className="hr-row"
              key={row.id}
              data-pair={isRecord ? '' : undefined}
            >
              <div className="hr-row-field">
                {isRecord && (
                  <TextWidget field={{ ...keyField, label: labels.entryKey }} name={`${name}.${index}.key`} />
                )}
                <Field
                  field={{ ...field.item, label: itemLabel, required: true }}
                  name={`${name}.${index}.item`}
                />
              </div>
              <RowActions label={label} index={index} rows={rows} />
            </Slot>
          );
        })}
      </ol>
      {(isRecord || field.maxItems === undefined || rows.fields.length < field.maxItems) && (
        <Button
          ref={rows.addRef}
          autofocus={rows.autofocus}
          onClick={() => {
            const item = createFormValues(field.item);
            rows.add(isRecord ? { key: '', item } : { item });
          }}
        >
          <PlusIcon />
          {labels.addItem(field.label)}
        </Button>
      )}
    </FieldSet>
  );
}

/** The rows of a list and the error of the list as a whole. Moves the focus when rows change. */
function useRows(field: FormField, name: string) {
  const { control, formId, autofocusName } = useFormScope();
  const { fields, append, remove, move } = useFieldArray({ control, name });
  const { errors } = useFormState({ control, name });
  const message: unknown = get(errors, `${wholeName(name)}.message`);
  const id = controlId(formId, name);
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
      hintId: field.description === undefined ? undefined : `${id}-hint`,
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
  const labels = useLabels();
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
        <CloseIcon />
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
