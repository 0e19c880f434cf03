/**
 * The form library behind `SchemaForm` is React Hook Form. Compared with TanStack Form (both keep typing out of React's
 * render, both take Standard Schema) it is about half the size, has field arrays with stable keys, keeps inputs
 * uncontrolled, so that half-typed numbers and dates survive, and most applications ship it already. The better path
 * types of TanStack Form do not help a form whose schema is known only at run time. Only this file and the widgets use
 * the library.
 */

import { type FormEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  type FieldErrors,
  type FieldValues,
  get,
  type Resolver,
  set,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { Issue } from '../../core/tools/client-tool.ts';
import { reportThrown } from '../../shared/report-thrown.ts';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import {
  type CheckedForm,
  checkFormValues,
  type Failure,
  noFailure,
  notSent,
  sortIssues,
} from './check-form-values.ts';
import type { ControlIssue } from './kinds/control-issue.ts';
import { fields } from './kinds/fields.tsx';
import type { ReadValue } from './kinds/form-context.ts';
import { ROOT_NAME } from './kinds/form-values.ts';
import { type FormRoomLabels, useFormLabels } from './kinds/use-form-labels.ts';
import type { FormModel } from './schema/read-schema.ts';
import { blankSecrets, restoreFormValues, type SavedInput } from './use-saved-input.ts';

/** The result of a submit handler: why it refuses the value. Nothing, or an empty list, means that it took the value. */
export interface FormReport {
  readonly issues?: readonly Issue[] | undefined;
}

export type FormSubmit<Value = unknown> = (value: Value) => Report | Promise<Report>;
/** The submit handler of the kit's own forms, which may send the value as it was entered where the receiver parses it. */
export type ModelSubmit = (parsed: unknown, entered: unknown) => Report | Promise<Report>;

// biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing, or the result of some other call
type Report = FormReport | undefined | void;

type Form = UseFormReturn<FieldValues, unknown, ReadValue>;

export function useSchemaForm(
  model: FormModel,
  initial: unknown,
  onSubmit: ModelSubmit,
  savedInput: SavedInput | undefined,
) {
  const labels = useFormLabels();
  const { resolver, lastChecked } = useResolver(model, labels);
  const defaultValues = useMemo(() => {
    const created = fields.create(model.field, initial ?? model.field.defaultValue);
    return { [ROOT_NAME]: restoreFormValues(model.field, savedInput?.load(), created) };
  }, [model, initial, savedInput]);
  const form = useForm<FieldValues, unknown, ReadValue>({
    resolver,
    defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    shouldFocusError: false,
  });
  const { errors, isSubmitting } = form.formState;
  useSaving(form, model, savedInput);
  const { failure, fail, clear, summaryRef } = useFailure();

  const attempt = form.handleSubmit(
    async ({ parsed, entered }) => {
      clear();
      const report = await submitSafely(() => onSubmit(parsed(), entered()), labels);
      if (report?.issues === undefined || report.issues.length === 0) return;
      const refused = sortIssues(model, form.getValues(ROOT_NAME), report.issues);
      for (const { name, message } of refused.located) form.setError(name, { type: 'server', message });
      fail(refused);
    },
    () => {
      const checked = lastChecked.current;
      if ('thrown' in checked) reportThrown(checked.thrown);
      fail(checked);
    },
  );
  const submit = useOneAtATime(attempt);

  return {
    control: form.control,
    initialValues: defaultValues[ROOT_NAME],
    submit,
    busy: isSubmitting,
    summaryRef,
    /** The issues of the last attempt whose controls still have an error, with their present messages. */
    located: failure.located.flatMap((issue) => {
      const message: string | undefined = get(errors, `${issue.name}.message`);
      return message === undefined ? [] : { ...issue, message };
    }),
    general: failure.general,
  };
}

/** Validates for the form library, and remembers the last check, so that a failed submit need not validate again. */
function useResolver(model: FormModel, labels: FormRoomLabels) {
  const lastChecked = useRef<CheckedForm>(noFailure);
  const resolver = useCallback<Resolver<FieldValues, unknown, ReadValue>>(
    async (values) => {
      const checked = await checkFormValues(model, values[ROOT_NAME], labels);
      lastChecked.current = checked;
      if (checked.value !== undefined) return { values: checked.value, errors: {} };
      const errors = toFieldErrors(checked.located);
      // An issue without a control must still keep the form from being sent.
      if (checked.general.length > 0) errors.form = { message: labels.formInvalid };
      return { values: {}, errors };
    },
    [model, labels],
  );
  return { resolver, lastChecked };
}

function toFieldErrors(issues: readonly ControlIssue[]): FieldErrors<FieldValues> {
  const errors: FieldErrors<FieldValues> = {};
  for (const { name, message } of issues) {
    // The place of a list may hold the errors of its rows already.
    const place: object | undefined = get(errors, name);
    set(errors, name, { ...place, type: 'schema', message });
  }
  return errors;
}

/** Saves the form values on each change, without secrets. */
function useSaving({ subscribe }: Form, model: FormModel, savedInput: SavedInput | undefined): void {
  useEffect(() => {
    if (savedInput === undefined) return;
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => savedInput.save(blankSecrets(model.field, values[ROOT_NAME])),
    });
  }, [subscribe, savedInput, model]);
}

/** The issues of the last failed attempt, and the focus on the summary that shows them. */
function useFailure(): {
  failure: Failure;
  fail: (failure: Failure) => void;
  clear: () => void;
  summaryRef: RefObject<HTMLDivElement | null>;
} {
  const [failure, setFailure] = useState<Failure>(noFailure);
  const summaryRef = useRef<HTMLDivElement>(null);
  const focusPending = useRef(false);
  // The form library may publish its errors one render after the failed attempt; only then the summary appears.
  useBeforePaint(() => {
    if (!focusPending.current || summaryRef.current === null) return;
    focusPending.current = false;
    summaryRef.current.focus();
  });
  const fail = (next: Failure) => {
    focusPending.current = true;
    setFailure(next);
  };
  return { failure, fail, clear: () => setFailure(noFailure), summaryRef };
}

/** Ignores Enter and second clicks while an attempt is running, also before React has disabled the button. */
function useOneAtATime(attempt: (event: FormEvent) => Promise<void>) {
  const isRunning = useRef(false);
  return async (event: FormEvent) => {
    event.preventDefault();
    if (isRunning.current) return;
    isRunning.current = true;
    await attempt(event).finally(() => {
      isRunning.current = false;
    });
  };
}

/** Calls the submit handler. When it throws, the person reads why and the page's error listeners get the error. */
async function submitSafely(
  submit: () => ReturnType<ModelSubmit>,
  labels: FormRoomLabels,
): Promise<FormReport | undefined> {
  try {
    return (await submit()) || undefined;
  } catch (thrown) {
    reportThrown(thrown);
    return { issues: notSent(thrown, labels) };
  }
}
