import { type ReactNode, useId, useMemo } from 'react';
import { useSurroundingChat } from '../../react/agent-chat-provider.tsx';
import { type UploadFile, uploadThroughChat } from '../attachments/use-attachments.ts';
import { Announcements } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot, type Slots, SlotsProvider } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { fields } from './kinds/fields.tsx';
import { FormContext } from './kinds/form-context.ts';
import { ROOT_NAME } from './kinds/form-values.ts';
import { useFormLabels } from './kinds/use-form-labels.ts';
import { type FormModel, type FormSchema, type FormValue, readSchema } from './schema/read-schema.ts';
import type { SavedInput } from './use-saved-input.ts';
import { type FormSubmit, type ModelSubmit, useSchemaForm } from './use-schema-form.ts';

export interface SchemaFormProps<Schema extends FormSchema = FormSchema> {
  /**
   * The schema of the form: a Standard Schema that can describe itself as JSON Schema (Zod 4.2 and later), JSON Schema,
   * or a `fields` array. Parts without a widget are edited as JSON. Messages of a Standard Schema about a value are shown
   * as they are, in place of those in {@link Labels}. Keep the schema's identity stable: the form reads a new schema on
   * every render.
   */
  readonly schema: Schema;
  /**
   * Called with a valid value, as the schema parsed it (with defaults and transforms), and not again before the promise
   * it returned has settled. Return `{ issues }` to refuse the value: they appear at their fields, and the form keeps its
   * input.
   */
  readonly onSubmit: FormSubmit<FormValue<Schema>>;
  /** Called by the Cancel button, which only appears with this handler. */
  readonly onCancel?: (() => void) | undefined;
  /** The value the form starts with. Properties it does not have start with the schema's defaults. */
  readonly defaultValue?: unknown;
  /** Replaces the text of the submit button. */
  readonly submitLabel?: string | undefined;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /**
   * Uploads one file of a file field and reports the percentage. Default: `uploadFiles` of the chat in the nearest
   * `AgentChatProvider`, which needs the option `requestUploadUrls`.
   */
  readonly uploadFile?: UploadFile | undefined;
  /** Class names and renderers of the form's elements, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}

/**
 * A form made from a schema, with a labelled control of the right type for each field. The form checks its values on
 * submit and from then on with each change. A summary of the errors takes the focus and links to the fields.
 */
export function SchemaForm<Schema extends FormSchema>({
  schema,
  labels,
  slots,
  onSubmit,
  ...props
}: SchemaFormProps<Schema>) {
  const model = useMemo(() => readSchema(schema), [schema]);
  return (
    <LabelsProvider labels={labels}>
      <SlotsProvider slots={slots}>
        <div className="hr-standalone">
          <Announcements>
            <ModelForm {...props} model={model} onSubmit={(value) => onSubmit(value as FormValue<Schema>)} />
          </Announcements>
        </div>
      </SlotsProvider>
    </LabelsProvider>
  );
}

export interface ModelFormProps extends Omit<SchemaFormProps, 'schema' | 'labels' | 'slots' | 'onSubmit'> {
  readonly onSubmit: ModelSubmit;
  readonly model: FormModel;
  /** Further buttons before the submit button. */
  readonly actions?: ReactNode;
  /** A notice above the buttons, such as the outcome of the last attempt. */
  readonly notice?: ReactNode;
  /** The agent no longer waits: a person can read and copy the values, but not send them. */
  readonly closed?: boolean;
  /** Saves the input, so that it survives the form. */
  readonly savedInput?: SavedInput;
  /** Moves the focus to the first control when a dialog opens. */
  readonly autofocus?: boolean;
}

export function ModelForm({ model: given, autofocus = false, ...props }: ModelFormProps) {
  const labels = useFormLabels();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form takes its default value once
  const model = useMemo(
    () => ({ ...given, field: fields.limit(given.field, props.defaultValue ?? given.field.defaultValue) }),
    [given],
  );
  const formId = useId();
  const chat = useSurroundingChat();
  const uploadFile = useMemo(
    () => props.uploadFile ?? (chat === null ? undefined : uploadThroughChat(chat)),
    [props.uploadFile, chat],
  );
  const form = useSchemaForm(model, props.defaultValue, props.onSubmit, props.savedInput);
  const firstName = fields.firstControl(model.field, form.initialValues, ROOT_NAME);
  const scope = useMemo(
    () => ({
      control: form.control,
      formId,
      uploadFile,
      autofocusName: autofocus ? firstName : undefined,
    }),
    [form.control, formId, uploadFile, autofocus, firstName],
  );
  const isEmpty = model.field.kind === 'group' && model.field.fields.length === 0;
  return (
    <FormContext.Provider value={scope}>
      <Slot
        slotName="form"
        as="form"
        className={joinWords('hr-form', props.className)}
        onSubmit={form.submit}
        noValidate
      >
        <ErrorSummary
          formId={formId}
          located={form.located}
          general={form.general}
          summaryRef={form.summaryRef}
        />
        {isEmpty ? (
          <p className="hr-faint">{labels.noFields}</p>
        ) : (
          <fields.Field field={model.field} name={ROOT_NAME} />
        )}
        {model.skipped > 0 && (
          <Slot slotName="hint" as="p" className="hr-hint">
            {labels.skippedFields(model.skipped)}
          </Slot>
        )}
        {props.notice}
        <FormFooter {...props} busy={form.busy} autofocus={autofocus && firstName === undefined} />
      </Slot>
    </FormContext.Provider>
  );
}

function FormFooter({
  actions,
  onCancel,
  closed = false,
  submitLabel,
  busy,
  autofocus,
}: Pick<ModelFormProps, 'actions' | 'onCancel' | 'closed' | 'submitLabel'> & {
  busy: boolean;
  autofocus: boolean;
}) {
  const labels = useLabels();
  return (
    <Slot slotName="footer" as="div" className="hr-footer">
      {actions}
      {onCancel !== undefined && <Button onClick={() => onCancel()}>{labels.cancel}</Button>}
      {!closed && (
        <Button type="submit" look="primary" aria-disabled={busy} autofocus={autofocus}>
          {busy ? labels.submitting : (submitLabel ?? labels.submit)}
        </Button>
      )}
    </Slot>
  );
}
