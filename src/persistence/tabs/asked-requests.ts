import { AgentChatError } from '../../shared/errors.ts';
import type { TabMessage, TabRequest } from './tab-messages.ts';

/** What this tab has asked the owner for and waits to hear of. */
export interface AskedRequests {
  /** @param send passes it on, under its id; resolves or rejects as the answer does */
  ask(request: TabRequest, send: SendRequest): Promise<unknown>;
  /** Passes on what has no answer yet: another owner may never have heard of it. */
  sendAgain(send: SendRequest): void;
  settle(answer: Extract<TabMessage, { type: 'answer' }>): void;
  /** Rejects what has no answer. */
  close(): void;
}

type SendRequest = (id: string, request: TabRequest) => void;

interface Waiting {
  readonly request: TabRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createAskedRequests(tabId: string): AskedRequests {
  const waiting = new Map<string, Waiting>();
  let asked = 0;
  return {
    ask(request, send) {
      return new Promise((resolve, reject) => {
        asked += 1;
        const id = `${tabId}:${asked}`;
        waiting.set(id, { request, resolve, reject });
        send(id, request);
      });
    },
    sendAgain(send) {
      for (const [id, { request }] of waiting) send(id, request);
    },
    settle({ id, error, value }) {
      const asker = waiting.get(id);
      if (asker === undefined) return;
      waiting.delete(id);
      if (error) asker.reject(new AgentChatError(error));
      else asker.resolve(value);
    },
    close() {
      for (const { reject } of waiting.values()) reject(closed());
      waiting.clear();
    },
  };
}

function closed(): AgentChatError {
  return new AgentChatError({
    code: 'destroyed',
    message: 'The chat was destroyed before the other tab answered.',
  });
}
