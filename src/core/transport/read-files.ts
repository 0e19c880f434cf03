/** `AgentTransport.readFiles` of the backends that take files with the message. Only their entries import it. */
import { AgentChatError, describeThrown } from '../../shared/errors.ts';
import { createId } from '../../shared/ids.ts';
import type { FileReference } from '../state/message.ts';

const LIMIT_MB = 4;
const BYTES_PER_MB = 1024 * 1024;

/**
 * Returns the files of a message as references: raw files as data URLs, and references as they are. What a data URL holds counts as
 * well, because a page may have read the files one by one.
 *
 * @throws AgentChatError `upload_failed` for more than 4 MB together, and for a file that the browser cannot read
 */
export async function readFiles(
  files: readonly (File | FileReference)[],
): Promise<readonly FileReference[]> {
  const bytes = files.reduce((sum, file) => sum + countBytes(file), 0);
  if (bytes > LIMIT_MB * BYTES_PER_MB) throw tooLarge(bytes);
  return Promise.all(files.map((file) => (isReference(file) ? file : readFile(file))));
}

function isReference(file: File | FileReference): file is FileReference {
  return 'url' in file;
}

/** A file behind another address takes no place in the message. */
function countBytes(file: File | FileReference): number {
  if (!isReference(file)) return file.size;
  const [start, padding = ''] = [/^data:[^,]*,/, /=*$/].map((pattern) => pattern.exec(file.url)?.[0]);
  if (start === undefined) return 0;
  const { length } = file.url.slice(start.length, file.url.length - padding.length);
  return start.endsWith(';base64,') ? Math.floor((length * 3) / 4) : length;
}

async function readFile(file: File): Promise<FileReference> {
  const mediaType = file.type || 'application/octet-stream';
  const bytes = await file.arrayBuffer().catch((thrown: unknown) => {
    throw uploadFailed(`The file "${file.name}" could not be read: ${describeThrown(thrown)}`, thrown);
  });
  const url = `data:${mediaType};base64,${toBase64(new Uint8Array(bytes))}`;
  return { id: createId(), mediaType, url, filename: file.name, size: file.size };
}

function toBase64(bytes: Uint8Array): string {
  // In pieces: a function takes some ten thousand arguments.
  const pieces: string[] = [];
  for (let begin = 0; begin < bytes.length; begin += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(begin, begin + 0x8000)));
  return btoa(pieces.join(''));
}

function tooLarge(bytes: number): AgentChatError {
  const size = Math.ceil((bytes / BYTES_PER_MB) * 10) / 10;
  return uploadFailed(
    `The files have ${size} MB together, and a message carries ${LIMIT_MB} MB. Send fewer or smaller files, or give the chat requestUploadUrls.`,
  );
}

function uploadFailed(message: string, cause?: unknown): AgentChatError {
  return new AgentChatError({ code: 'upload_failed', message, errorType: 'validation_error', cause });
}
