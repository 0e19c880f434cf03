/** File uploads of the Octavus wire protocol 2.0, section 9: ask the app for targets, then PUT each file to its own. */

import { AgentChatError, describeThrown, invalidOptions } from '../../shared/errors.ts';
import { callSafely } from '../../shared/report-thrown.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import { isListOf, isName } from '../protocol/native-fields.ts';
import type { FileReference } from '../state/message.ts';
import type {
  AgentChatOptions,
  FilesInput,
  RequestUploadUrls,
  UploadProgress,
  UploadTarget,
} from './agent-chat.ts';

/** Where raw files go: the app's own storage, or the backend itself. */
type UploadPlaces = Pick<AgentChatOptions, 'requestUploadUrls' | 'transport'>;

const FALLBACK_MEDIA_TYPE = 'application/octet-stream';

const isTargets = /* @__PURE__ */ isListOf<UploadTarget>(isName, 'id', 'uploadUrl', 'downloadUrl');

const NOT_CONFIGURED = 'File upload requires requestUploadUrls option';

/** Returns the files, or undefined for an empty FileList. */
export function pickedFiles(files: FilesInput | undefined): FilesInput | undefined {
  return Array.isArray(files) || files?.length !== 0 ? files : undefined;
}

/** True if any of the files has not been uploaded yet, or has to be seen by a transport that takes files with the message. */
export function needsUpload(
  files: FilesInput | undefined,
  { requestUploadUrls, transport }: UploadPlaces,
): boolean {
  const list = Array.from<File | FileReference>(files ?? []);
  const isRead = requestUploadUrls === undefined && transport.readFiles !== undefined;
  return isRead ? list.length > 0 : list.some(isRawFile);
}

export function notFiles(): AgentChatError {
  return invalidOptions('files must be a list of File, or of references { id, mediaType, url }.');
}

function describeFile({ name, type, size }: File): { filename: string; mediaType: string; size: number } {
  return { filename: name, mediaType: type || FALLBACK_MEDIA_TYPE, size };
}

function isRawFile(file: File | FileReference): file is File {
  return file instanceof Blob;
}

/**
 * Uploads the files of a message, as it is shown and as it is sent. Where those are the same, they are uploaded once.
 *
 * @throws AgentChatError as {@link uploadFiles} does.
 */
export async function uploadMessageFiles(
  shown: FilesInput | undefined,
  sent: FilesInput | undefined,
  places: UploadPlaces,
  signals: readonly AbortSignal[],
): Promise<readonly [shown: FilesInput | undefined, sent: FilesInput | undefined]> {
  const hint = `${NOT_CONFIGURED}. Either provide FileReference[] or configure requestUploadUrls.`;
  const upload = (files: FilesInput | undefined) =>
    files && uploadFiles(files, places, signals, undefined, hint);
  const first = upload(shown);
  return Promise.all([first, sent === shown ? first : upload(sent)]);
}

/**
 * Uploads raw files and returns references to all files. References are returned as they are.
 *
 * @param signals the upload ends when the first of them aborts
 * @throws AgentChatError `invalid_options` without a list, `upload_not_configured` without `requestUploadUrls`, `upload_failed`
 * when any file fails.
 */
export async function uploadFiles(
  files: FilesInput,
  { requestUploadUrls, transport }: UploadPlaces,
  signals: readonly AbortSignal[],
  onProgress?: UploadProgress,
  notConfigured = NOT_CONFIGURED,
): Promise<FileReference[]> {
  if (typeof (files as { readonly length?: unknown } | null | undefined)?.length !== 'number') {
    throw notFiles();
  }
  const list = Array.from<File | FileReference>(files);
  const others = new AbortController();
  const either = AbortSignal.any([...signals, others.signal]);
  if (requestUploadUrls === undefined && transport.readFiles) {
    const read = await untilAborted(transport.readFiles(list), either);
    if (read === undefined) throw uploadFailed('Upload aborted');
    return [...read];
  }
  const raw = list.filter(isRawFile);
  if (raw.length === 0) return list as FileReference[];
  if (requestUploadUrls === undefined) {
    throw new AgentChatError({
      code: 'upload_not_configured',
      message: notConfigured,
      errorType: 'validation_error',
    });
  }
  // The app's route may never respond.
  const targets = await untilAborted(requestTargets(raw, requestUploadUrls), either);
  if (targets === undefined) throw uploadFailed('Upload aborted');
  const notify: UploadProgress = (...step) => callSafely(() => onProgress?.(...step));
  let nextTarget = 0;
  try {
    return await Promise.all(
      list.map(async (file, index) => {
        if (!isRawFile(file)) return file;
        const target = targets[nextTarget++] as UploadTarget;
        await putFile(file, target.uploadUrl, either, (progress) => notify(index, progress));
        return { id: target.id, url: target.downloadUrl, ...describeFile(file) };
      }),
    );
  } catch (thrown) {
    // A message goes out with all of its files or not at all.
    others.abort();
    // XMLHttpRequest throws a SyntaxError for a malformed URL.
    throw AgentChatError.isInstance(thrown)
      ? thrown
      : uploadFailed(`Upload failed: ${describeThrown(thrown)}`, thrown);
  }
}

async function requestTargets(
  files: readonly File[],
  request: RequestUploadUrls,
): Promise<readonly UploadTarget[]> {
  try {
    const given = (await request(files.map(describeFile))) as
      | Awaited<ReturnType<RequestUploadUrls>>
      | undefined;
    const targets = given?.files;
    if (isTargets(targets) && targets.length === files.length) return targets;
    throw new TypeError(
      `requestUploadUrls must give { files } with an id, uploadUrl and downloadUrl for each of ${files.length} files`,
    );
  } catch (thrown) {
    throw uploadFailed(describeThrown(thrown, 'requestUploadUrls failed'), thrown);
  }
}

async function putFile(
  file: File,
  url: string,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<void> {
  // An XMLHttpRequest that starts now would miss the `abort` event.
  if (signal.aborted) throw uploadFailed('Upload aborted');
  // `fetch` reports no progress of an upload.
  const put = typeof XMLHttpRequest === 'function' ? putWithProgress : putWithFetch;
  const status = await put(file, url, signal, onProgress).catch((thrown: unknown) => {
    throw uploadFailed(signal.aborted ? 'Upload aborted' : 'Upload failed: network error', thrown);
  });
  if (status < 200 || status > 299) throw uploadFailed(`Upload failed with status ${status}`);
  onProgress(100);
}

async function putWithFetch(file: File, url: string, signal: AbortSignal): Promise<number> {
  const headers = { 'Content-Type': describeFile(file).mediaType };
  const { body, status } = await fetch(url, { method: 'PUT', body: file, headers, signal });
  await body?.cancel();
  return status;
}

function putWithProgress(
  file: File,
  url: string,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(Math.round((loaded / total) * 100));
    };
    request.onload = () => resolve(request.status);
    request.onerror = request.onabort = reject;
    request.onloadend = () => signal.removeEventListener('abort', abort);
    signal.addEventListener('abort', abort);
    request.open('PUT', url);
    request.setRequestHeader('Content-Type', describeFile(file).mediaType);
    request.send(file);
  });
}

function uploadFailed(message: string, cause?: unknown): AgentChatError {
  return new AgentChatError({
    code: 'upload_failed',
    message,
    retryable: true,
    cause,
  });
}
