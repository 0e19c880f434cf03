/** An event stream begins with a comment, a field, or data that is JSON or its end. An answer may begin with the word `data`. */
const EVENT_STREAM = /^\ufeff?(:|(event|id|retry):|data: ?[{[])/;

/**
 * Returns a response of plain text as an event stream with one text. Some servers declare an event stream as plain text: it stays as it
 * is, and so does every other response.
 */
export function toEventStream(response: Response): Response {
  const isText = response.headers?.get('content-type')?.startsWith('text/plain');
  if (!response.ok || !isText || response.body === null) return response;
  const decoder = new TextDecoder();
  let isPassed: boolean | undefined;
  const toFrame = (chunk: object | string) =>
    new TextEncoder().encode(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
  const transform = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const text = decoder.decode(bytes, { stream: true });
      isPassed ??= EVENT_STREAM.test(text);
      controller.enqueue(isPassed ? bytes : toFrame({ type: 'text-delta', id: 'text', delta: text }));
    },
    flush(controller) {
      if (isPassed === false) controller.enqueue(toFrame('[DONE]'));
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(transform), { status, headers });
}
