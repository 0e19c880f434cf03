/** The content of a message of a person: a text, or parts with files. */
import { isRecord } from '../../shared/json.ts';

interface FileOf {
  readonly mediaType: string;
  readonly url: string;
}

/** Returns undefined for a message that says nothing. */
export function toUserContent(text: string, files: readonly FileOf[]): unknown {
  if (files.length === 0) return text === '' ? undefined : text;
  return [...(text === '' ? [] : [{ type: 'text', text }]), ...files.map(toSource)];
}

function toSource({ mediaType, url }: FileOf) {
  const [kind = ''] = mediaType.split('/');
  const type = ['image', 'audio', 'video'].includes(kind) ? kind : 'document';
  const data = /^data:[^,]*;base64,/.exec(url)?.[0];
  return {
    type,
    source:
      data === undefined
        ? { type: 'url', value: url, mimeType: mediaType }
        : { type: 'data', value: url.slice(data.length), mimeType: mediaType },
  };
}

/** Returns the text of a content, without its files. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content.filter(isRecord) : [];
  return parts.flatMap(({ text }) => (typeof text === 'string' ? text : [])).join('');
}

/** Returns the files of a content. */
export function filesOf(content: unknown): readonly FileOf[] {
  const parts = Array.isArray(content) ? content.filter(isRecord) : [];
  return parts.flatMap(({ source }) => {
    if (!isRecord(source) || typeof source.value !== 'string') return [];
    const mediaType = typeof source.mimeType === 'string' ? source.mimeType : 'application/octet-stream';
    const url = source.type === 'data' ? `data:${mediaType};base64,${source.value}` : source.value;
    return [{ mediaType, url }];
  });
}
