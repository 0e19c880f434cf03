import { AgentChatError, describeThrown, invalidOptions } from '../../shared/errors.ts';
import type { ChatActions } from './chat-actions.ts';
import { createWebStorage, toChatStorage } from './chat-storage.ts';
import { openPersistedChat, type PersistableChat, type PersistedChat } from './persisted-chat.ts';
import type { PersistenceOptions } from './persistence-options.ts';
import { forgetConversation } from './persister.ts';

/** Made by `createPersistence`. Pass it to a chat as `persistence`; one value can serve several chats. */
export interface Persistence {
  /** Returns whether there is a storage here. A browser's storage does not exist while a server renders the page. */
  isAvailable(): boolean;
  /** For the engine: persists this chat from the first `start` on. */
  attach(chat: PersistableChat & { readonly id: string | undefined }): ChatPersistence;
}

/** The persistence of one chat, as the engine sees it. */
export interface ChatPersistence {
  /** Restores the conversation, once. Resolves when it is restored; null from then on. */
  start(): Promise<void> | null;
  /** The actions of the tab that owns the conversation; undefined if this tab owns it. */
  remote(): ChatActions | undefined;
  /**
   * Removes the stored conversation, also of a chat that has not been used yet or was destroyed.
   *
   * @throws AgentChatError `persistence_failed` if the storage refuses
   */
  clear(): Promise<void>;
  close(): void;
}

/**
 * Lets a conversation survive reloads and be shown in several tabs: messages, the run and its position, waiting calls with what was
 * typed into them, and answers that the backend has not taken yet. Secrets are not stored.
 *
 * @example
 * ```ts
 * const persistence = createPersistence();
 * const chat = createAgentChat({ id: 'support', transport, persistence });
 * ```
 *
 * The chat throws `invalid_options` if neither its `id` nor `key` names the conversation.
 */
export function createPersistence(options: PersistenceOptions = {}): Persistence {
  return {
    isAvailable: () => options.storage !== undefined || globalThis.document !== undefined,
    attach({ id, ...chat }) {
      const key = options.key ?? (id && `handrail:${id}`);
      if (key === undefined) {
        throw invalidOptions(
          'persistence needs a name for the conversation: pass id to the chat, or createPersistence({ key }).',
        );
      }
      return attach(chat, options, key);
    },
  };
}

function attach(chat: PersistableChat, options: PersistenceOptions, key: string): ChatPersistence {
  let restoring: Promise<void> | null | undefined;
  let persisted: PersistedChat | undefined;
  let isClosed = false;
  return {
    start() {
      if (restoring !== undefined || isClosed) return restoring ?? null;
      persisted = openPersistedChat(chat, options, key);
      restoring = persisted.ready
        .catch((thrown: unknown) => chat.onError(toOpenError(thrown)))
        .finally(() => {
          restoring = null;
        });
      return restoring;
    },
    remote: () => persisted?.remote(),
    async clear() {
      await restoring;
      const { storage = createWebStorage() } = options;
      try {
        await (persisted?.clear() ?? forgetConversation(toChatStorage(storage), key));
      } catch (thrown) {
        throw toClearError(key, thrown);
      }
    },
    close() {
      persisted?.close();
      isClosed = true;
    },
  };
}

/** For instance, a browser may refuse the channel between tabs. */
function toOpenError(thrown: unknown): AgentChatError {
  return new AgentChatError({
    code: 'persistence_failed',
    errorType: 'internal_error',
    message: `Persistence could not start (${describeThrown(thrown, 'no reason given')}). The chat goes on without it.`,
    cause: thrown,
  });
}

function toClearError(key: string, thrown: unknown): AgentChatError {
  return new AgentChatError({
    code: 'persistence_failed',
    errorType: 'internal_error',
    message: `The conversation stored under "${key}" could not be removed (${describeThrown(thrown, 'no reason given')}). It is still there.`,
    cause: thrown,
  });
}
