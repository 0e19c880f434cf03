/** Delivers an answer once there is a network: again after a failure that may pass, until the receiver has taken or refused it. */
import { isSentAgain } from './answer-refusals.ts';
import { AgentChatError } from './errors.ts';
import { untilOnline } from './network.ts';
import {
  type BackoffPolicy,
  countFailure,
  hasAttemptLeft,
  mayPass,
  type RetryContext,
  waitBeforeRetry,
} from './wait-before-retry.ts';

export interface DeliveryPolicy extends BackoffPolicy {
  /** How often a request that failed is repeated at most. One that fails while the browser is offline does not count. */
  readonly maxAttempts: number;
}

export interface DeliveryContext extends Omit<RetryContext, 'policy'> {
  /** `false`: a request that fails is not repeated. */
  readonly policy: DeliveryPolicy | false;
  /** True if the answer was sent before this delivery, and may have arrived. Default false. */
  readonly mayHaveArrived?: boolean;
}

/**
 * Resolves with what the request resolves with, and with undefined when the signal aborts.
 *
 * @param send sends one request. It gets true if an earlier request may have arrived although it failed: then a receiver that has an
 * answer already has this one.
 * @throws the failure of the last request, if it cannot pass or there are no attempts left
 */
export async function repeatUntilTaken<Reply>(
  send: (mayHaveArrived: boolean) => Promise<Reply>,
  { policy, mayHaveArrived: wasSent = false, ...context }: DeliveryContext,
): Promise<Reply | undefined> {
  const { signal } = context;
  let mayHaveArrived = wasSent;
  for (let failed = 0; !signal.aborted; ) {
    try {
      await untilOnline(signal);
      if (signal.aborted) break;
      return await send(mayHaveArrived);
    } catch (thrown) {
      if (signal.aborted) break;
      mayHaveArrived ||= !wasRefused(thrown);
      const isLast = policy === false || !hasAttemptLeft(failed, policy.maxAttempts);
      if (isLast || !AgentChatError.isInstance(thrown) || !maySendAgain(thrown)) throw thrown;
      const next = countFailure(failed);
      await waitBeforeRetry(failed, thrown, { ...context, policy });
      failed = next;
    }
  }
  return undefined;
}

/** A receiver may refuse an answer with any status: the code counts. */
function maySendAgain(error: AgentChatError): boolean {
  return mayPass(error) || isSentAgain(error.backendCode);
}

/**
 * Returns true if the receiver has certainly not taken what a failed request brought: it refused the request (4xx), or did not look at it
 * (503). After a lost response or another 5xx this is unknown.
 */
export function wasRefused(thrown: unknown): boolean {
  if (AgentChatError.isInstance(thrown) && isSentAgain(thrown.backendCode)) return true;
  const status = (AgentChatError.isInstance(thrown) ? thrown.status : undefined) ?? 500;
  return status < 500 || status === 503;
}
