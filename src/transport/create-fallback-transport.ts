/**
 * Several ways to the same agent: the first that connects is used.
 *
 * | what happens | then |
 * |---|---|
 * | a request fails with `connection_failed` before anything arrived | the next one gets it; that one stays in use |
 * | the connection in use is lost in the middle of a run with a cursor, or with answers on it | the next transport resumes the run |
 * | ... of a run without a cursor | the run fails with the error; the next request takes another transport |
 * | an earlier one in the list is connected again | it gets the next request |
 *
 * Calls that wait for a person are untouched by all of this: they belong to the run, and their answers take the way
 * that is in use when they are given. The same goes for a transport's own tools: whichever knows the call runs it.
 */
import type { ResumeCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { AgentChatError, invalidOptions } from '../shared/errors.ts';
import type { AgentEventStream, AgentTransport, TransportIO } from './agent-transport.ts';
import { createSharedConnection } from './fallback-connection.ts';
import { RunCursor } from './run-cursor.ts';

/**
 * @param transports In the order of preference. All have to take results the same way.
 * @throws AgentChatError `invalid_options` for an empty list, and for transports that cannot stand in for each other.
 */
export function createFallbackTransport(transports: readonly AgentTransport[]): AgentTransport {
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
  let active = preferred;
  const shared = createSharedConnection(transports, () => active, use);

  function use(transport: AgentTransport): void {
    if (active === transport) return;
    active = transport;
    shared?.announce();
  }

  /** Returns the transports, best first. A transport that is reconnecting would delay the request. */
  function candidates(): readonly AgentTransport[] {
    const states = (transport: AgentTransport) => transport.connection?.getStatus().state;
    const rank = (transport: AgentTransport) => {
      if (states(transport) === 'reconnecting') return 2;
      return states(transport) === 'connected' || transport === active ? 0 : 1;
    };
    return [...transports].sort((a, b) => rank(a) - rank(b));
  }

  async function* run(command: RunCommand, io: TransportIO): AsyncGenerator<readonly AgentEvent[], void> {
    let next: RunCommand = command;
    for (let left = candidates(); ; left = left.slice(1)) {
      const [transport, ...others] = left;
      if (transport === undefined || io.signal.aborted) return;
      use(transport);
      const cursor = new RunCursor(next);
      let isUntouched = true;
      const watch = watchConnection(
        transport,
        io.signal,
        () => others.length > 0 && cursor.toResumeCommand() !== undefined,
      );
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
      const resume = cursor.toResumeCommand();
      if (others.length === 0 || !(watch.isLost() || isUnreachable(failure, isUntouched, resume))) {
        if (failure !== undefined) throw failure;
        return;
      }
      // A command that may have arrived is not sent again: the resumed run shows whether it arrived.
      if (!isUntouched || watch.isLost() || !hasCode(failure, 'connection_failed')) next = resume ?? next;
    }
  }

  return {
    get capabilities() {
      return active.capabilities;
    },
    ...(shared === undefined ? {} : { connection: shared.connection }),
    run,
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

function open(transport: AgentTransport, command: RunCommand, io: TransportIO): AgentEventStream {
  if (command.type !== 'resume' || transport.capabilities.resume) return transport.run(command, io);
  throw new AgentChatError({
    code: 'not_resumable',
    message:
      'The connection was lost, and the transport that is left cannot resume a run. retry() asks again.',
    retryable: true,
  });
}

/** True if another transport may help: the request never arrived, or the run can be resumed. */
function isUnreachable(failure: unknown, untouched: boolean, resume: ResumeCommand | undefined): boolean {
  if (hasCode(failure, 'connection_failed')) return untouched || resume !== undefined;
  return hasCode(failure, 'connection_lost') && resume !== undefined;
}

function hasCode(failure: unknown, code: AgentChatError['code']): boolean {
  return AgentChatError.isInstance(failure) && failure.code === code;
}

/** Stops reading from a transport whose connection is lost if another transport can resume the run. */
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

function isTransport(given: AgentTransport | undefined | null): boolean {
  return typeof given?.run === 'function';
}
