import type { AiSdkMemory } from './memory.ts';
import type { ChunkStream } from './requests.ts';
import { type AiSdkChunk, isToolPart } from './ui-message.ts';

/**
 * Returns the replay of a response to answers; undefined if the server replays the response before it, the one that asked: then the answers
 * never arrived. Both have the same message id, so the first call tells: only the response that asked announces a call that was answered.
 * Until then the chunks are held, because they may be an old text. A replay that breaks off before brings nothing.
 */
export async function skipEarlier(
  chunks: ChunkStream,
  { posted }: AiSdkMemory,
): Promise<ChunkStream | undefined> {
  const known =
    posted
      .at(-1)
      ?.parts.filter(isToolPart)
      .map(({ toolCallId }) => toolCallId) ?? [];
  const iterator = chunks[Symbol.asyncIterator]();
  const held: AiSdkChunk[] = [];
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    held.push(...next.value);
    const call = held.find(({ toolCallId }) => toolCallId !== undefined);
    if (call === undefined) continue;
    if (!call.type.startsWith('tool-input') || !known.includes(String(call.toolCallId)))
      return prepend(held, iterator);
    await iterator.return?.();
    return undefined;
  }
  return prepend(held.some(({ type }) => ENDS.includes(type)) ? held : [], iterator);
}

const ENDS = ['finish', 'done', 'abort', 'error'];

/** Returns a stream whose first chunks have been read. */
export async function* prepend(held: readonly AiSdkChunk[], rest: AsyncIterator<readonly AiSdkChunk[]>) {
  try {
    yield held;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
