import { type ReactNode, useId, useMemo } from 'react';
import { useSurroundingChat } from '../../react/agent-chat-provider.tsx';
import type { UploadFile } from '../composer/use-attachments.ts';
import { uploadThroughChat } from '../composer/use-attachments.ts';
import { Announcements } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { joinWords } from '../primitives/join-words.ts';
import { Slot, type Slots, SlotsProvider } from '../primitives/slot.tsx';
import type { Labels } from '../text/labels.ts';
import { LabelsProvider, useLabels } from '../text/labels-context.tsx';
import { ROOT_NAME } from './draft.ts';
import { ErrorSummary } from './error-summary.tsx';
import { FieldView } from './field-view.tsx';
import { firstControl } from './first-control.ts';
import { FormContext } from './form-context.ts';
import { type FormModel, type FormSchema, type FormValue, readSchema } from './read-schema.ts';
import { type DraftKeeper, type FormSubmit, type ModelSubmit, useSchemaForm } from './use-schema-form.ts';

export interface SchemaFormProps<Schema extends FormSchema = FormSchema> {
  /**
   * What to ask for: a Standard Schema that can describe itself as JSON Schema (Zod 4.2 and later), JSON Schema,
   * or a `fields` array. Parts that have no widget are edited as JSON. Messages its author wrote (Zod 4, Valibot, ArkType)
   * stand at their fields, in place of {@link Labels}. Keep its identity stable: a schema made anew on every render is read
   * anew on every render.
   */
  readonly schema: Schema;
  /**
   * Called once the value passes, and not again before what it returns has settled. The value is what the schema parsed
   * (defaults and transforms applied). Return `{ issues }` to refuse: they appear on their fields and nothing typed is
   * lost.
   */
  readonly onSubmit: FormSubmit<FormValue<Schema>>;
  /** Shows a Cancel button and is called by it. */
  readonly onCancel?: (() => void) | undefined;
  /** A value to start from; the schema's defaults fill what it leaves out. */
  readonly defaultValue?: unknown;
  /** Replaces the text of the submit button. */
  readonly submitLabel?: string | undefined;
  /** Strings to replace, see {@link Labels}. */
  readonly labels?: Partial<Labels> | undefined;
  /**
   * Uploads the files of file fields, one at a time, and tells the percentage. Default: `uploadFiles` of the chat around
   * it (`AgentChatProvider`), which needs its option `requestUploadUrls`.
   */
  readonly uploadFile?: UploadFile | undefined;
  /** Class names and renderers of its parts, see {@link Slots}. */
  readonly slots?: Slots | undefined;
  readonly className?: string | undefined;
}

/**
 * A form made from a schema, usable on its own: labelled controls of the right type, checked when submitted and
 * from then on as they change, with a summary of errors that takes the focus and leads to the fields.
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

export interface ModelFormProps extends Omit<SchemaFormProps, 'schema' | 'labels' | 'parts' | 'onSubmit'> {
  readonly onSubmit: ModelSubmit;
  readonly model: FormModel;
  /** Further ways out, before the submit button. */
  readonly actions?: ReactNode;
  /** Above the actions, such as what became of the last attempt. */
  readonly notice?: ReactNode;
  /** Nobody waits for the value any more: it can be read and copied, not sent. */
  readonly closed?: boolean;
  /** Where what was typed survives the form. */
  readonly keeper?: DraftKeeper;
  /** Puts the focus on the first control when a dialog opens. */
  readonly autofocus?: boolean;
}

export function ModelForm({ model, autofocus = false, ...props }: ModelFormProps) {
  const labels = useLabels();
  const formId = useId();
  const chat = useSurroundingChat();
  const uploadFile = useMemo(
    () => props.uploadFile ?? (chat === null ? undefined : uploadThroughChat(chat)),
    [props.uploadFile, chat],
  );
  const form = useSchemaForm(model, props.defaultValue, props.onSubmit, props.keeper);
  const firstName = firstControl(model.field, ROOT_NAME, form.initialDraft);
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
          <FieldView field={model.field} name={ROOT_NAME} />
        )}
        {model.skipped > 0 && (
          <Slot slotName="hint" as="p" className="hr-hint">
            {labels.skippedFields(model.skipped)}
          </Slot>
        )}
        {props.notice}
        <Slot slotName="footer" as="footer" className="hr-footer">
          {props.actions}
          {props.onCancel !== undefined && (
            <Button onClick={() => props.onCancel?.()}>{labels.cancel}</Button>
          )}
          {props.closed !== true && (
            <Button
              type="submit"
              look="primary"
              aria-disabled={form.busy}
              autofocus={autofocus && firstName === undefined}
            >
              {form.busy ? labels.submitting : (props.submitLabel ?? labels.submit)}
            </Button>
          )}
        </Slot>
      </Slot>
    </FormContext.Provider>
  );
}
