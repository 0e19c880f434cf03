import { isSentAgain } from '../../shared/answer-refusals.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { compact } from '../../shared/json.ts';
import { encodeAnswer } from '../protocol/native-encode.ts';
import type { OpenCall } from '../protocol/open-calls.ts';
import type { ToolCallAnswer } from '../state/tool-call.ts';
import { backoffDelay, wait } from '../transport/backoff.ts';
import type { ReconnectPolicy } from '../transport/reconnect-policy.ts';
import { mayPass } from '../transport/recovery.ts';
import { type InboxRoute, sendAnswer } from './inbox-requests.ts';

interface DeliveryContext {
  readonly route: InboxRoute;
  readonly clock: Clock;
  readonly random: () => number;
}

const POLICY: ReconnectPolicy = { initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 4 };

/**
 * Sends an answer until the server has taken or refused it, with up to four repetitions after requests that failed.
 *
 * @throws AgentChatError of the refusal, or of the last request that failed
 */
export async function deliverAnswer(
  { sessionId, executionId, call }: OpenCall,
  answer: ToolCallAnswer,
  { route, clock, random }: DeliveryContext,
): Promise<void> {
  const { toolCallId, toolName, receipt } = call;
  const toolResults = [encodeAnswer({ ...answer, toolCallId, toolName, echo: compact({ receipt }) })];
  const body = { sessionId, executionId, toolResults };
  // A person who leaves the inbox has answered nevertheless, so nothing aborts the request.
  const { signal } = new AbortController();
  let mayHaveArrived = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await sendAnswer(route, body, clock, signal);
    } catch (thrown) {
      // An earlier request without a response did arrive.
      if (mayHaveArrived && isAnswered(thrown)) return;
      const isLast = attempt >= POLICY.maxAttempts;
      if (isLast || !AgentChatError.isInstance(thrown) || !maySendAgain(thrown)) throw thrown;
      mayHaveArrived ||= !isSentAgain(thrown.backendCode);
      const minDelayMs = (thrown.retryAfter ?? 0) * 1_000;
      await wait(clock, Math.max(minDelayMs, backoffDelay(POLICY, attempt, random)), signal, minDelayMs);
    }
  }
}

/** A server may refuse an answer with any status: the code counts. */
function maySendAgain(error: AgentChatError): boolean {
  return mayPass(error) || isSentAgain(error.backendCode);
}

function isAnswered(thrown: unknown): boolean {
  return AgentChatError.isInstance(thrown) && thrown.backendCode === 'already_answered';
}
