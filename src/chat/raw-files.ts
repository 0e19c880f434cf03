import type { FileReference } from '../state/message.ts';
import type { FilesInput } from './agent-chat.ts';

/** The files of a message; the list of an input in which nothing was picked is none. */
export function pickedFiles(files: FilesInput | undefined): FilesInput | undefined {
  return Array.isArray(files) || files?.length !== 0 ? files : undefined;
}

/** Whether any of the files still has to be uploaded. */
export function needsUpload(files: FilesInput | undefined): boolean {
  return Array.from<File | FileReference>(files ?? []).some(isRawFile);
}

export function isRawFile(file: File | FileReference): file is File {
  return file instanceof Blob;
}
