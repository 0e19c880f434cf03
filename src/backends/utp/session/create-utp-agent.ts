/** An agent of CommonGround as the agent of a session: one invocation per message, and one per batch of answers (UTP v1r4, section 8). */
import type { Agent } from '../../../server/agent.ts';
import { RunEnded } from '../../../server/runs/run.ts';
import { AgentChatError, describeThrown } from '../../../shared/errors.ts';
import { deliverAnswers, findLastAnswers, settleCallsOf } from './answers.ts';
import { Turn, type TurnSettings } from './turn.ts';
import { openTurnFeed } from './turn-feed.ts';

export function createUtpAgent(settings: TurnSettings): Agent {
  return async function* talk(context) {
    const { messages, signal } = context;
    const feed = openTurnFeed({ ...settings, signal });
    const turn = new Turn(settings, feed, context);
    try {
      await settings.service.start();
      const answers = findLastAnswers(messages);
      if (answers.length > 0) {
        yield* deliverAnswers(settings, answers);
        await turn.goOn();
      } else {
        await settleCallsOf(settings, messages, 'superseded');
        await turn.begin();
      }
      for await (const item of feed) {
        if (yield* turn.take(item)) return;
      }
    } catch (thrown) {
      throw unreachable(thrown);
    } finally {
      turn.end();
      feed.close();
      if (isStopped(signal) && turn.id !== undefined) settings.stopTurn(turn.id);
    }
  };
}

/** A run whose page went away ends too, but the agent should go on then. */
function isStopped({ reason }: AbortSignal): boolean {
  return reason instanceof RunEnded && reason.why === 'stopped';
}

/** Everything that fails here is a system that cannot be reached. The history has what a retry needs. */
function unreachable(cause: unknown): AgentChatError {
  return new AgentChatError({
    code: 'connection_lost',
    errorType: 'execution_error',
    message: `The agent cannot be followed. A retry goes on with the same message or the same answers. The reason: ${describeThrown(cause, 'no message')}`,
    source: 'platform',
    retryable: true,
    cause,
  });
}
