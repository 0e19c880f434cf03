/** The `persistence` option. The work is in `kept-chat.ts`, loaded on demand: who does not persist does not pay for it. */
import { AgentChatError, invalidOptions } from '../shared/errors.ts';
import type { ChatActions } from './chat-actions.ts';
import type { KeptChat, KeptChatContext } from './kept-chat.ts';

export interface Persistence {
  /** Restores, once; resolves when the conversation is the one that was kept. */
  start(): Promise<void>;
  /** Whether there is nothing to wait for any more. */
  readonly isReady: boolean;
  /** How to act when another tab runs the conversation. */
  readonly remote: ChatActions | undefined;
  clear(): Promise<void>;
  close(): void;
}

type PersistenceContext = Omit<KeptChatContext, 'key'> & { readonly id: string | undefined };

/** @throws AgentChatError `invalid_options` when nothing names the conversation. */
export function createPersistence(context: PersistenceContext): Persistence {
  const { options, id, onError } = context;
  const key = options.key ?? (id && `handrail:${id}`);
  if (key === undefined) {
    throw invalidOptions('persistence needs a name for the conversation: pass id, or persistence: { key }.');
  }
  let started: Promise<void> | undefined;
  let kept: KeptChat | undefined;
  let isReady = false;
  let isClosed = false;

  const load = () => import('./kept-chat.ts');

  const open = async () => {
    try {
      const loaded = await load();
      if (isClosed) return;
      kept = loaded.openKeptChat({ ...context, key });
      await kept.ready;
    } catch (thrown) {
      onError(
        new AgentChatError({
          code: 'persistence_failed',
          errorType: 'internal_error',
          message: 'Persistence failed to load. The chat goes on without.',
          cause: thrown,
        }),
      );
    }
    isReady = true;
  };

  return {
    start() {
      started ??= open();
      return started;
    },
    get isReady() {
      return isReady;
    },
    get remote() {
      return kept?.remote();
    },
    async clear() {
      await started;
      await (await load()).forgetChat(options, key, kept);
    },
    close() {
      kept?.close();
      isClosed = true;
    },
  };
}
