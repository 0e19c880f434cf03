/** Files of a thread: they live under `/attachments/{name}`, and are read at the route `files/{name}` (AgentBuilder documentation). */
import type { AgentEvent } from '../../core/protocol/events.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { isName, type RowAttachment } from './thread-row.ts';

const FOLDER = '/attachments/';

/** Returns the `attachments` of a message for the files of a trigger, or undefined if there are none. */
export function toAttachments(files: unknown, threadUrl: string) {
  const list = Array.isArray(files) ? files.filter(isRecord) : [];
  if (list.length === 0) return undefined;
  const route = `${threadUrl}/files/`;
  return list.map(({ id, url, mediaType, filename, size }) => {
    const address = String(url);
    const stored = address.startsWith(route) ? decodeURIComponent(address.slice(route.length)) : undefined;
    return compact({
      id,
      type: 'file' as const,
      path: stored === undefined ? address : `${FOLDER}${stored}`,
      name: isName(filename) ? filename : (stored ?? String(id)),
      mimeType: mediaType,
      size,
    });
  });
}

/** Returns the event that shows a file of a row. */
export function toFileEvent(file: RowAttachment, threadUrl: string, toolCallId?: string): AgentEvent {
  const { id, path, name, mimeType, size } = file;
  const url = path.startsWith(FOLDER)
    ? `${threadUrl}/files/${encodeURIComponent(path.slice(FOLDER.length))}`
    : path;
  return compact({
    type: 'file-available' as const,
    id,
    mediaType: mimeType,
    url,
    filename: name,
    size,
    toolCallId,
  });
}
