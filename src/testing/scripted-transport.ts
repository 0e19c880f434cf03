import type { AgentCommand } from '../core/protocol/commands.ts';
import type { AgentEvent } from '../core/protocol/events.ts';
import type {
  AgentEventStream,
  AgentTransport,
  TransportCapabilities,
  TransportIO,
} from '../core/transport/agent-transport.ts';

/** One request of the chat. The test sends its response. */
export interface ScriptedRequest {
  readonly command: AgentCommand;
  readonly signal: AbortSignal;
  /** Sends events. The events of one call arrive together. */
  send(...events: AgentEvent[]): void;
  /** Sends something that is no event. */
  sendUnknown(event: unknown): void;
  /** Ends the response. */
  end(): void;
  /** Breaks the response. */
  fail(error: unknown): void;
}

/** A transport whose backend is the test. */
export interface ScriptedTransport extends AgentTransport {
  /** Every request so far. A stop is a request without a response. */
  readonly requests: readonly ScriptedRequest[];
  /** The commands of the requests. */
  readonly commands: readonly AgentCommand[];
  /** Resolves with the request of an index, at once or when the chat sends it. */
  request(index: number): Promise<ScriptedRequest>;
}

/** Makes a transport whose backend is the test. By default it takes results together and can resume, stop and go back. */
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
    capabilities: {
      results: 'together',
      resume: true,
      stop: true,
      deadlines: true,
      rewind: true,
      ...capabilities,
    },
    run: open,
    open,
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
