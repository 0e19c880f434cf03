import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { compact } from '../../shared/json.ts';
import { type DeliveryPolicy, repeatUntilTaken } from '../../shared/repeat-until-taken.ts';
import { encodeAnswer } from '../protocol/native-encode.ts';
import type { OpenCall } from '../protocol/open-calls.ts';
import type { ToolCallAnswer } from '../state/tool-call.ts';
import { type InboxRoute, sendAnswer } from './inbox-requests.ts';

interface DeliveryContext {
  readonly route: InboxRoute;
  readonly clock: Clock;
  readonly random: () => number;
}

const POLICY: DeliveryPolicy = { initialDelayMs: 500, maxDelayMs: 30_000, maxAttempts: 4 };

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
  const { toolCallId, toolName, receipt, definition } = call;
  const toolResults = [
    encodeAnswer({ ...answer, toolCallId, toolName, echo: compact({ receipt, definition }) }),
  ];
  const body = { sessionId, executionId, toolResults };
  // A person who leaves the inbox has answered nevertheless, so nothing aborts the request.
  const { signal } = new AbortController();
  const send = async (mayHaveArrived: boolean) => {
    try {
      await sendAnswer(route, body, clock, signal);
    } catch (thrown) {
      // An earlier request without a response did arrive.
      if (!(mayHaveArrived && isAnswered(thrown))) throw thrown;
    }
  };
  await repeatUntilTaken(send, { policy: POLICY, clock, random, signal });
}

function isAnswered(thrown: unknown): boolean {
  return AgentChatError.isInstance(thrown) && thrown.backendCode === 'already_answered';
}
