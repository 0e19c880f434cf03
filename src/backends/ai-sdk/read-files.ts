import type { FileReference } from '../../core/state/message.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { createId } from '../../shared/ids.ts';

const LIMIT_MB = 4;
const BYTES_PER_MB = 1024 * 1024;

/**
 * Returns the files of a message as data URLs, as `useChat` sends them.
 *
 * @throws AgentChatError `upload_failed` for more than 4 MB together
 */
export async function readFiles(files: readonly File[]): Promise<readonly FileReference[]> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > LIMIT_MB * BYTES_PER_MB) throw tooLarge(bytes);
  return Promise.all(
    files.map(async (file) => {
      const mediaType = file.type || 'application/octet-stream';
      const url = `data:${mediaType};base64,${toBase64(new Uint8Array(await file.arrayBuffer()))}`;
      return { id: createId(), mediaType, url, filename: file.name, size: file.size };
    }),
  );
}

function toBase64(bytes: Uint8Array): string {
  // In pieces: a function takes some ten thousand arguments.
  const pieces: string[] = [];
  for (let begin = 0; begin < bytes.length; begin += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(begin, begin + 0x8000)));
  return btoa(pieces.join(''));
}

function tooLarge(bytes: number): AgentChatError {
  const size = (bytes / BYTES_PER_MB).toFixed(1);
  return new AgentChatError({
    code: 'upload_failed',
    message: `The files have ${size} MB together, and a message carries ${LIMIT_MB} MB. Send fewer or smaller files, or give the chat requestUploadUrls.`,
    errorType: 'validation_error',
  });
}
