/** Stops that the platform could not be told of are told again when it may be reached. */
import { AgentChatError } from '../shared/errors.ts';
import { onNetworkHint } from '../transport/network-hints.ts';
import { mayPass } from '../transport/recovery.ts';

export interface Stops {
  /** Tells of a stop. Rejects where that failed; then it is told again, unless it was refused for good. */
  tell(runId: string): Promise<void>;
  /** Before the next run: tells what could not be told. Never rejects. */
  tellAgain(): Promise<unknown>;
}

/** @param repeats how often each is told again at most */
export function createStops(cancel: (runId: string) => Promise<void>, repeats: number): Stops {
  /** How often they are still told, by their run. */
  const untold = new Map<string, number>();
  let ignoreHints: (() => void) | undefined;

  const tell = async (runId: string, left = repeats) => {
    untold.delete(runId);
    try {
      await cancel(runId);
    } catch (thrown) {
      if (left > 0 && AgentChatError.isInstance(thrown) && mayPass(thrown)) untold.set(runId, left - 1);
      throw thrown;
    } finally {
      listen();
    }
  };
  const tellAgain = () => Promise.allSettled([...untold].map(([runId, left]) => tell(runId, left)));
  const listen = () => {
    if (untold.size > 0) {
      ignoreHints ??= onNetworkHint(tellAgain);
      return;
    }
    ignoreHints?.();
    ignoreHints = undefined;
  };

  return { tell: (runId) => tell(runId), tellAgain };
}
