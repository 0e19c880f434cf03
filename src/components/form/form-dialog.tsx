import { useMemo } from 'react';
import { isRecord } from '../../shared/json.ts';
import { withoutSecrets } from '../../shared/secret-fields.ts';
import type { SubmitOptions } from '../../tools/client-tool.ts';
import type { UploadFile } from '../composer/use-attachments.ts';
import { AnswerNotice } from '../primitives/answer-notice.tsx';
import type { AnyTool } from '../primitives/any-tool.ts';
import { ArgumentsView } from '../primitives/arguments-view.tsx';
import { Button } from '../primitives/button.tsx';
import { CallDetails } from '../primitives/call-details.tsx';
import type { DialogFrameProps } from '../primitives/dialog-frame.tsx';
import type { QuestionProps } from '../primitives/question.tsx';
import { Question, type QuestionBodyProps } from '../primitives/question.tsx';
import { QuestionHeader } from '../primitives/question-header.tsx';
import { Slot } from '../primitives/slot.tsx';
import { QuestionBoundary } from '../primitives/tool-boundary.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { readAskingServer } from '../text/tool-prompt.ts';
import { guardElicitedForm } from './guard-elicited-form.ts';
import { describeSchema, type FormModel, type FormSchema, readSchema } from './read-schema.ts';
import { ModelForm } from './schema-form.tsx';
import { useDraftKeeper } from './use-draft-keeper.ts';

export interface FormProps extends QuestionProps {
  /**
   * What to ask for; what it parses to is submitted. Default: the tool's `output` schema, else
   * `requestedSchema`, `fields` or `schema` of the arguments.
   */
  readonly schema?: FormSchema | undefined;
  /** A value to start from. */
  readonly defaultValue?: unknown;
  /** Uploads the files of file fields, see {@link SchemaFormProps.uploadFile}. */
  readonly uploadFile?: UploadFile | undefined;
  /** Replaces the text of the submit button. */
  readonly submitLabel?: string | undefined;
}

/**
 * Asks for values in a modal dialog and submits them. A result the tool's `output` schema refuses leaves the
 * dialog open, with the issues on their fields and everything typed kept. Decline answers no; Escape, the
 * backdrop and the cross cancel.
 */
export function FormDialog(props: FormProps & DialogFrameProps) {
  return (
    <QuestionBoundary tool={props.tool} onError={props.onError}>
      <FormQuestion {...props} surface="dialog" />
    </QuestionBoundary>
  );
}

/** The same form inline, in the flow of the page. It takes no focus by itself. */
export function FormCard(props: FormProps) {
  return (
    <QuestionBoundary tool={props.tool} onError={props.onError}>
      <FormQuestion {...props} surface="card" />
    </QuestionBoundary>
  );
}

export function FormQuestion({
  schema,
  defaultValue,
  uploadFile,
  submitLabel,
  ...props
}: FormProps & DialogFrameProps & { surface: 'dialog' | 'card' }) {
  const source = useMemo(() => findFormSchema(props.tool, schema), [props.tool, schema]);
  const model = useMemo(() => {
    const read = readSchema(source.schema);
    return source.elicited ? guardElicitedForm(read, source.message) : read;
  }, [source]);
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

interface FormSource {
  readonly schema: FormSchema;
  /** The arguments the form shows, which need not be listed again. */
  readonly consumed: readonly string[];
  /** An MCP server asks, for which other rules hold than for the app and its agent. */
  readonly elicited: boolean;
  readonly message: unknown;
}

/** Where the form of a call comes from: what the app says beats what the model sends. */
function findFormSchema(tool: AnyTool, given: FormSchema | undefined): FormSource {
  const args: unknown = tool.args;
  const own = isRecord(args) ? args : {};
  const output = given === undefined ? tool.definition?.output : undefined;
  // A schema the app gives may have been made from them; to an `output` they are arguments like any other.
  const consumed = ['requestedSchema', 'fields', 'schema'].filter(
    (key) => output === undefined && isFormSource(own[key]),
  );
  const declared = given ?? output;
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
  defaultValue,
  uploadFile,
  submitLabel,
  autofocus,
}: QuestionBodyProps & {
  tool: AnyTool;
  model: FormModel;
  schema: FormSchema | undefined;
  defaultValue: unknown;
  uploadFile: UploadFile | undefined;
  submitLabel: string | undefined;
  autofocus: boolean;
}) {
  const labels = useLabels();
  const { state } = answer;
  const gone = state.status === 'gone';
  const keeper = useDraftKeeper(tool);
  // Issues of the result are shown on the fields; only what has no field is left for the notice.
  const showNotice = gone || (state.status === 'refused' && state.issues.length === 0);
  return (
    <>
      <QuestionHeader tool={tool} prompt={prompt} severity={severity} answer={answer} />
      {(Object.keys(prompt.rest).length > 0 || gone) && (
        <Slot slotName="body" as="div" className="hr-body">
          <ArgumentsView value={prompt.rest} />
          <CallDetails tool={tool} />
        </Slot>
      )}
      <ModelForm
        model={model}
        defaultValue={defaultValue}
        uploadFile={uploadFile}
        submitLabel={submitLabel}
        autofocus={autofocus}
        closed={gone}
        keeper={keeper}
        notice={showNotice && <AnswerNotice state={state} />}
        actions={
          gone ? (
            <Button look="primary" onClick={answer.dismiss}>
              {labels.close}
            </Button>
          ) : (
            <Button onClick={() => answer.decline()}>{labels.decline}</Button>
          )
        }
        onSubmit={(parsed, entered) => {
          // The tool's own schema parses the answer when it arrives there, and not twice.
          const result = model.validate === tool.definition?.output ? entered : parsed;
          const settlement = answer.submit(result, shownResult(schema, model, entered));
          return settlement.settled ? undefined : { issues: settlement.issues };
        }}
      />
    </>
  );
}

/** The engine finds secrets by what it knows of the call: neither a schema given to the dialog nor suspect wording. */
function shownResult(
  given: FormSchema | undefined,
  { suspects = [] }: FormModel,
  entered: unknown,
): SubmitOptions | undefined {
  const known = given === undefined ? entered : withoutSecrets(entered, describeSchema(given));
  const visible = suspects === 'all' ? undefined : known;
  const shown =
    suspects.length > 0 && isRecord(visible)
      ? Object.fromEntries(Object.entries(visible).filter(([name]) => !suspects.includes(name)))
      : visible;
  return shown === entered ? undefined : { redactedResult: shown ?? null };
}
