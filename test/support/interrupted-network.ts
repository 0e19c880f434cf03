/** Pages with one session in the same process, and a network that the test controls: it passes, loses and cuts. */
import { type AgentTransport, createHttpTransport } from '../../src/core.ts';
import { toSSEResponse } from '../../src/server/http/to-sse-stream.ts';
import type { AgentSession } from '../../src/server/sessions/create-agent-session.ts';
import type { Clock } from '../../src/shared/clock.ts';

export interface InterruptedNetwork {
  /** Lets so many more chunks through. */
  release(chunks: number): void;
  /** Breaks every response under way. */
  cut(): void;
  /** The next request does not arrive, or its response is lost. */
  lose(what: 'request' | 'response'): void;
  /** Holds and loses nothing from now on. */
  recover(): void;
  /** Opens a page. `close` prevents further requests of the page from reaching the server. */
  openPage(): { readonly transport: AgentTransport; close(): void };
}

export function createInterruptedNetwork(session: AgentSession, clock: Clock): InterruptedNetwork {
  let permits = 0;
  let losses: ('request' | 'response')[] = [];
  const waiting: (() => void)[] = [];
  const open = new Set<() => void>();

  const permit = () =>
    new Promise<void>((resolve) => {
      if (permits > 0) {
        permits -= 1;
        return resolve();
      }
      waiting.push(resolve);
    });

  /** The same bytes, one chunk for each permit, until it is cut. */
  const held = (body: ReadableStream<Uint8Array>) => {
    const reader = body.getReader();
    let isOver = false;
    let cut = () => {};
    const end = () => {
      isOver = true;
      open.delete(cut);
    };
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          cut = () => {
            end();
            controller.error(new TypeError('The connection was cut.'));
            void reader.cancel();
          };
          open.add(cut);
        },
        async pull(controller) {
          await permit();
          if (isOver) return;
          const { done, value } = await reader.read();
          if (isOver) return;
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        },
        cancel() {
          end();
          return reader.cancel();
        },
      },
      { highWaterMark: 0 },
    );
  };

  const cutAll = () => {
    for (const cut of [...open]) cut();
  };

  return {
    release(chunks) {
      permits += chunks;
      const going = waiting.splice(0, permits);
      permits -= going.length;
      for (const go of going) go();
    },
    cut: cutAll,
    lose(what) {
      losses = [...losses, what];
    },
    recover() {
      losses = [];
      permits = Number.POSITIVE_INFINITY;
      for (const go of waiting.splice(0)) go();
    },
    openPage() {
      let isClosed = false;
      const transport = createHttpTransport({
        clock,
        random: () => 0,
        async request(payload) {
          const [loss, ...rest] = losses;
          losses = rest;
          if (isClosed || loss === 'request') throw new TypeError('The request never arrived.');
          const response = toSSEResponse(session.execute(payload));
          if (loss === 'response') {
            // The server starts when its response is read for the first time.
            const reader = response.body?.getReader();
            await reader?.read();
            await reader?.cancel();
            throw new TypeError('The response never arrived.');
          }
          const { status, headers } = response;
          return new Response(response.body && held(response.body), { status, headers });
        },
      });
      return {
        transport,
        close() {
          isClosed = true;
          cutAll();
        },
      };
    },
  };
}
