/** Decides after a response broke off whether and when the run is resumed. */

import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { hasAttemptLeft, mayPass, waitBeforeRetry } from '../../shared/wait-before-retry.ts';
import type { OpenCommand, RunCommand } from '../protocol/commands.ts';
import type { TransportIO } from './agent-transport.ts';
import type { ReconnectPolicy } from './reconnect-policy.ts';

export interface RecoveryOptions {
  readonly io: TransportIO;
  /** `false`: a stream that was cut just ends. */
  readonly policy: ReconnectPolicy | false;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * Waits until the next attempt is due. Returns false if there is none: the stream ends as the response did.
 *
 * @param failure The thrown value, if any. Anything but an `AgentChatError` means that the response broke off.
 * @param isResumed True if the response was itself the response to a resume, or to an `open`.
 * @param command The command of the next attempt. Undefined when no cursor is known.
 * @param failedAttempts Attempts without progress so far.
 * @throws AgentChatError `not_resumable` when the server refused the resume, `connection_lost` after too many attempts.
 */
export async function awaitNextAttempt(
  failure: unknown,
  isResumed: boolean,
  command: RunCommand | OpenCommand | undefined,
  failedAttempts: number,
  options: RecoveryOptions,
): Promise<boolean> {
  let isDue = false;
  try {
    isDue = await awaitAttempt(failure, isResumed, command, failedAttempts, options);
    return isDue;
  } finally {
    if (!isDue) options.io.reconnecting?.(false);
  }
}

async function awaitAttempt(
  failure: unknown,
  isResumed: boolean,
  command: RunCommand | OpenCommand | undefined,
  failedAttempts: number,
  { policy, clock, random, io }: RecoveryOptions,
): Promise<boolean> {
  const error = AgentChatError.isInstance(failure) ? failure : undefined;
  const isOpen = command?.type === 'open';
  if (error && isResumed && !mayPass(error)) throw isOpen ? error : toRefusal(error);
  // A request that got no response may have arrived nevertheless. The resumed run shows whether its answers did.
  if (error && !isResumed && error.code !== 'connection_failed') return false;
  if (command === undefined || policy === false) return false;
  // People may take days to answer: what is followed is opened again until the page leaves it.
  const isFollowed = isOpen && command.follow;
  if (!hasAttemptLeft(failedAttempts, policy.maxAttempts) && !isFollowed)
    throw toLostConnection(failedAttempts, failure);
  // The first attempt is made at once, and nearly always succeeds: a person need not read of it.
  if (failedAttempts > 0) io.reconnecting?.(true);
  await waitBeforeRetry(failedAttempts, failure, { policy, clock, random, signal: io.signal });
  return !io.signal.aborted;
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

export function toLostConnection(attempts: number, cause?: unknown): AgentChatError {
  return new AgentChatError({
    code: 'connection_lost',
    message: `The connection was lost, ${attempts} attempts to go on failed. Retry when the network is back.`,
    retryable: true,
    cause,
  });
}
