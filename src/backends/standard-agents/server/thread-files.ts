/** The files of a thread. */
import { createId } from '../../../shared/ids.ts';
import { readOwn } from '../../../shared/json.ts';
import type { Thread } from './thread.ts';
import type { AttachmentRef } from './thread-message.ts';
import type { StoredFile } from './thread-record.ts';
import type { FileRecord } from './thread-state.ts';

const FOLDER = '/attachments/';

/** Stores an uploaded file under a name of its own: a second `photo.png` must not replace the first. */
export async function addAttachment(thread: Thread, file: File): Promise<AttachmentRef> {
  // Some browsers send a path as the name of a file.
  const base = file.name.split(/[/\\]/).at(-1) || 'file';
  const isTaken = Object.hasOwn(thread.record.files, FOLDER + base);
  const path = FOLDER + (isTaken ? `${createId()}-${base}` : base);
  const record = await writeFile(
    thread,
    path,
    await file.arrayBuffer(),
    file.type || 'application/octet-stream',
  );
  return { type: 'file', ...record };
}

export async function writeFile(
  thread: Thread,
  path: string,
  data: ArrayBuffer | string,
  mimeType: string,
): Promise<FileRecord> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const about = { id: createId(), name, mimeType, size: bytes.byteLength };
  const file: StoredFile = { ...about, data: toBase64(bytes) };
  thread.change({ files: { ...thread.record.files, [path]: file } });
  await thread.save();
  return { ...about, path };
}

export function listAttachments(thread: Thread): AttachmentRef[] {
  return Object.entries(thread.record.files)
    .filter(([path]) => path.startsWith(FOLDER))
    .map(([path, { data: _, ...about }]) => ({ type: 'file', path, ...about }));
}

export function findAttachment(thread: Thread, name: string): StoredFile | undefined {
  return findFile(thread, FOLDER + name);
}

export function findFile(thread: Thread, path: string): StoredFile | undefined {
  return readOwn(thread.record.files, path);
}

export async function removeAttachment(thread: Thread, name: string): Promise<void> {
  const { [FOLDER + name]: _, ...files } = thread.record.files;
  thread.change({ files });
  await thread.save();
}

export function toBytes({ data }: StoredFile): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
