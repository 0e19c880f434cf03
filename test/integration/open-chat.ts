/** A chat for a test: what its callbacks heard, and waiting for what its state becomes. */
import { onTestFinished } from 'vitest';
import {
  type AgentChat,
  type AgentChatOptions,
  type AgentChatState,
  createAgentChat,
} from '../../src/core.ts';
import { createDeferred } from '../support/deferred.ts';
import type { Backend } from './backend.ts';

/** What of a backend a chat needs. */
type Reachable = Pick<Backend, 'transport' | 'close'>;

export interface OpenedChat<B extends Reachable = Backend> {
  readonly chat: AgentChat;
  readonly backend: B;
  /** Callbacks, in words. */
  readonly heard: readonly string[];
  /** Resolves with the first published state that fits; the current one may. */
  until(fits: (state: AgentChatState) => boolean): Promise<AgentChatState>;
  /** Ahead of the end of the test. */
  close(): Promise<void>;
}

/** A chat on a backend, both closed after the test. */
export function openChat<B extends Reachable>(
  backend: B,
  clientTools: NonNullable<AgentChatOptions['clientTools']> = {},
): OpenedChat<B> {
  const heard: string[] = [];
  const chat = createAgentChat({
    transport: backend.transport,
    clientTools,
    onError: ({ code }) => heard.push(`error ${code}`),
    onFinish: ({ finishReason }) => heard.push(`finish ${finishReason}`),
    onStop: () => heard.push('stop'),
    onUnknownEvent: (event) => heard.push(`unknown ${JSON.stringify(event)}`),
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    chat.destroy();
    closed ??= backend.close();
    return closed;
  };
  onTestFinished(close);
  return {
    chat,
    backend,
    heard,
    close,
    until(fits) {
      const { promise, resolve } = createDeferred<AgentChatState>();
      const look = () => {
        const state = chat.getState();
        if (fits(state)) resolve(state);
      };
      const unsubscribe = chat.subscribe(look);
      look();
      return promise.finally(unsubscribe);
    },
  };
}

export const isAwaiting = ({ status }: AgentChatState) => status === 'awaiting-input';

/** What the last message says, its texts put together. */
export function readText(state: AgentChatState): string {
  return readTexts(state).at(-1) ?? '';
}

/** What each message says. */
export function readTexts({ messages }: AgentChatState): string[] {
  return messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
}

/** How the calls of the last message stand. */
export function readStatuses({ messages }: AgentChatState): string[] {
  const parts = messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) => (part.type === 'tool-call' ? [part.status] : []));
}

/** The call of that name that waits. */
export function findPending({ pendingClientTools }: AgentChatState, name: string) {
  const tool = pendingClientTools[name]?.[0];
  if (tool === undefined) throw new Error(`No call of ${name} waits`);
  return tool;
}

/** A place in a script where the agent waits until the test lets it go on, or nobody reads any more. */
export function createGate() {
  const reached = createDeferred();
  const released = createDeferred();
  const abandoned = createDeferred();
  return {
    reached: reached.promise,
    abandoned: abandoned.promise,
    release: () => released.resolve(),
    async hold(signal: AbortSignal): Promise<void> {
      reached.resolve();
      signal.addEventListener('abort', () => abandoned.resolve(), { once: true });
      if (signal.aborted) abandoned.resolve();
      await Promise.race([released.promise, abandoned.promise]);
    },
  };
}
