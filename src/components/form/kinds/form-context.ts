import { createContext, type ReactNode, useContext, useState } from 'react';
import { type Control, type FieldValues, useController } from 'react-hook-form';
import type { UploadFile } from '../../attachments/use-attachments.ts';
import { joinWords } from '../../primitives/join-words.ts';
import { displayText } from '../../text/safe-text.ts';
import type { FormField } from '../schema/form-field.ts';

/** The state that all widgets of a form share. */
export interface FormContextValue {
  readonly control: Control<FieldValues, unknown, ReadValue>;
  /** Prefix of all ids, so that two forms on a page have different ones. */
  readonly formId: string;
  /** Uploads a file; absent where the app has no upload. */
  readonly uploadFile: UploadFile | undefined;
  /** The control that gets the focus when a dialog opens. */
  readonly autofocusName: string | undefined;
}

/**
 * A valid value of a form. It is behind functions because the form library copies values, and its copies lose class
 * instances and keys such as `__proto__`.
 */
export interface ReadValue {
  /** The value that the schema parsed. */
  readonly parsed: () => unknown;
  /** The value as a person entered it. */
  readonly entered: () => unknown;
}

/** Renders any field. */
export type FieldComponent = (props: { field: FormField; name: string }) => ReactNode;

export const FormContext = /* @__PURE__ */ createContext<FormContextValue | undefined>(undefined);

export function useFormScope(): FormContextValue {
  const scope = useContext(FormContext);
  if (scope === undefined)
    throw new Error('A form field was rendered outside SchemaForm. Render it inside one.');
  return scope;
}

/** Returns the id of a control, which its label, its error and the links of the summary refer to. */
export function controlId(formId: string, name: string): string {
  return `${formId}${name.replace(/\.root$/, '').replaceAll('.', '-')}`;
}

/**
 * Returns the text below a control: the description of the field, made safe to show because it comes from the agent, and lines of the
 * kit itself. Undefined when there is none.
 */
export function hintOf(
  { description, note }: Pick<FormField, 'description' | 'note'>,
  ...lines: readonly (string | undefined)[]
): string | undefined {
  const about = description === undefined ? undefined : displayText(description);
  return [about, note, ...lines].filter((line) => line !== undefined).join('\n') || undefined;
}

/**
 * The value, the texts and the ARIA attributes of one control.
 *
 * @param given The text below the control. Default: the description of the field. An error takes its place.
 */
export function useControl(name: string, field: FormField, given = hintOf(field)) {
  const { control, formId, autofocusName } = useFormScope();
  const { field: binding, fieldState } = useController({ control, name });
  const text = String(binding.value ?? '');
  const [initialText] = useState(text);
  const id = controlId(formId, name);
  const message = fieldState.error?.message;
  const hint = message === undefined ? given : undefined;
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = message === undefined ? undefined : `${id}-error`;
  const warningId = field.suspect ? `${id}-warning` : undefined;
  return {
    id,
    binding,
    // React writes the text into the markup, where CSS and session recorders could read a secret while a person types it.
    text: field.secret ? initialText : text,
    message,
    hint,
    hintId,
    warningId,
    errorId,
    aria: {
      'aria-invalid': message !== undefined,
      'aria-required': field.required && field.nullable !== true,
      'aria-describedby': joinWords(warningId, hintId, errorId),
      'data-autofocus': autofocusName === name ? '' : undefined,
    },
  };
}

export type ControlState = ReturnType<typeof useControl>;
