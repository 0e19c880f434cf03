import { useCallback, useEffect, useRef, useState } from 'react';
import { describeThrown } from '../../shared/errors.ts';
import type { FileReference } from '../../state/message.ts';
import { useLabels } from '../text/labels-context.tsx';
import { displayText } from '../text/safe-text.ts';

/** What may be attached. */
export interface AttachmentOptions {
  /** As the `accept` of an input: `'image/*,.pdf'`. Holds for dropped and pasted files too. Default: anything. */
  readonly accept?: string | undefined;
  /** Bytes of one file. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** Default 10. */
  readonly maxFiles?: number | undefined;
}

/** Uploads one file and tells how far it is, 0 to 100. `signal` aborts when the person takes the file off meanwhile. */
export type UploadFile = (
  file: File,
  onProgress: (percent: number) => void,
  signal: AbortSignal,
) => Promise<FileReference>;

/** A file on its way to a message. */
export interface Attachment {
  readonly key: number;
  /** Absent where it was uploaded before. */
  readonly file: File | undefined;
  readonly name: string;
  readonly state:
    | { readonly status: 'uploading'; readonly percent: number }
    | { readonly status: 'uploaded'; readonly reference: FileReference }
    | { readonly status: 'failed'; readonly reason: string };
}

export interface Attachments {
  readonly items: readonly Attachment[];
  /** Why files were not taken. */
  readonly complaint: string | undefined;
  /** What became of an upload, to be read out. */
  readonly news: string;
  /** `replace`: in place of those that are there. */
  add(files: Iterable<File>, replace?: boolean): void;
  remove(key: number): void;
  uploadAgain(key: number): void;
  /** Nobody waits for the uploads that are under way. */
  stop(): void;
  /** Takes all of them off, and gives them back for {@link restore}. */
  take(): readonly Attachment[];
  restore(items: readonly Attachment[]): void;
}

/**
 * Files are uploaded as soon as they are chosen, each by itself, so that one that fails takes none of the others along.
 *
 * @param initial What is uploaded already; only the first render's counts.
 */
export function useAttachments(
  options: AttachmentOptions,
  upload: UploadFile,
  initial: readonly FileReference[] = [],
): Attachments {
  const { accept, maxBytes, maxFiles = 10 } = options;
  const labels = useLabels();
  const [items, setItems] = useState<readonly Attachment[]>(() =>
    initial.map((reference, index) => ({
      key: -1 - index,
      file: undefined,
      name: displayText(reference.filename ?? labels.file, 120),
      state: { status: 'uploaded', reference },
    })),
  );
  const [complaint, setComplaint] = useState<string>();
  const [news, setNews] = useState('');
  const nextKey = useRef(1);
  const underWay = useRef(new Map<number, AbortController>());
  // An upload may end long after the render it began in.
  const latest = useRef(upload);
  useEffect(() => {
    latest.current = upload;
  });

  const update = useCallback((key: number, state: Attachment['state']) => {
    setItems((all) => all.map((item) => (item.key === key ? { ...item, state } : item)));
  }, []);

  const begin = useCallback(
    async ({ key, name }: Attachment, file: File) => {
      const controller = new AbortController();
      underWay.current.set(key, controller);
      // Progress may be told late: after the end, after the file was taken off, or while it is tried again.
      const isUnderWay = () => underWay.current.get(key) === controller;
      const end = (state: Attachment['state'], said: string) => {
        if (!isUnderWay()) return;
        underWay.current.delete(key);
        update(key, state);
        setNews(said);
      };
      try {
        const tell = (percent: number) => {
          if (isUnderWay()) update(key, { status: 'uploading', percent });
        };
        const reference = await latest.current(file, tell, controller.signal);
        end({ status: 'uploaded', reference }, labels.uploaded(name));
      } catch (thrown) {
        const reason = displayText(describeThrown(thrown, labels.unknownError), 300);
        end({ status: 'failed', reason }, labels.uploadFailed(name, reason));
      }
    },
    [labels, update],
  );

  const abandon = (taken: readonly Attachment[]) => {
    for (const { key } of taken) {
      underWay.current.get(key)?.abort();
      underWay.current.delete(key);
    }
  };

  const add = (files: Iterable<File>, replace = false) => {
    const kept = replace ? 0 : items.length;
    const complaints: string[] = [];
    const added: { item: Attachment; file: File }[] = [];
    for (const file of files) {
      const name = displayText(file.name || labels.file, 120);
      if (!isAccepted(file, accept)) complaints.push(labels.fileNotAccepted(name));
      else if (maxBytes !== undefined && file.size > maxBytes)
        complaints.push(labels.fileTooLarge(name, maxBytes));
      else if (kept + added.length >= maxFiles) {
        complaints.push(labels.tooManyFiles(maxFiles));
        break;
      } else {
        const state = { status: 'uploading', percent: 0 } as const;
        added.push({ item: { key: nextKey.current++, file, name, state }, file });
      }
    }
    setNews('');
    setComplaint(complaints.join(' ') || undefined);
    if (added.length === 0) return;
    if (replace) abandon(items);
    setItems((all) => [...(replace ? [] : all), ...added.map(({ item }) => item)]);
    for (const { item, file } of added) void begin(item, file);
  };

  const quiet = () => {
    setNews('');
    setComplaint(undefined);
  };

  return {
    items,
    complaint,
    news,
    add,
    remove(key) {
      quiet();
      abandon(items.filter((item) => item.key === key));
      setItems((all) => all.filter((item) => item.key !== key));
    },
    uploadAgain(key) {
      const item = items.find((each) => each.key === key);
      if (item?.file === undefined) return;
      quiet();
      update(key, { status: 'uploading', percent: 0 });
      void begin(item, item.file);
    },
    stop: () => abandon(items),
    take() {
      quiet();
      setItems([]);
      return items;
    },
    restore: (taken) => setItems((all) => [...taken, ...all]),
  };
}

/** The rule of the `accept` attribute (HTML, 4.10.5.1.17), which browsers apply to the file chooser only. */
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
