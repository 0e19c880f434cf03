import { type RefObject, useEffect, useRef, useState } from 'react';
import type { FileReference } from '../../../core/state/message.ts';
import { isRecord, type JsonValue, parseJson } from '../../../shared/json.ts';
import { AttachmentList } from '../../attachments/attachment-list.tsx';
import { type Attachments, type UploadFile, useAttachments } from '../../attachments/use-attachments.ts';
import { Announcement } from '../../primitives/announcement.tsx';
import { PlusIcon } from '../../primitives/icons.tsx';
import { Slot } from '../../primitives/slot.tsx';
import type { FileField } from '../schema/form-field.ts';
import { FieldFrame } from './field-frame.tsx';
import type { FieldKind, WidgetProps } from './field-kind.ts';
import { type ControlState, useControl, useFormScope } from './form-context.ts';
import { type Checked, leafKind, readLeaf } from './leaf-kind.ts';
import { type FormRoomLabels, useFormLabels } from './use-form-labels.ts';

export const fileKind: FieldKind<FileField> = /* @__PURE__ */ leafKind({
  create: (_field, value) => writeFileValues({ files: readReferences(value), uploading: 0, failed: 0 }),
  read(field, values, name, context) {
    const { labels } = context;
    return readLeaf(field, values, name, context, {
      check: (text) => checkFiles(field, text, labels),
      missing: labels.fileMissing,
      ...(field.multiple && { empty: [] }),
    });
  },
  // A person cannot type into it.
  guard: (field) => field,
  nameVariant: (_field, labels) => labels.file,
  Widget: FileWidget,
});

/** The form value of a file field: references of uploaded files, and how many files are not uploaded. */
interface FileValues {
  readonly files: readonly FileReference[];
  /** Number of files whose upload is running. */
  readonly uploading: number;
  readonly failed: number;
}

/** Writes the value as text, like every leaf of the form values; an empty one is an empty text. */
function writeFileValues(values: FileValues): string {
  const isEmpty = values.files.length === 0 && values.uploading === 0 && values.failed === 0;
  return isEmpty ? '' : JSON.stringify(values);
}

/** Parses the text of a file field. Text of another kind of field, restored after the schema changed, counts as empty. */
function parseFileValues(text: unknown): FileValues {
  const parsed = parseJson(String(text));
  const { files, uploading, failed } = isRecord(parsed) ? parsed : {};
  return { files: readReferences(files), uploading: Number(uploading ?? 0), failed: Number(failed ?? 0) };
}

/** Returns the file references in a value, which may be one or a list. */
function readReferences(value: unknown): readonly FileReference[] {
  return (Array.isArray(value) ? value : [value]).filter(isReference);
}

function isReference(value: unknown): value is FileReference {
  return isRecord(value) && [value.id, value.mediaType, value.url].every((text) => typeof text === 'string');
}

/** Checks a file field that is not empty: its uploads and the number of files. */
function checkFiles(field: FileField, text: string, labels: FormRoomLabels): Checked {
  const { files, uploading, failed } = parseFileValues(text);
  if (uploading > 0) return { message: labels.uploadsUnfinished };
  if (failed > 0) return { message: labels.uploadsFailed };
  const values = files.map((file): JsonValue => ({ ...file }));
  const value = field.multiple ? values : (values[0] ?? null);
  const { minItems = 0, maxItems } = field;
  if (files.length < minItems) return { message: labels.tooFewItems(minItems), value };
  if (maxItems !== undefined && files.length > maxItems)
    return { message: labels.tooManyItems(maxItems), value };
  return { value };
}

/** The limit of a field without `maxItems`. */
const MAX_FILES = 20;

/**
 * A file field. It uploads each file as soon as it is chosen, so that submitting the form is instant and sends references
 * only. A failed upload affects neither the other files nor the rest of the form.
 */
