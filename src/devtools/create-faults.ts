import type { AgentEventStream, AgentTransport, TransportIO } from '../core/transport/agent-transport.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import { compact } from '../shared/json.ts';
import { untilAborted } from '../shared/until-aborted.ts';

/** The faults between the page and its agent. */
export interface FaultSettings {
  /** Requests fail before they leave, as without a network. */
  readonly dropRequests: boolean;
  /** Requests leave, and nothing of their responses arrives. */
  readonly dropEvents: boolean;
  /** Milliseconds before a request leaves. */
  readonly delayRequestsMs: number;
  /** Milliseconds before events arrive. */
  readonly delayEventsMs: number;
}

/** Switches that make a transport fail. Made by {@link createFaults}. */
export interface Faults {
  /** Returns a transport that does what the given one does, but for the faults that are switched on. */
  wrap(transport: AgentTransport): AgentTransport;
  getSettings(): FaultSettings;
  /** Switches faults on and off: for requests that are sent, and events that arrive, from now on. */
  set(settings: Partial<FaultSettings>): void;
  /** Calls back after changes. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

const NONE: FaultSettings = {
  dropRequests: false,
  dropEvents: false,
  delayRequestsMs: 0,
  delayEventsMs: 0,
};

/**
 * Creates switches that drop and delay requests and events, to see what an app does then. Give the chat the wrapped transport, and the
 * faults to `HandrailDevtools`.
 *
 * @param options `clock`: for tests, time under your control. Default: the real clock.
 */
export function createFaults({ clock = systemClock }: { readonly clock?: Clock } = {}): Faults {
  let settings = NONE;
  const listeners = new Set<() => void>();

  function wait(ms: number, signal: AbortSignal): Promise<unknown> {
    return untilAborted(new Promise<void>((resolve) => clock.after(ms, resolve)), signal);
  }

  async function* read(open: () => AgentEventStream, io: TransportIO): AgentEventStream {
    const { delayRequestsMs } = settings;
    if (delayRequestsMs > 0) await wait(delayRequestsMs, io.signal);
    if (settings.dropRequests) throw dropped();
    for await (const events of open()) {
      const { delayEventsMs } = settings;
      if (delayEventsMs > 0) await wait(delayEventsMs, io.signal);
      if (!settings.dropEvents) yield events;
    }
  }

  return {
    wrap(transport) {
      const { open, stop, readFiles, clientTool } = transport;
      return compact({
        capabilities: transport.capabilities,
        connection: transport.connection,
        replaceMessages: transport.replaceMessages,
        readFiles: readFiles?.bind(transport),
        clientTool: clientTool?.bind(transport),
        run: (command, io) => read(() => transport.run(command, io), io),
        open: open && ((command, io) => read(() => open.call(transport, command, io), io)),
        stop: stop && ((command) => (settings.dropRequests ? undefined : stop.call(transport, command))),
      } satisfies { [Key in keyof AgentTransport]: AgentTransport[Key] | undefined }) as AgentTransport;
    },
    getSettings: () => settings,
    set(changed) {
      settings = { ...settings, ...changed };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function dropped(): AgentChatError {
  return new AgentChatError({
    code: 'connection_failed',
    message: 'The devtools of handrail dropped this request. Switch the fault off, then retry.',
    retryable: true,
  });
}
