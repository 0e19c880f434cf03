/** Decides after a cut response if, when and where to resume. */
import type { RunCommand } from '../protocol/commands.ts';
import type { Clock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import type { TransportIO } from './agent-transport.ts';
import { backoffDelay, wait } from './backoff.ts';
import type { ReconnectPolicy } from './reconnect-policy.ts';

/** The options of a resume. */
export interface RecoveryOptions {
  readonly io: TransportIO;
  /** `false`: a cut stream just ends. */
  readonly policy: ReconnectPolicy | false;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * Waits until the next attempt is due. Returns false if no attempt follows: the end of the response is then the end of the run.
 *
 * @param failure what was thrown, if anything. Whatever is no `AgentChatError` means that the response broke off
 * @param attached true if the response was itself an attempt to resume
 * @param command the resume command; undefined if no cursor is known
 * @param attempt attempts without progress so far
 * @throws AgentChatError `not_resumable` if the resume was refused, `connection_lost` after too many attempts.
 */
export async function awaitNextAttempt(
  failure: unknown,
  attached: boolean,
  command: RunCommand | undefined,
  attempt: number,
  { policy, clock, random, io }: RecoveryOptions,
): Promise<boolean> {
  const error = AgentChatError.isInstance(failure) ? failure : undefined;
  if (error && attached && !mayPass(error)) throw toRefusal(error);
  // One that failed on its way may have arrived: whether its answers did is seen from the run, which is there to be asked.
  if (error && !attached && error.code !== 'connection_failed') return false;
  if (command === undefined || policy === false) return false;
  if (attempt >= policy.maxAttempts) throw toLostConnection(attempt, failure);
  const asked = (error?.retryAfter ?? 0) * 1000;
  await wait(clock, Math.max(asked, backoffDelay(policy, attempt, random)), io.signal, asked);
  return !io.signal.aborted;
}

/** True if the same request may succeed a little later. */
export function mayPass({ retryable, code }: AgentChatError): boolean {
  return retryable && (code === 'connection_failed' || code === 'http_error');
}

function toRefusal(failure: AgentChatError): AgentChatError {
  if (
    failure.code !== 'http_error' ||
    ['authentication_error', 'permission_error'].includes(failure.errorType)
  )
    return failure;
  return new AgentChatError({
    ...failure,
    code: 'not_resumable',
    message: `The stream was cut and the server does not go on with it (${failure.message}). retry() asks again.`,
    retryable: true,
    cause: failure,
  });
}

function toLostConnection(attempts: number, cause: unknown): AgentChatError {
  return new AgentChatError({
    code: 'connection_lost',
    message: `The connection was lost, ${attempts} attempts to go on failed. Retry when the network is back.`,
    retryable: true,
    cause,
  });
}
