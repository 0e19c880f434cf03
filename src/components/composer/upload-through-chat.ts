import type { FileReference } from '../../state/message.ts';
import type { UploadFile } from './use-attachments.ts';

/** What of a chat uploads. */
export interface Uploading {
  uploadFiles(
    files: readonly File[],
    onProgress?: (fileIndex: number, progress: number) => void,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly FileReference[]>;
}

/** Uploads by the chat's own targets (`requestUploadUrls`), a file at a time. */
export function uploadThroughChat(chat: Uploading): UploadFile {
  return async (file, onProgress, signal) => {
    const [reference] = await chat.uploadFiles([file], (_, percent) => onProgress(percent), { signal });
    if (reference === undefined) throw new Error('uploadFiles gave no reference for the file.');
    return reference;
  };
}
