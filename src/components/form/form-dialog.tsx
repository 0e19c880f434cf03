import { useEffect, useMemo } from 'react';
import type { SubmitOptions } from '../../core/tools/client-tool.ts';
import { isRecord } from '../../shared/json.ts';
import { withoutSecrets } from '../../shared/secrets.ts';
import type { AnyTool } from '../any-tool.ts';
import { CallArguments } from '../arguments/call-arguments.tsx';
import type { UploadFile } from '../attachments/use-attachments.ts';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import { Button } from '../primitives/button.tsx';
import { createCard, createDialog, type OnSurface } from '../primitives/create-question.tsx';
import { Question, type QuestionBodyProps, type QuestionProps } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { readNoAnswer } from '../text/answer-words.ts';
import { readAskingServer } from '../text/tool-prompt.ts';
import { guardElicitedForm } from './guard-elicited-form.ts';
import { useFormLabels } from './kinds/use-form-labels.ts';
import { describeSchema, describesItself } from './schema/describe-schema.ts';
import { type FormModel, type FormSchema, readSchema } from './schema/read-schema.ts';
import { ModelForm } from './schema-form.tsx';
import { useSavedInput } from './use-saved-input.ts';

export interface FormProps extends QuestionProps {
  /**
   * The schema of the form, which parses the submitted value. Default: the tool's `output` schema, or else
   * `requestedSchema`, `fields` or `schema` of the arguments.
   */
  readonly schema?: FormSchema | undefined;
  /** The value the form starts with. */
  readonly defaultValue?: unknown;
  /** Uploads the files of file fields, see {@link SchemaFormProps.uploadFile}. */
  readonly uploadFile?: UploadFile | undefined;
  /** Replaces the text of the submit button. */
  readonly submitLabel?: string | undefined;
}

/**
 * Asks for values in a modal dialog and submits them. When the tool's `output` schema refuses the result, the dialog
 * stays open with its input and shows the issues at their fields. The Decline button declines; Escape and the cross
 * cancel, and ask first when the person has entered something.
 */
export const FormDialog = /* @__PURE__ */ createDialog<FormProps>(FormQuestion);

/** The same form as a card in the flow of the page. It does not take the focus when it appears. */
export const FormCard = /* @__PURE__ */ createCard<FormProps>(FormQuestion);

export function FormQuestion({
  schema,
  defaultValue,
  uploadFile,
  submitLabel,
  ...props
}: OnSurface<FormProps>) {
  const source = useMemo(() => findFormSchema(props.tool, schema), [props.tool, schema]);
  const model = useMemo(() => {
    const read = readSchema(source.schema);
    return source.elicited ? guardElicitedForm(read, source.message) : read;
  }, [source]);
  useEffect(() => {
    if (!describesItself(source.schema)) warnOfOpaqueSchema(props.tool);
  }, [source, props.tool]);
  return (
    <Question {...props} kind="form" consumed={source.consumed}>
      {(ask) => (
        <FormBody
          {...ask}
          tool={props.tool}
          model={model}
          schema={source.elicited ? source.schema : schema}
          defaultValue={defaultValue}
          uploadFile={uploadFile}
          submitLabel={submitLabel}
          autofocus={props.surface === 'dialog'}
        />
      )}
    </Question>
  );
}

/** The schemas that the developer knows about. */
const knownSchemas = /* @__PURE__ */ new WeakSet<object>();

/** Warns the developer, once per tool, that people have to enter its result as JSON. */
function warnOfOpaqueSchema({ toolName, definition }: AnyTool): void {
  const output = definition?.output;
  if (process.env.NODE_ENV === 'production' || output === undefined || knownSchemas.has(output)) return;
  knownSchemas.add(output);
  console.warn(
    `The \`output\` schema of the tool "${toolName}" (${output['~standard'].vendor}) does not describe itself as JSON Schema, ` +
      'so its dialog has no fields and people must enter JSON. Wrap a Valibot schema with `toStandardJsonSchema` of ' +
      '`@valibot/to-json-schema`, use Zod 4.2 or later in place of an earlier one, or give the tool a `ui` of its own.',
  );
}

