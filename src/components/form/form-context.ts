import { createContext, type ReactNode, useContext, useState } from 'react';
import { type Control, type FieldValues, useController } from 'react-hook-form';
import type { UploadFile } from '../composer/use-attachments.ts';
import { joinWords } from '../primitives/join-words.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { FormField } from './form-field.ts';
import { readHint } from './read-hint.ts';

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

/** Renders any field. Widgets that contain fields get it as a prop: importing `FieldView` would be a cycle. */
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

/** The value, the error and the ARIA attributes of one control. */
export function useControl(name: string, field: FormField) {
  const labels = useLabels();
  const { control, formId, autofocusName } = useFormScope();
  const { field: binding, fieldState } = useController({ control, name });
  const text = String(binding.value ?? '');
  const [initialText] = useState(text);
  const id = controlId(formId, name);
  const message = fieldState.error?.message;
  const hasHint = field.kind === 'json' || readHint(field, labels) !== undefined;
  const hintId = hasHint ? `${id}-hint` : undefined;
  const errorId = message === undefined ? undefined : `${id}-error`;
  const warningId = field.suspect ? `${id}-warning` : undefined;
  return {
    id,
    binding,
    // React writes the text into the markup, where CSS and session recorders could read a secret while a person types it.
    text: field.secret ? initialText : text,
    message,
    hintId,
    warningId,
    errorId,
    aria: {
      'aria-invalid': message !== undefined,
      'aria-required': field.required && field.nullable !== true,
      'aria-describedby': joinWords(hintId, warningId, errorId),
      'data-autofocus': autofocusName === name ? '' : undefined,
    },
  };
}

export type ControlState = ReturnType<typeof useControl>;
