/** The `persistence` option. The work is in `kept-chat.ts`, loaded on demand: who does not persist does not pay for it. */

import type { AgentChatOptions } from '../chat/agent-chat.ts';
import type { ChatActions } from '../chat/chat-actions.ts';
import { AgentChatError, invalidOptions } from '../shared/errors.ts';
import type { KeptChat, KeptChatContext } from './persisted-chat.ts';

export interface Persistence {
  /** Restores, once; resolves when the conversation is the one that was kept, null from then on. */
  start(): Promise<void> | null;
  /** How to act when another tab runs the conversation. */
  remote(): ChatActions | undefined;
  clear(): Promise<void>;
  close(): void;
}

/**
 * Leaving a page ends what it loads, as if the server had failed (Firefox): a page that went on at once would send what
 * waits for its conversation, and be gone before the answer. After this long it is gone; one that is not tries again.
 */
const SECOND_TRY_MS = 1000;

type KeptChatModule = typeof import('./persisted-chat.ts');

interface PersistenceContext extends Omit<KeptChatContext, 'options' | 'key'> {
  readonly options: () => Pick<AgentChatOptions, 'persistence' | 'id'>;
}

const load = () => import('./persisted-chat.ts');

/**
 * Nothing for a chat that is not to be kept.
 *
 * @throws AgentChatError `invalid_options` when nothing names the conversation.
 */
export function createPersistence(context: PersistenceContext): Persistence | undefined {
  const { clock, tell } = context;
  const { persistence: options, id } = context.options();
  if (!options) return undefined;
  const key = options.key ?? (id && `handrail:${id}`);
  if (key === undefined) {
    throw invalidOptions('persistence needs a name for the conversation: pass id, or persistence: { key }.');
  }
  let restoring: Promise<void> | null | undefined;
  let kept: KeptChat | undefined;
  let isClosed = false;

  const open = async () => {
    try {
      const { openKeptChat } = await load().catch(
        () => new Promise<KeptChatModule>((resolve) => clock.after(SECOND_TRY_MS, () => resolve(load()))),
      );
      if (isClosed) return;
      kept = openKeptChat({ ...context, options, key });
      await kept.ready;
    } catch (thrown) {
      tell(
        'onError',
        new AgentChatError({
          code: 'persistence_failed',
          errorType: 'internal_error',
          message: 'Persistence failed to load. The chat goes on without.',
          cause: thrown,
        }),
      );
    }
    restoring = null;
  };

  return {
    start() {
      if (restoring === undefined) restoring = open();
      return restoring;
    },
    remote: () => kept?.remote(),
    async clear() {
      await restoring;
      await (await load()).forgetChat(options, key, kept);
    },
    close() {
      kept?.close();
      isClosed = true;
    },
  };
}
