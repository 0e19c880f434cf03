/** An agent whose responses stay open: a test writes their events when it wants. */
import type { RawEvent, RawInput } from './raw-agent.ts';

export interface HeldResponse {
  readonly input: RawInput;
  write(...events: readonly RawEvent[]): void;
  close(): void;
  /** Breaks the response off. */
  cut(): void;
}

export function createHeldAgent() {
  const responses: HeldResponse[] = [];
  const send: typeof fetch = async (_url, init) => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(given) {
        controller = given;
      },
    });
    const encode = (event: RawEvent) => new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`);
    responses.push({
      input: JSON.parse(String(init?.body)),
      write: (...events) => {
        for (const event of events) controller?.enqueue(encode(event));
      },
      close: () => controller?.close(),
      cut: () => controller?.error(new TypeError('network error')),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch: send, responses };
}
