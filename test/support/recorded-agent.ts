/** An agent that answers with recorded streams, in pieces as a network cuts them. */
import { readFileSync } from 'node:fs';
import { everyCut } from './cuts.ts';

const SEEDS = 6;

/** The names of the ways in which a stream is cut. */
export const WAYS = everyCut(new Uint8Array(), SEEDS).map(({ name }) => name);

/**
 * @param conversation the fixture without the number of the response and its ending
 * @param way one of {@link WAYS}
 * @param refuse says why a request is not one that the recorded server takes
 */
export function createRecordedAgent<Body>(
  conversation: string,
  way: string,
  refuse: (body: Body) => string | undefined = () => undefined,
) {
  const bodies: Body[] = [];
  const send: typeof fetch = async (_url, init) => {
    const body = JSON.parse(String(init?.body)) as Body;
    const reason = refuse(body);
    if (reason !== undefined) return new Response(reason, { status: 422 });
    bodies.push(body);
    const file = new URL(`../fixtures/${conversation}-${bodies.length}.sse`, import.meta.url);
    const pieces = everyCut(readFileSync(file), SEEDS).find(({ name }) => name === way)?.pieces ?? [];
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch: send, bodies };
}

/** Returns the parts of an answer to "weather": the recorded agents think, call a tool and read its result. */
export function weatherParts(result: object, conclusion: string): readonly object[] {
  return [
    { type: 'reasoning', text: 'Look outside.' },
    { type: 'text', text: 'Let me look. ' },
    { toolName: 'weather', args: { city: 'Köln' }, result, status: 'done' },
    { type: 'text', text: conclusion },
  ];
}
