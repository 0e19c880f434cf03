/** Helpers of the transport tests. */
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type {
  AgentEventStream,
  TransportChat,
  TransportIO,
} from '../../../src/core/transport/agent-transport.ts';

export interface TestIO extends TransportIO {
  readonly unknown: unknown[];
  abort(): void;
}

export function createIO(chat: Partial<TransportChat> = {}): TestIO {
  const controller = new AbortController();
  const unknown: unknown[] = [];
  return {
    signal: controller.signal,
    chat: { id: 'chat-1', isNamed: true, initialMessages: [], messages: () => [], ...chat },
    memory: createMemory(),
    unknown,
    onUnknownEvent: (event) => unknown.push(event),
    abort: () => controller.abort(),
  };
}

/** Makes a transport memory. */
function createMemory(): TransportIO['memory'] {
  let value: ReturnType<TransportIO['memory']['get']>;
  return {
    get: () => value,
    set(next) {
      value = next;
    },
  };
}

/** Reads a stream in the background. The result has its events so far and its ending. */
export function read(stream: AgentEventStream) {
  const events: AgentEvent[] = [];
  const reading = {
    events,
    /** `open`, `returned`, or the thrown error. */
    ending: 'open' as unknown,
    /** Resolves when the stream has returned or thrown. */
    done: Promise.resolve(),
    /** Waits until the stream has brought that many events. */
    async until(count: number) {
      while (events.length < count && reading.ending === 'open') {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    types: () => events.map(({ type }) => type),
  };
  let wake = () => {};
  reading.done = (async () => {
    try {
      for await (const batch of stream) {
        events.push(...batch);
        wake();
      }
      reading.ending = 'returned';
    } catch (error) {
      reading.ending = error;
    }
    wake();
  })();
  return reading;
}

/** Returns all events of a stream. Rejects if the stream throws. */
export async function collect(stream: AgentEventStream): Promise<AgentEvent[]> {
  const reading = read(stream);
  await reading.done;
  if (reading.ending !== 'returned') throw reading.ending;
  return reading.events;
}

export const trigger = {
  type: 'trigger',
  triggerName: 'user-message',
  input: { USER_MESSAGE: 'hi' },
} as const;
export const respond = {
  type: 'respond',
  executionId: 'e1',
  answers: [{ toolCallId: 'c1', toolName: 't', outcome: 'submitted', result: 1, echo: {} }],
  serverToolResults: [],
} as const;
