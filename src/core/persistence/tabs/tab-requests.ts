import { AgentChatError } from '../../../shared/errors.ts';
import type { TabReply, TabRequest } from './tab-messages.ts';

/** The requests of this tab to the owner tab that have no reply yet. */
export interface TabRequests {
  /** @param send sends the request under its id; the promise settles as the reply says */
  ask(request: TabRequest, send: SendRequest): Promise<unknown>;
  /** As `ask`, but the request concerns what the page shows now: it is not sent again after `leave`. */
  askOnce(request: TabRequest, send: SendRequest): Promise<unknown>;
  /** Sends all requests without a reply again: a new owner may never have received them. */
  sendAgain(send: SendRequest): void;
  settle(reply: TabReply): void;
  /**
   * The page stands still from now on. The owner has the requests, and the conversation goes on without this page: an approval
   * or a stop that the page repeats later could run a handler again, or end another turn.
   */
  leave(): void;
  /** Rejects all requests without a reply. */
  close(): void;
}

type SendRequest = (id: string, request: TabRequest) => void;

interface WaitingRequest {
  readonly request: TabRequest;
  readonly isOnce: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createTabRequests(tabId: string): TabRequests {
  const waiting = new Map<string, WaitingRequest>();
  let lastNumber = 0;
  const ask = (request: TabRequest, send: SendRequest, isOnce: boolean) =>
    new Promise<unknown>((resolve, reject) => {
      lastNumber += 1;
      const id = `${tabId}:${lastNumber}`;
      waiting.set(id, { request, isOnce, resolve, reject });
      send(id, request);
    });
  return {
    ask: (request, send) => ask(request, send, false),
    askOnce: (request, send) => ask(request, send, true),
    sendAgain(send) {
      for (const [id, { request }] of waiting) send(id, request);
    },
    settle({ id, error, value }) {
      const request = waiting.get(id);
      if (request === undefined) return;
      waiting.delete(id);
      if (error) request.reject(new AgentChatError(error));
      else request.resolve(value);
    },
    leave() {
      for (const [id, { isOnce, resolve }] of waiting) {
        if (!isOnce) continue;
        waiting.delete(id);
        resolve(undefined);
      }
    },
    close() {
      for (const { reject } of waiting.values()) reject(toClosedError());
      waiting.clear();
    },
  };
}

function toClosedError(): AgentChatError {
  return new AgentChatError({
    code: 'destroyed',
    message: 'The chat was destroyed before the other tab replied.',
  });
}
