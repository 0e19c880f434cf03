import { useEffect, useRef, useState } from 'react';
import type { FileReference } from '../../core/state/message.ts';
import { describeThrown } from '../../shared/errors.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';
import type { SharedLabels } from '../text/shared-labels.ts';
import { englishUploadLabels, type UploadLabels } from '../text/upload-labels.ts';

/** Limits for attached files. */
export interface AttachmentOptions {
  /** As the `accept` of an input: `'image/*,.pdf'`. Also applies to dropped and pasted files. Default: every file. */
  readonly accept?: string | undefined;
  /** The maximal size of one file in bytes. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** The maximal number of files. Default 10. */
  readonly maxFiles?: number | undefined;
}

/** Uploads one file and reports its progress, 0 to 100. `signal` aborts when the person removes the file before the end. */
export type UploadFile = (
  file: File,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
) => Promise<FileReference>;

/** A file that the person has picked. */
export interface Attachment {
  readonly key: number;
  /** Undefined for a file that was uploaded before. */
  readonly file: File | undefined;
  readonly name: string;
  readonly state:
    | { readonly status: 'uploading'; readonly percent: number }
    | { readonly status: 'uploaded'; readonly reference: FileReference }
    | { readonly status: 'failed'; readonly reason: string };
}

export interface Attachments {
  readonly items: readonly Attachment[];
  /** The reasons why files were refused. */
  readonly complaint: string | undefined;
  /** The result of the latest upload, for the live region. */
  readonly news: string;
  /** Adds files and starts their uploads. `replace` removes the others first. */
  add(files: Iterable<File>, replace?: boolean): void;
  remove(key: number): void;
  uploadAgain(key: number): void;
  /** Aborts the running uploads. */
  stop(): void;
  /** Removes all items and returns them for {@link restore}. */
  take(): readonly Attachment[];
  restore(items: readonly Attachment[]): void;
}

/**
 * The files of a message or a field. Each file is uploaded by itself as soon as the person picks it, so that a failed upload
 * does not affect the others.
 *
 * @param initial files that are uploaded already; only the value of the first render counts
 */
export function useAttachments(
  options: AttachmentOptions,
  upload: UploadFile,
  initial: readonly FileReference[] = [],
): Attachments {
  const labels = useLabels(englishUploadLabels);
  const [complaint, setComplaint] = useState<string>();
  const [news, setNews] = useState('');
  const { items, setItems, start, abort } = useUploads(upload, initial, setNews);
  const nextKey = useRef(1);

  const clearTexts = () => {
    setNews('');
    setComplaint(undefined);
  };
  return {
    items,
    complaint,
    news,
    add(files, replace = false) {
      const { accepted, complaints } = selectFiles(files, replace ? 0 : items.length, options, labels);
      setNews('');
      setComplaint(complaints.join(' ') || undefined);
      if (accepted.length === 0) return;
      if (replace) abort(items);
      const added = accepted.map(({ file, name }) => ({
        ...UPLOAD_STARTED,
        key: nextKey.current++,
        file,
        name,
      }));
      setItems((all) => [...(replace ? [] : all), ...added]);
      for (const item of added) void start(item, item.file);
    },
    remove(key) {
      clearTexts();
      abort(items.filter((item) => item.key === key));
      setItems((all) => all.filter((item) => item.key !== key));
    },
    uploadAgain(key) {
      const item = items.find((each) => each.key === key);
      if (item?.file === undefined) return;
      clearTexts();
      setItems((all) => all.map((each) => (each.key === key ? { ...each, ...UPLOAD_STARTED } : each)));
      void start(item, item.file);
    },
    stop: () => abort(items),
    take() {
      clearTexts();
      setItems([]);
      return items;
    },
    restore: (taken) => setItems((all) => [...taken, ...all]),
  };
}

const UPLOAD_STARTED: Pick<Attachment, 'state'> = { state: { status: 'uploading', percent: 0 } };

