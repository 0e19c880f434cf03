/**
 * The form library behind `SchemaForm`: React Hook Form.
 *
 * Compared with TanStack Form (both keep typing out of React's render, both take Standard Schema): React Hook
 * Form is about half the size, keeps inputs uncontrolled so that half-typed numbers and dates survive, has field
 * arrays with stable keys built in, and is the one most applications already ship. TanStack Form has the better
 * types for paths, which a form made from a schema at run time cannot use. So: React Hook Form. Only this file
 * and the widgets know it.
 */
import { type FormEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type FieldErrors, type FieldValues, get, type Resolver, set, useForm } from 'react-hook-form';
import { reportThrown } from '../../shared/report-thrown.ts';
import type { Issue } from '../../tools/client-tool.ts';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import type { Labels } from '../text/labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import { checkDraft, type Failure, nothingWrong, notSent, sortIssues } from './check-draft.ts';
import { createDraft } from './create-draft.ts';
import { type Draft, ROOT_NAME, restoreDraft, withoutSecrets } from './draft.ts';
import type { ReadValue } from './form-context.ts';
import type { ControlIssue } from './read-draft.ts';
import type { FormModel } from './read-schema.ts';

/** What a submit handler may say: what is wrong with the value. Nothing, or an empty list, means it was taken. */
export interface FormReport {
  readonly issues?: readonly Issue[] | undefined;
}

export type FormSubmit<Value = unknown> = (value: Value) => Report | Promise<Report>;
/** The same for the kit's own forms, which may send what was typed: whoever gets it parses it. */
export type ModelSubmit = (parsed: unknown, entered: unknown) => Report | Promise<Report>;

// biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing, or what some call of theirs returns
type Report = FormReport | undefined | void;

function toFieldErrors(issues: readonly ControlIssue[]): FieldErrors<FieldValues> {
  const errors: FieldErrors<FieldValues> = {};
  for (const { name, message } of issues) {
    // The place of a list holds its rows' errors too.
    const place: object | undefined = get(errors, name);
    set(errors, name, { ...place, type: 'schema', message });
  }
  return errors;
}

/** A handler that throws has not taken the value: the person hears why, the page's error listeners as well. */
async function attempt(
  submit: () => ReturnType<ModelSubmit>,
  labels: Labels,
): Promise<FormReport | undefined> {
  try {
    return (await submit()) || undefined;
  } catch (thrown) {
    reportThrown(thrown);
    return { issues: notSent(thrown, labels) };
  }
}

/** Keeps what was typed so far, somewhere that outlives the form. */
export interface DraftKeeper {
  load(): unknown;
  save(draft: Draft): void;
}

export function useSchemaForm(
  model: FormModel,
  initial: unknown,
  onSubmit: ModelSubmit,
  keeper: DraftKeeper | undefined,
) {
  const labels = useLabels();
  const summaryRef = useRef<HTMLElement>(null);
  const [failure, setFailure] = useState<Failure>(nothingWrong);

  const resolver = useCallback<Resolver<FieldValues, unknown, ReadValue>>(
    async (values) => {
      const checked = await checkDraft(model, values[ROOT_NAME], labels);
      if (checked.value !== undefined) return { values: checked.value, errors: {} };
      // An issue of the whole has no control, but must keep the form from being sent all the same.
      const errors = toFieldErrors(checked.located);
      if (checked.general.length > 0) errors.form = { message: labels.formInvalid };
      return { values: {}, errors };
    },
    [model, labels],
  );
  const defaultValues = useMemo(() => {
    const made = createDraft(model.field, initial ?? model.field.defaultValue);
    return { [ROOT_NAME]: restoreDraft(model.field, keeper?.load(), made) };
  }, [model, initial, keeper]);
  const form = useForm<FieldValues, unknown, ReadValue>({
    resolver,
    defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    shouldFocusError: false,
  });
  const { errors, isSubmitting } = form.formState;

  const { subscribe } = form;
  useEffect(() => {
    if (keeper === undefined) return;
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => keeper.save(withoutSecrets(model.field, values[ROOT_NAME])),
    });
  }, [subscribe, keeper, model]);

  // The summary appears once the library has published the errors, which may be a render after the attempt failed.
  const focusPending = useRef(false);
  useBeforePaint(() => {
    if (!focusPending.current || summaryRef.current === null) return;
    focusPending.current = false;
    summaryRef.current.focus();
  });
  const fail = (next: Failure) => {
    focusPending.current = true;
    setFailure(next);
  };

  const attemptOnce = form.handleSubmit(
    async ({ parsed, entered }) => {
      setFailure(nothingWrong);
      const report = await attempt(() => onSubmit(parsed(), entered()), labels);
      if (report?.issues === undefined || report.issues.length === 0) return;
      const refused = sortIssues(model, form.getValues(ROOT_NAME), report.issues);
      for (const { name, message } of refused.located) form.setError(name, { type: 'server', message });
      fail(refused);
    },
    async () => {
      const checked = await checkDraft(model, form.getValues(ROOT_NAME), labels);
      if ('thrown' in checked) reportThrown(checked.thrown);
      fail(checked);
    },
  );
  // Enter and a second click reach the form while its button says that it is busy, and before React has said so.
  const underWay = useRef(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (underWay.current) return;
    underWay.current = true;
    await attemptOnce(event).finally(() => {
      underWay.current = false;
    });
  };

  return {
    control: form.control,
    initialDraft: defaultValues[ROOT_NAME],
    submit,
    busy: isSubmitting,
    summaryRef,
    /** Where the last attempt found something and something is still wrong, with what is wrong by now. */
    located: failure.located.flatMap((issue) => {
      const message: string | undefined = get(errors, `${issue.name}.message`);
      return message === undefined ? [] : { ...issue, message };
    }),
    general: failure.general,
  };
}
