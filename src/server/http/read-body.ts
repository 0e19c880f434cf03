/** Bodies of requests, up to a limit: what a client sends must not fill the memory of the server. */

/** The longest body taken where the app says nothing: 4 MiB. */
export const MAX_BODY_BYTES = 4 * 2 ** 20;

/**
 * The bytes of a body, or `null` where there are more than `maxBytes`. What is too much is read and thrown away: left
 * unread it would block the connection, which the client takes for its next request.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array | string> | readonly Uint8Array[],
  maxBytes: number,
): Promise<Uint8Array | null> {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    size += bytes.byteLength;
    if (size <= maxBytes) chunks.push(bytes);
    else chunks.length = 0;
  }
  if (size > maxBytes) return null;
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}