interface FormSource {
  readonly schema: FormSchema;
  /** Names of the arguments that the form shows, so that the dialog does not list them again. */
  readonly consumed: readonly string[];
  /** An MCP server asks, and it must not ask for secrets. */
  readonly elicited: boolean;
  readonly message: unknown;
}

/** Finds the schema of a call's form. A schema of the app comes before one in the arguments. */
function findFormSchema(tool: AnyTool, given: FormSchema | undefined): FormSource {
  const args: unknown = tool.args;
  const own = isRecord(args) ? args : {};
  const output = given === undefined ? tool.definition?.output : undefined;
  const isDescribed = describesItself(output);
  // The app may have made its `schema` from these arguments; beside an `output` schema they are ordinary arguments.
  const consumed = ['requestedSchema', 'fields', 'schema'].filter(
    (key) => !isDescribed && isFormSource(own[key]),
  );
  const declared = given ?? (isDescribed || consumed.length === 0 ? output : undefined);
  const schema = declared ?? consumed.map((key) => own[key] as FormSchema)[0] ?? {};
  const elicited =
    declared === undefined &&
    (consumed[0] === 'requestedSchema' || readAskingServer(tool.toolName) !== undefined);
  return { schema, consumed: elicited ? ['mode', ...consumed] : consumed, elicited, message: own.message };
}

function isFormSource(value: unknown): boolean {
  return Array.isArray(value) || isRecord(value);
}

function FormBody({
  tool,
  prompt,
  severity,
  answer,
  model,
  schema,
  submitLabel,
  ...props
}: QuestionBodyProps &
  Pick<FormProps, 'defaultValue' | 'uploadFile' | 'submitLabel'> & {
    tool: AnyTool;
    model: FormModel;
    schema: FormSchema | undefined;
    autofocus: boolean;
  }) {
  const labels = useFormLabels();
  const { state } = answer;
  const gone = state.status === 'gone';
  const savedInput = useSavedInput(tool);
  // The fields show the issues of a refused result; the notice shows a refusal that belongs to no field.
  const isRefused =
    state.status === 'refused' && (state.issues.length === 0 || state.reason === 'refused-by-server');
  const showNotice = gone || isRefused;
  const submit = (parsed: unknown, entered: unknown) => {
    // The engine parses the answer with the tool's `output` schema, and parsing twice may transform twice.
    const result = model.validate === tool.definition?.output ? entered : parsed;
    const settlement = answer.submit(result, redactEntered(schema, model, entered));
    return settlement.settled ? undefined : { issues: settlement.issues };
  };
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
      {(Object.keys(prompt.rest).length > 0 || gone) && (
        <Slot slotName="body" as="div" className="hr-body">
          <CallArguments tool={tool} rest={prompt.rest} />
        </Slot>
      )}
      <ModelForm
        {...props}
        submitLabel={submitLabel ?? tool.definition?.confirmLabel}
        model={model}
        closed={gone}
        savedInput={savedInput}
        notice={showNotice && <AnswerNotice state={state} />}
        actions={
          gone ? (
            <Button look="primary" onClick={answer.dismiss}>
              {labels.close}
            </Button>
          ) : (
            <Button answers onClick={() => answer.decline()}>
              {readNoAnswer(tool, labels)}
            </Button>
          )
        }
        onSubmit={submit}
      />
    </>
  );
}

/**
 * Redacts secrets that the engine does not find: those of a schema given to the dialog, and fields that seem to ask for
 * one.
 */
function redactEntered(
  given: FormSchema | undefined,
  { suspects = [] }: FormModel,
  entered: unknown,
): SubmitOptions | undefined {
  if (suspects === 'all') return { redactedResult: null };
  const unmarked = given === undefined ? entered : withoutSecrets(entered, describeSchema(given));
  const redacted =
    suspects.length > 0 && isRecord(unmarked)
      ? Object.fromEntries(Object.entries(unmarked).filter(([name]) => !suspects.includes(name)))
      : unmarked;
  return redacted === entered ? undefined : { redactedResult: redacted ?? null };
}
