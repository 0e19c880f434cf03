import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { type ForeignResponse, TranslatedStream } from '../../../src/core/transport/translated-stream.ts';
import { createManualClock } from '../../../src/testing.ts';
import { createDeferred } from '../../support/deferred.ts';
import { settled } from '../../support/scripted-chat.ts';
import { read } from './support.ts';

type Arrival = IteratorResult<readonly string[], undefined>;

const toNotice = (text: string): AgentEvent => ({ type: 'notice', code: 'test', text });
const END: Arrival = { done: true, value: undefined };

/** A response whose chunks the test sends. A chunk is a text, and becomes a notice. */
function openStream(changes: Partial<ForeignResponse<string>> = {}) {
  const clock = createManualClock();
  const abort = new AbortController();
  const log: string[] = [];
  let arrival = createDeferred<Arrival>();
  const response: ForeignResponse<string> = {
    chunks: {
      next: () => arrival.promise,
      async return() {
        log.push('left');
        return END;
      },
    },
    read: (chunks) => chunks.map(toNotice),
    silenceMs: () => undefined,
    readSilence: () => [],
    end: (error) => ({ events: [toNotice('end')], error }),
    close: () => log.push('closed'),
    ...changes,
  };
  const open = async () => {
    log.push('sent');
    return { before: [toNotice('before')], response };
  };
  const stream = new TranslatedStream<string>(open, { clock, signal: abort.signal });
  const arrive = async (settle: (current: typeof arrival) => void) => {
    await settled();
    const current = arrival;
    arrival = createDeferred<Arrival>();
    settle(current);
    await settled();
  };
  return {
    stream,
    clock,
    abort,
    log,
    send: (...value: string[]) => arrive(({ resolve }) => resolve({ done: false, value })),
    finish: () => arrive(({ resolve }) => resolve(END)),
    fail: (error: Error) => arrive(({ reject }) => reject(error)),
  };
}

const texts = (events: readonly AgentEvent[]) => events.map((event) => (event as { text: string }).text);

describe('TranslatedStream', () => {
  it('brings the events before the response, of its chunks, and behind the last one, and then closes', async () => {
    const { stream, log, send, finish } = openStream();
    const reading = read(stream);
    await send('a', 'b');
    await send('c');
    await finish();
    expect(texts(reading.events)).toEqual(['before', 'a', 'b', 'c', 'end']);
    expect(reading.ending).toBe('returned');
    expect(log).toEqual(['sent', 'closed', 'left']);
  });

  it('throws what broke the response off behind the last events', async () => {
    const { stream, log, send, fail } = openStream();
    const reading = read(stream);
    await send('a');
    await fail(new Error('cut'));
    expect(texts(reading.events)).toEqual(['before', 'a', 'end']);
    expect(reading.ending).toEqual(new Error('cut'));
    expect(log).toEqual(['sent', 'closed', 'left']);
  });

  it('sends nothing when its reader leaves before the first event', async () => {
    const { stream, log } = openStream();
    await stream.return();
    expect(await stream.next()).toEqual(END);
    expect(log).toEqual([]);
  });

  it('closes the response once when its reader leaves', async () => {
    const { stream, log, send } = openStream();
    await stream.next();
    const next = stream.next();
    await send('a');
    await next;
    await stream.return();
    expect(await stream.next()).toEqual(END);
    expect(log.filter((entry) => entry === 'closed')).toHaveLength(1);
    expect(log).toContain('left');
  });

  it('reads the silence once its time is over, and then the chunk that it waited for', async () => {
    const limits = [500, undefined];
    const { stream, clock, send } = openStream({
      silenceMs: () => limits.shift(),
      readSilence: () => [toNotice('silence')],
    });
    const reading = read(stream);
    await settled();
    await clock.advance(499);
    expect(texts(reading.events)).toEqual(['before']);
    await clock.advance(1);
    expect(texts(reading.events)).toEqual(['before', 'silence']);
    await send('a');
    expect(texts(reading.events)).toEqual(['before', 'silence', 'a']);
  });

  it('sets no timer where silence says nothing', async () => {
    const { stream, clock, send } = openStream();
    const reading = read(stream);
    await send('a');
    expect(texts(reading.events)).toEqual(['before', 'a']);
    expect(clock.waiting).toBe(0);
  });

  it('brings nothing after an abort', async () => {
    const { stream, abort, log, finish } = openStream();
    const reading = read(stream);
    await settled();
    abort.abort();
    await finish();
    expect(texts(reading.events)).toEqual(['before']);
    expect(reading.ending).toBe('returned');
    expect(log).toContain('closed');
  });
});
