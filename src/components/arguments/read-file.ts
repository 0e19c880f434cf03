import { isRecord } from '../../shared/json.ts';
import { isFile } from '../form/schema/json-schema.ts';

/** A reference to a file, as a person sees it. */
export interface ShownFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number | undefined;
  readonly url: string;
  /** The address of a picture that is inside the arguments. No other is fetched: its address could carry text to another site. */
  readonly thumbnail: string | undefined;
}

const KEYS = new Set(['id', 'mediaType', 'url', 'filename', 'size']);
const INLINE_PICTURE = /^data:image\/(png|jpeg|gif|webp|avif);base64,/;

/** Reads a `FileReference`. One with anything else in it is shown as an object, so that nothing is left out. */
export function readFile(
  value: unknown,
  node: Readonly<Record<string, unknown>> | undefined,
): ShownFile | undefined {
  if (node === undefined || !isFile(node) || !isRecord(value)) return undefined;
  const { id, mediaType, url, filename, size } = value;
  if (typeof id !== 'string' || typeof mediaType !== 'string' || typeof url !== 'string') return undefined;
  if (!Object.keys(value).every((key) => KEYS.has(key))) return undefined;
  return {
    name: typeof filename === 'string' && filename !== '' ? filename : id,
    size: typeof size === 'number' ? size : undefined,
    url,
    thumbnail: INLINE_PICTURE.test(url) ? url : undefined,
  };
}
