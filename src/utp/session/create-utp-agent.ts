/** An agent of CommonGround as the agent of a session: one invocation per message, and one per batch of answers (UTP v1r4, section 8). */
import type { Agent } from '../../server/agent.ts';
import { deliverAnswers, readAnswers, settleCallsOf } from './answers.ts';
import { Turn, type TurnSettings } from './turn.ts';
import { openTurnFeed } from './turn-feed.ts';

export function createUtpAgent(settings: TurnSettings): Agent {
  return async function* talk(context) {
    const { service, project } = settings;
    const { messages, signal } = context;
    const feed = openTurnFeed({ ...settings, signal });
    const turn = new Turn(settings, feed);
    try {
      await service.start();
      const answers = readAnswers(messages);
      if (answers.length > 0) {
        yield* deliverAnswers(service, project, answers);
        await turn.goOn(messages);
      } else {
        await settleCallsOf(service, messages, 'superseded');
        await turn.begin(context);
      }
      for await (const item of feed) {
        if (yield* turn.take(item)) return;
      }
    } finally {
      turn.end();
      feed.close();
    }
  };
}
