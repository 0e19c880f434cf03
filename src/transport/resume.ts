/**
 * Reading on after a drop, for every transport that knows where it stood: the engine sees one uninterrupted stream.
 *
 * | the response | then |
 * |---|---|
 * | ended with `finish`, `error`, or a `client-tool-request` that ends it | it is over |
 * | was cut, no cursor known | the stream just ends (the engine makes `stream_interrupted` of it) |
 * | was cut, cursor known | attach after it, with back-off; events seen before are filtered |
 * | attaching failed in a way that may pass | another attempt, up to `maxAttempts` without progress |
 * | attaching was refused | `not_resumable`; missing permission stays the HTTP error it is |
 */
import type { ResumeCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';
import type { Clock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import type { AgentEventStream, TransportIO } from './agent-transport.ts';
import { backoffDelay, type ReconnectPolicy, wait } from './backoff.ts';

/** How many cursors that are no numbers are remembered to recognise repeats. */
const REMEMBERED_CURSORS = 256;

export interface ResumeOptions {
  /** The first response. */
  readonly open: () => AgentEventStream;
  /** A response that goes on after the cursor. */
  readonly attach: (command: ResumeCommand) => AgentEventStream;
  readonly io: TransportIO;
  /** `false`: a cut stream just ends. */
  readonly policy: ReconnectPolicy | false;
  readonly clock: Clock;
  readonly random: () => number;
  /** Where the run stands before the first response. */
  readonly executionId?: string | undefined;
  readonly cursor?: string | undefined;
  /** Whether `open` is itself an attach, so that its events may repeat and its failures may pass. Default false. */
  readonly attached?: boolean;
  /** Told once, when the run can be attached to. */
  readonly onResumable?: (executionId: string) => void;
  /** Whether a `client-tool-request` ends the response, as on the native wire. Default true. */
  readonly requestEndsResponse?: boolean;
}

/** The events of a run over as many responses as it takes. */
export async function* readWithResume(
  options: ResumeOptions,
): AsyncGenerator<readonly AgentEvent[], void, undefined> {
  const { io, policy, clock, random } = options;
  const position = createPosition(options);
  let stream = options.open;
  let attached = options.attached ?? false;
  let attempt = 0;
  for (;;) {
    let failure: unknown;
    try {
      for await (const received of stream()) {
        const events = position.advance(isBatch(received) ? received : [received], attached);
        if (events.length === 0) continue;
        attempt = 0;
        yield events;
      }
    } catch (error) {
      failure = error;
    }
    if (io.signal.aborted || position.isOver()) return;
    if (failure !== undefined && !isCut(failure) && !(attached && mayPass(failure))) {
      throw attached ? toRefusal(failure) : failure;
    }
    const command = position.toCommand();
    if (command === undefined || policy === false) {
      if (AgentChatError.isInstance(failure)) throw failure;
      return;
    }
    if (attempt >= policy.maxAttempts) throw toLostConnection(attempt, failure);
    const asked = AgentChatError.isInstance(failure) ? (failure.retryAfter ?? 0) * 1000 : 0;
    await wait(clock, Math.max(asked, backoffDelay(policy, attempt++, random)), io.signal);
    if (io.signal.aborted) return;
    stream = () => options.attach(command);
    attached = true;
  }
}

/** Where a run stands, and which of its events were seen. */
function createPosition({ executionId, cursor, requestEndsResponse = true, onResumable }: ResumeOptions) {
  const remembered = new Set<string>();
  let over = false;
  let announced = false;

  const isRepeat = (next: string) => {
    if (isCount(next) && cursor !== undefined && isCount(cursor)) return Number(next) <= Number(cursor);
    return next === cursor || remembered.has(next);
  };
  const moveTo = (next: string) => {
    cursor = next;
    if (isCount(next)) return;
    remembered.add(next);
    if (remembered.size > REMEMBERED_CURSORS)
      for (const oldest of remembered) return void remembered.delete(oldest);
  };
  const accept = (event: AgentEvent) => {
    if (event.cursor !== undefined) moveTo(event.cursor);
    if ('executionId' in event && event.executionId !== undefined) executionId = event.executionId;
    over ||= endsRun(event) || (event.type === 'client-tool-request' && requestEndsResponse);
    if (announced || executionId === undefined || cursor === undefined) return;
    announced = true;
    onResumable?.(executionId);
  };

  return {
    /** The events that are new. Only what follows an attach can repeat. */
    advance(events: readonly AgentEvent[], attached: boolean): readonly AgentEvent[] {
      const fresh = attached
        ? events.filter((event) => {
            if (event.cursor !== undefined && isRepeat(event.cursor)) return false;
            accept(event);
            return true;
          })
        : events;
      if (!attached) for (const event of events) accept(event);
      return fresh;
    },
    isOver: () => over,
    toCommand: (): ResumeCommand | undefined =>
      executionId === undefined || cursor === undefined ? undefined : { type: 'resume', executionId, cursor },
  };
}

function isBatch(received: AgentEvent | readonly AgentEvent[]): received is readonly AgentEvent[] {
  return Array.isArray(received);
}

/** Sequence numbers are compared; any other cursor is opaque. */
function isCount(cursor: string): boolean {
  return /^\d{1,15}$/.test(cursor);
}

/** The response was accepted and then broke off: whatever a reader throws, and what a socket says. */
function isCut(failure: unknown): boolean {
  return !AgentChatError.isInstance(failure) || failure.code === 'connection_lost';
}

function mayPass(failure: unknown): boolean {
  return (
    AgentChatError.isInstance(failure) &&
    failure.retryable &&
    (failure.code === 'connection_failed' || failure.code === 'http_error')
  );
}

function toRefusal(failure: unknown): unknown {
  if (!AgentChatError.isInstance(failure) || failure.code !== 'http_error') return failure;
  if (failure.errorType === 'authentication_error' || failure.errorType === 'permission_error')
    return failure;
  return new AgentChatError({
    code: 'not_resumable',
    message: `The stream was cut and the server does not go on with it (${failure.message}). Retry to ask again.`,
    errorType: failure.errorType,
    source: failure.source,
    retryable: true,
    status: failure.status,
    backendCode: failure.backendCode,
    cause: failure,
  });
}

function toLostConnection(attempts: number, cause: unknown): AgentChatError {
  return new AgentChatError({
    code: 'connection_lost',
    message: `The connection was lost and ${attempts === 1 ? 'one attempt' : `${attempts} attempts`} to go on failed. Retry when the network is back.`,
    retryable: true,
    cause,
  });
}
