/** A chat for a test, with a record of its callbacks and a way to wait for a state. */
import { onTestFinished } from 'vitest';
import {
  type AgentChat,
  type AgentChatOptions,
  type AgentChatState,
  createAgentChat,
} from '../../src/core.ts';
import { createDeferred } from '../support/deferred.ts';
import type { Backend } from './backend.ts';

/** The part of a backend that a chat needs. */
type Reachable = Pick<Backend, 'transport' | 'close'>;

export interface OpenedChat<B extends Reachable = Backend> {
  readonly chat: AgentChat;
  readonly backend: B;
  /** The callbacks so far, as texts. */
  readonly callbacks: readonly string[];
  /** Resolves with the first published state that matches, which may be the current one. */
  until(fits: (state: AgentChatState) => boolean): Promise<AgentChatState>;
  /** Closes the chat before the end of the test. */
  close(): Promise<void>;
}

/** A chat on a backend, both closed after the test. */
export function openChat<B extends Reachable>(
  backend: B,
  clientTools: NonNullable<AgentChatOptions['clientTools']> = {},
): OpenedChat<B> {
  const callbacks: string[] = [];
  const chat = createAgentChat({
    transport: backend.transport,
    clientTools,
    onError: ({ code }) => callbacks.push(`error ${code}`),
    onFinish: ({ finishReason }) => callbacks.push(`finish ${finishReason}`),
    onStop: () => callbacks.push('stop'),
    onUnknownEvent: (event) => callbacks.push(`unknown ${JSON.stringify(event)}`),
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
    callbacks,
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

/** The text of the last message, with its text parts joined. */
export function readText(state: AgentChatState): string {
  return readTexts(state).at(-1) ?? '';
}

/** The text of each message. */
export function readTexts({ messages }: AgentChatState): string[] {
  return messages.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join(''));
}

/** The status of each call of the last message. */
export function readStatuses({ messages }: AgentChatState): string[] {
  const parts = messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) => (part.type === 'tool-call' ? [part.status] : []));
}

/** The waiting call of that tool. */
export function findPending({ pendingClientTools }: AgentChatState, name: string) {
  const tool = pendingClientTools[name]?.[0];
  if (tool === undefined) throw new Error(`No call of ${name} waits`);
  return tool;
}

/** A place in a script where the agent waits until the test continues it, or its signal aborts. */
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
