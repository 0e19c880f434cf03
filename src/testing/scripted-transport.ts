import type { AgentCommand } from '../core/protocol/commands.ts';
import type { AgentEvent } from '../core/protocol/events.ts';
import type {
  AgentEventStream,
  AgentTransport,
  TransportCapabilities,
  TransportIO,
} from '../core/transport/agent-transport.ts';
import { Mailbox } from '../shared/mailbox.ts';

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
    const batches = new Mailbox<readonly AgentEvent[]>();
    add({
      command,
      signal: io.signal,
      send: (...events) => batches.push(events),
      sendUnknown: (event) => io.onUnknownEvent(event),
      end: () => batches.close(),
      fail: (error) => batches.fail(error),
    });
    return batches.read();
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
