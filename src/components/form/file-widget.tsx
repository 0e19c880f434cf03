import { type RefObject, useEffect, useRef, useState } from 'react';
import { AttachmentList } from '../composer/attachment-list.tsx';
import { type Attachments, type UploadFile, useAttachments } from '../composer/use-attachments.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { AttachIcon } from '../primitives/icons.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { FieldFrame } from './field-frame.tsx';
import { parseFileValues, writeFileValues } from './file-values.ts';
import { type ControlState, useControl, useFormScope } from './form-context.ts';
import type { FileField } from './form-field.ts';

/** The limit of a field without `maxItems`. */
const MAX_FILES = 20;

/**
 * A file field. It uploads each file as soon as it is chosen, so that submitting the form is instant and sends references
 * only. A failed upload affects neither the other files nor the rest of the form.
 */
export function FileWidget({ field, name }: { field: FileField; name: string }) {
  const labels = useLabels();
  const { uploadFile } = useFormScope();
  const control = useControl(name, field);
  const max = field.multiple ? (field.maxItems ?? MAX_FILES) : 1;
  const inputRef = useRef<HTMLInputElement | null>(null);
  const attachments = useFileUploads({ field, control, max, uploadFile, inputRef });
  return (
    <FieldFrame field={field} control={control}>
      {uploadFile === undefined ? (
        <Slot slotName="error" as="p" className="hr-error">
          {labels.uploadsUnavailable}
        </Slot>
      ) : (
        <FileDrop field={field} control={control} max={max} attachments={attachments} inputRef={inputRef} />
      )}
      <AttachmentList attachments={attachments} onRemoved={() => inputRef.current?.focus()} />
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

/** The file input. It covers the whole box, so that a person can press the box and drop files on it. */
function FileDrop({
  field,
  control,
  max,
  attachments,
  inputRef,
}: FileControlProps & { attachments: Attachments }) {
  const labels = useLabels();
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
      <AttachIcon />
      <span aria-hidden="true">{labels.chooseFiles(max)}</span>
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
