import { useEffect, useRef, useState } from 'react';
import { AttachmentList } from '../composer/attachment-list.tsx';
import { type UploadFile, useAttachments } from '../composer/use-attachments.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { AttachIcon } from '../primitives/icons.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { FieldFrame } from './field-frame.tsx';
import { parseFileDraft, writeFileDraft } from './file-draft.ts';
import { useControl, useFormScope } from './form-context.ts';
import type { FileField } from './form-field.ts';

/**
 * Files, uploaded as soon as they are chosen, so that an answer is sent at once and only refers to them. One that
 * fails takes nothing along: neither the other files nor what was typed.
 */
export function FileWidget({ field, name }: { field: FileField; name: string }) {
  const labels = useLabels();
  const { uploadFile } = useFormScope();
  const control = useControl(name, field);
  const { binding } = control;
  // A file input has no role that could be required by ARIA; it has the attribute of HTML.
  const { 'aria-required': required, ...aria } = control.aria;
  // Uploads that a draft of before a reload was waiting for are gone; its files are not.
  const [initial] = useState(() => parseFileDraft(binding.value).files);
  const most = field.multiple ? (field.maxItems ?? MOST_FILES) : 1;
  const attachments = useAttachments(
    { accept: field.accept, maxBytes: field.maxSize, maxFiles: most },
    uploadFile ?? refuse,
    initial,
  );
  const { items } = attachments;
  const written = writeFileDraft({
    files: items.flatMap(({ state }) => (state.status === 'uploaded' ? [state.reference] : [])),
    uploading: items.filter(({ state }) => state.status === 'uploading').length,
    failed: items.filter(({ state }) => state.status === 'failed').length,
  });
  const { value, onChange } = binding;
  const latest = useRef(onChange);
  const input = useRef<HTMLInputElement | null>(null);
  useEffect(() => {
    latest.current = onChange;
    const { current } = input;
    return () => {
      // A form that is only hidden goes on uploading.
      if (current?.isConnected === false) attachments.stop();
    };
  });
  useEffect(() => {
    if (value !== written) latest.current(written);
  }, [value, written]);

  const isFull = items.length >= most;
  return (
    <FieldFrame field={field} control={control}>
      {uploadFile === undefined ? (
        <Slot slotName="error" as="p" className="hr-error">
          {labels.uploadsUnavailable}
        </Slot>
      ) : (
        // The input lies over the whole box, so that the box can be pressed and files dropped on it.
        <Slot slotName="fileDrop" as="div" className="hr-file-drop" data-full={isFull ? '' : undefined}>
          <AttachIcon />
          <span aria-hidden="true">{labels.chooseFiles(most)}</span>
          <input
            {...aria}
            required={required && items.length === 0}
            type="file"
            id={control.id}
            ref={(element) => {
              input.current = element;
              binding.ref(element);
            }}
            name={control.id}
            accept={field.accept}
            multiple={most > 1}
            onBlur={binding.onBlur}
            onChange={({ currentTarget }) => {
              const files = [...(currentTarget.files ?? [])];
              // Emptied, so that the same file can be chosen once more after it was removed.
              currentTarget.value = '';
              // Where one file is wanted, another one takes its place.
              attachments.add(files, !field.multiple && files.length > 0);
            }}
          />
        </Slot>
      )}
      <AttachmentList attachments={attachments} onRemoved={() => input.current?.focus()} />
      {attachments.complaint !== undefined && (
        <Slot slotName="error" as="p" className="hr-error">
          {attachments.complaint}
        </Slot>
      )}
      <Announcement text={attachments.complaint ?? attachments.news} />
    </FieldFrame>
  );
}

/** What a field takes that says nothing about it. */
const MOST_FILES = 20;

const refuse: UploadFile = () => Promise.reject(new Error('There is nowhere to upload to.'));
