import { AgentChatError } from '../../shared/errors.ts';
import { onNetworkHint } from '../../shared/network.ts';
import { mayPass } from '../../shared/wait-before-retry.ts';

/** Sends stops to the platform, and sends a failed stop again when the platform may be reachable. */
export interface StopSender {
  /** Sends a stop. Rejects if the request fails; the stop is sent again later unless the failure is permanent. */
  send(runId: string): Promise<void>;
  /** Sends failed stops again; called before the next run. Never rejects. */
  resend(): Promise<unknown>;
}

/** @param repeats how often a failed stop is sent again at most */
export function createStopSender(cancel: (runId: string) => Promise<void>, repeats: number): StopSender {
  /** Repeats left for each failed stop, by run id. */
  const failed = new Map<string, number>();
  let ignoreHints: (() => void) | undefined;

  const send = async (runId: string, left = repeats) => {
    failed.delete(runId);
    try {
      await cancel(runId);
    } catch (thrown) {
      if (left > 0 && AgentChatError.isInstance(thrown) && mayPass(thrown)) failed.set(runId, left - 1);
      throw thrown;
    } finally {
      listen();
    }
  };
  const resend = () => Promise.allSettled([...failed].map(([runId, left]) => send(runId, left)));
  const listen = () => {
    if (failed.size > 0) {
      ignoreHints ??= onNetworkHint(resend);
      return;
    }
    ignoreHints?.();
    ignoreHints = undefined;
  };

  return { send: (runId) => send(runId), resend };
}