/** The attachments with the progress of their uploads. `onEnd` gets a text about each upload that ends. */
function useUploads(upload: UploadFile, initial: readonly FileReference[], onEnd: (text: string) => void) {
  const labels = useLabels(englishUploadLabels);
  const [items, setItems] = useState<readonly Attachment[]>(() =>
    initial.map((reference, index) => ({
      key: -1 - index,
      file: undefined,
      name: displayText(reference.filename ?? labels.file, 120),
      state: { status: 'uploaded', reference },
    })),
  );
  const running = useRef(new Map<number, AbortController>());
  // A retry may start long after the render in which the person picked the file.
  const latestUpload = useRef(upload);
  useEffect(() => {
    latestUpload.current = upload;
  });

  const start = async ({ key, name }: Attachment, file: File) => {
    const controller = new AbortController();
    running.current.set(key, controller);
    // `upload` may report progress after its end, after the person removed the file, or during a retry.
    const isRunning = () => running.current.get(key) === controller;
    const update = (state: Attachment['state']) => {
      setItems((all) => all.map((item) => (item.key === key ? { ...item, state } : item)));
    };
    const end = (state: Attachment['state'], text: string) => {
      if (!isRunning()) return;
      running.current.delete(key);
      update(state);
      onEnd(text);
    };
    try {
      const onProgress = (percent: number) => {
        if (isRunning()) update({ status: 'uploading', percent });
      };
      const reference = await latestUpload.current(file, onProgress, controller.signal);
      end({ status: 'uploaded', reference }, labels.uploaded(name));
    } catch (thrown) {
      const reason = displayText(describeThrown(thrown, labels.unknownError), 300);
      end({ status: 'failed', reason }, labels.uploadFailed(name, reason));
    }
  };
  const abort = (aborted: readonly Attachment[]) => {
    for (const { key } of aborted) {
      running.current.get(key)?.abort();
      running.current.delete(key);
    }
  };
  return { items, setItems, start, abort };
}

/** Selects the files that the options allow, and says why the others are refused. */
function selectFiles(
  files: Iterable<File>,
  attachedCount: number,
  { accept, maxBytes, maxFiles = 10 }: AttachmentOptions,
  labels: SharedLabels & UploadLabels,
) {
  const accepted: { readonly file: File; readonly name: string }[] = [];
  const complaints: string[] = [];
  for (const file of files) {
    const name = displayText(file.name || labels.file, 120);
    if (!isAccepted(file, accept)) complaints.push(labels.fileNotAccepted(name));
    else if (maxBytes !== undefined && file.size > maxBytes) {
      complaints.push(labels.fileTooLarge(name, maxBytes));
    } else if (attachedCount + accepted.length >= maxFiles) {
      complaints.push(labels.tooManyFiles(maxFiles));
      break;
    } else {
      accepted.push({ file, name });
    }
  }
  return { accepted, complaints };
}

/** The rule of the `accept` attribute (HTML, 4.10.5.1.17). Browsers apply it only to the file chooser. */
function isAccepted({ name, type }: File, accept = ''): boolean {
  const kinds = accept.toLowerCase().match(/[^\s,]+/g) ?? [];
  return (
    kinds.length === 0 ||
    kinds.some((kind) =>
      kind.startsWith('.')
        ? name.toLowerCase().endsWith(kind)
        : kind.endsWith('/*')
          ? kind === '*/*' || type.startsWith(kind.slice(0, -1))
          : type === kind,
    )
  );
}

interface Uploader {
  uploadFiles(
    files: readonly File[],
    onProgress?: (fileIndex: number, progress: number) => void,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly FileReference[]>;
}

/** Uploads a file through the chat, to the targets of its `requestUploadUrls`. */
export function uploadThroughChat(chat: Uploader): UploadFile {
  return async (file, onProgress, signal) => {
    const [reference] = await chat.uploadFiles([file], (_, percent) => onProgress(percent), { signal });
    if (reference === undefined) throw new Error('uploadFiles gave no reference for the file.');
    return reference;
  };
}