function FileWidget({ field, name }: WidgetProps<FileField>) {
  const labels = useFormLabels();
  const { uploadFile } = useFormScope();
  const control = useControl(name, field);
  const max = field.multiple ? (field.maxItems ?? MAX_FILES) : 1;
  const inputRef = useRef<HTMLInputElement | null>(null);
  const attachments = useFileUploads({ field, control, max, uploadFile, inputRef });
  return (
    <FieldFrame field={field} control={control}>
      <AttachmentList hasWord attachments={attachments} onRemoved={() => inputRef.current?.focus()} />
      {uploadFile === undefined ? (
        <Slot slotName="error" as="p" className="hr-error">
          {labels.uploadsUnavailable}
        </Slot>
      ) : (
        <FileDrop field={field} control={control} max={max} attachments={attachments} inputRef={inputRef} />
      )}
      {attachments.complaint !== undefined && (
        <Slot slotName="error" as="p" className="hr-error">
          {attachments.complaint}
        </Slot>
      )}
      <Announcement text={attachments.complaint ?? attachments.news} />
    </FieldFrame>
  );
}

interface FileControlProps {
  readonly field: FileField;
  readonly control: ControlState;
  readonly max: number;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}

/** Uploads the chosen files and writes their state into the form value. */
function useFileUploads({
  field,
  control,
  max,
  uploadFile,
  inputRef,
}: FileControlProps & { readonly uploadFile: UploadFile | undefined }): Attachments {
  const { value, onChange } = control.binding;
  // After a reload the uploaded files are restored; uploads that were running are lost.
  const [initial] = useState(() => parseFileValues(value).files);
  const attachments = useAttachments(
    { accept: field.accept, maxBytes: field.maxSize, maxFiles: max },
    uploadFile ?? refuse,
    initial,
  );
  const { items } = attachments;
  const written = writeFileValues({
    files: items.flatMap(({ state }) => (state.status === 'uploaded' ? [state.reference] : [])),
    uploading: items.filter(({ state }) => state.status === 'uploading').length,
    failed: items.filter(({ state }) => state.status === 'failed').length,
  });
  const latestOnChange = useRef(onChange);
  useEffect(() => {
    latestOnChange.current = onChange;
    const input = inputRef.current;
    return () => {
      // A form that is only hidden stays in the document and keeps uploading.
      if (input?.isConnected === false) attachments.stop();
    };
  });
  useEffect(() => {
    if (value !== written) latestOnChange.current(written);
  }, [value, written]);
  return attachments;
}

const refuse: UploadFile = () => Promise.reject(new Error('There is nowhere to upload to.'));

/** Returns true if an `accept` has nothing but pictures. */
function isImages(accept = ''): boolean {
  return (
    accept !== '' &&
    accept.split(',').every((type) => /^(?:image\/|\.(?:jpe?g|png|gif|webp|avif|heic)$)/i.test(type.trim()))
  );
}

/** The file input. It covers the whole box, so that a person can press the box and drop files on it. */
function FileDrop({
  field,
  control,
  max,
  attachments,
  inputRef,
}: FileControlProps & { attachments: Attachments }) {
  const labels = useFormLabels();
  const { binding } = control;
  const { items } = attachments;
  // A file input has no role that allows `aria-required`, so it gets the HTML attribute.
  const { 'aria-required': required, ...aria } = control.aria;
  return (
    <Slot
      slotName="fileDrop"
      as="div"
      className="hr-file-drop"
      data-full={items.length >= max ? '' : undefined}
    >
      <PlusIcon />
      <span aria-hidden="true">{labels.chooseFiles(max, isImages(field.accept))}</span>
      <input
        {...aria}
        required={required && items.length === 0}
        type="file"
        id={control.id}
        ref={(element) => {
          inputRef.current = element;
          binding.ref(element);
        }}
        name={control.id}
        accept={field.accept}
        multiple={max > 1}
        onBlur={binding.onBlur}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // An empty input reports a change when a person removes a file and chooses the same one again.
          currentTarget.value = '';
          // A second file replaces the first where the field takes one.
          attachments.add(files, !field.multiple && files.length > 0);
        }}
      />
    </Slot>
  );
}
