import type { AgentCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import type {
  AgentEventStream,
  AgentTransport,
  TransportCapabilities,
  TransportIO,
} from '../transport/agent-transport.ts';

/** One request of the chat, answered by hand. */
export interface ScriptedRequest {
  readonly command: AgentCommand;
  readonly signal: AbortSignal;
  /** Sends events; those of one call arrive together. */
  send(...events: AgentEvent[]): void;
  /** Sends a value that is no event. */
  sendUnknown(event: unknown): void;
  /** Ends the response. */
  end(): void;
  /** Breaks the response. */
  fail(error: unknown): void;
}

/** A backend played by a test. */
export interface ScriptedTransport extends AgentTransport {
  /** Every request so far. Stops are among them, with nothing to answer. */
  readonly requests: readonly ScriptedRequest[];
  /** The commands of the requests. */
  readonly commands: readonly AgentCommand[];
  /** The request of that number, now or once it comes. */
  request(index: number): Promise<ScriptedRequest>;
}

/** A transport whose other end is the test itself. By default it takes results together and can resume and stop. */
export function createScriptedTransport(
  capabilities: Partial<TransportCapabilities> = {},
): ScriptedTransport {
  const requests: ScriptedRequest[] = [];
  const awaited = new Map<number, ((request: ScriptedRequest) => void)[]>();

  const add = (request: ScriptedRequest) => {
    const index = requests.push(request) - 1;
    for (const resolve of awaited.get(index) ?? []) resolve(request);
    awaited.delete(index);
  };

  const open = (command: AgentCommand, io: TransportIO): AgentEventStream => {
    const queue = createQueue();
    add({
      command,
      signal: io.signal,
      send: (...events) => queue.push(events),
      sendUnknown: (event) => io.onUnknownEvent(event),
      end: queue.end,
      fail: queue.fail,
    });
    return queue.stream;
  };

  return {
    capabilities: { results: 'together', resume: true, stop: true, deadlines: true, ...capabilities },
    run: open,
    stop(command) {
      const nothing = () => {};
      const { signal } = new AbortController();
      add({ command, signal, send: nothing, sendUnknown: nothing, end: nothing, fail: nothing });
    },
    requests,
    get commands() {
      return requests.map(({ command }) => command);
    },
    request(index) {
      const known = requests[index];
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => awaited.set(index, [...(awaited.get(index) ?? []), resolve]));
    },
  };
}

type Item = { readonly events: readonly AgentEvent[] } | { readonly error: unknown } | 'end';

function createQueue() {
  const items: Item[] = [];
  let wake = () => {};
  const put = (item: Item) => {
    items.push(item);
    wake();
  };
  async function* read(): AgentEventStream & AsyncGenerator<readonly AgentEvent[]> {
    for (;;) {
      const item = items.shift();
      if (item === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if (item === 'end') {
        return;
      } else if ('error' in item) {
        throw item.error;
      } else {
        yield item.events;
      }
    }
  }
  return {
    stream: read(),
    push: (events: readonly AgentEvent[]) => put({ events }),
    end: () => put('end'),
    fail: (error: unknown) => put({ error }),
  };
}
