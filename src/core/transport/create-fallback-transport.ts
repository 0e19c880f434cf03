/**
 * Several transports to the same agent, in the order of preference. Requests use the first that connects.
 *
 * | what happens | then |
 * |---|---|
 * | a request fails with `connection_failed` before its first event | the next transport gets it, and stays in use |
 * | the connection in use is lost during a run with a cursor, or after answers were sent | the next transport resumes the run |
 * | ... during a run without a cursor | the stream fails; the next request uses another transport |
 * | an earlier transport of the list is connected again | it gets the next request |
 *
 * A call that waits for a person is not affected: its answer goes through the transport that is in use then. A tool that a transport
 * brings itself is run by that transport.
 */

import { AgentChatError, invalidOptions } from '../../shared/errors.ts';
import type { OpenCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import type { AgentEventStream, AgentTransport, Connection, TransportIO } from './agent-transport.ts';
import { RunCursor } from './run-cursor.ts';
import { SharedConnection, type TransportChoice } from './shared-connection.ts';

/**
 * @param transports In the order of preference. All have to take results the same way.
 * @throws AgentChatError `invalid_options` for an empty list, and for transports that take results differently.
 */
export function createFallbackTransport(transports: readonly AgentTransport[]): AgentTransport {
  let active = assertTransports(transports);
  const choice: TransportChoice = {
    transports,
    getActive: () => active,
    use(transport) {
      if (active === transport) return;
      active = transport;
      shared?.follow();
    },
  };
  const hasConnection = transports.some(({ connection }) => connection !== undefined);
  const shared = hasConnection ? new SharedConnection(choice) : undefined;
  return {
    get capabilities() {
      return active.capabilities;
    },
    ...(shared === undefined ? {} : { connection: toConnection(shared) }),
    run: (command, io) => runThrough(choice, command, io),
    open: (command, io) => runThrough(choice, command, io),
    stop: (command) => active.stop?.(command),
    clientTool(call) {
      for (const transport of transports) {
        const tool = transport.clientTool?.(call);
        if (tool !== undefined) return tool;
      }
      return undefined;
    },
  };
}

/** An app may pass a single method on, such as `onClick={connection.connect}`, so the methods do not need their object. */
function toConnection(shared: SharedConnection): Connection {
  return {
    getStatus: () => shared.getStatus(),
    subscribe: (listener) => shared.subscribe(listener),
    connect: () => shared.connect(),
    disconnect: () => shared.disconnect(),
  };
}

/** Returns the preferred transport. */
function assertTransports(transports: readonly AgentTransport[]): AgentTransport {
  const [preferred] = Array.isArray(transports) && transports.every(isTransport) ? transports : [];
  if (preferred === undefined) {
    throw invalidOptions(
      'createFallbackTransport needs a list of at least one transport, such as [socketTransport, httpTransport].',
    );
  }
  if (transports.some(({ capabilities }) => capabilities.results !== preferred.capabilities.results)) {
    throw invalidOptions(
      'createFallbackTransport got transports that take results differently (together, one by one). They have to lead to the same kind of backend.',
    );
  }
  return preferred;
}

function isTransport(given: AgentTransport | undefined | null): boolean {
  return typeof given?.run === 'function';
}

/** Runs a command through one transport after the other, until one ends it. */
async function* runThrough(
  choice: TransportChoice,
  command: RunCommand | OpenCommand,
  io: TransportIO,
): AsyncGenerator<readonly AgentEvent[], void> {
  let next = command;
  for (let candidates = toCandidates(choice); ; candidates = candidates.slice(1)) {
    const [transport, ...others] = candidates;
    if (transport === undefined || io.signal.aborted) return;
    choice.use(transport);
    const cursor = new RunCursor(next);
    let isUntouched = true;
    const canMove = () => others.length > 0 && cursor.toNextCommand() !== undefined;
    const watch = watchConnection(transport, io.signal, canMove);
    let failure: unknown;
    try {
      for await (const events of open(transport, next, { ...io, signal: watch.signal })) {
        if (events.length > 0) isUntouched = false;
        for (const event of events) cursor.advance(event);
        yield events;
      }
    } catch (thrown) {
      failure = thrown;
    }
    watch.end();
    if (io.signal.aborted) return;
    const resume = cursor.toNextCommand();
    if (others.length === 0 || !(watch.isLost() || mayMove(failure, isUntouched, resume))) {
      if (failure !== undefined) throw failure;
      return;
    }
    // A command that may have arrived is not sent again. The resumed run shows whether it did.
    if (!isUntouched || watch.isLost() || !hasCode(failure, 'connection_failed')) next = resume ?? next;
  }
}

/** Returns the transports, best first. A transport that is reconnecting comes last, because it would hold the request until then. */
function toCandidates({ transports, getActive }: TransportChoice): readonly AgentTransport[] {
  const rank = (transport: AgentTransport) => {
    const state = transport.connection?.getStatus().state;
    if (state === 'reconnecting') return 2;
    return state === 'connected' || transport === getActive() ? 0 : 1;
  };
  return [...transports].sort((a, b) => rank(a) - rank(b));
}

function open(
  transport: AgentTransport,
  command: RunCommand | OpenCommand,
  io: TransportIO,
): AgentEventStream {
  if (command.type === 'open' && transport.open) return transport.open(command, io);
  if (command.type !== 'open' && (command.type !== 'resume' || transport.capabilities.resume))
    return transport.run(command, io);
  throw new AgentChatError({
    code: 'not_resumable',
    message:
      'The connection was lost, and the transport that is left cannot resume a run. retry() asks again.',
    retryable: true,
  });
}

/** Returns true if another transport may help: the request never arrived, or the run can be resumed. */
function mayMove(
  failure: unknown,
  isUntouched: boolean,
  resume: RunCommand | OpenCommand | undefined,
): boolean {
  if (hasCode(failure, 'connection_failed')) return isUntouched || resume !== undefined;
  return hasCode(failure, 'connection_lost') && resume !== undefined;
}

function hasCode(failure: unknown, code: AgentChatError['code']): boolean {
  return AgentChatError.isInstance(failure) && failure.code === code;
}

/** Aborts a stream as soon as its transport loses the connection, if the run can move to another transport. */
function watchConnection(transport: AgentTransport, outer: AbortSignal, canMove: () => boolean) {
  const abort = new AbortController();
  const follow = () => abort.abort();
  let lost = false;
  outer.addEventListener('abort', follow);
  const unsubscribe = transport.connection?.subscribe(({ state }) => {
    if ((state !== 'reconnecting' && state !== 'error') || !canMove()) return;
    lost = true;
    abort.abort();
  });
  return {
    signal: abort.signal,
    isLost: () => lost,
    end() {
      unsubscribe?.();
      outer.removeEventListener('abort', follow);
    },
  };
}
