/** The longest accepted body if the app sets no limit: 4 MiB. */
export const MAX_BODY_BYTES = 4 * 2 ** 20;

/**
 * Reads a body. Returns `null` if it has more than `maxBytes`, so that a client cannot fill the memory of the server. The excess
 * is read and dropped: unread bytes would block the connection for the client's next request.
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
