'use client';
import { useEffect, useInsertionEffect, useState, useSyncExternalStore } from 'react';
import type { AgentChat, AgentChatOptions } from '../core/chat/agent-chat.ts';
import { createAgentChatFrom } from '../core/chat/create-agent-chat.ts';
import type { ClientTools } from '../core/tools/client-tool.ts';
import { createTrackedState, type TrackedState, type UseAgentChatResult } from './create-tracked-state.ts';
import { useMistakeWatch, warnOfNewTransport, withDeveloperWarnings } from './developer-warnings.ts';

/**
 * The conversation of a component.
 *
 * With options it creates a chat that lives as long as the component: unmounting ends its stream and handlers.
 * Callbacks and `clientTools` may be written inline, the latest ones are always used. `transport` and
 * `initialMessages` are read once per chat; a new `id` means a new chat. With `{ chat }` it shows a chat made
 * elsewhere, whose life is not its business.
 *
 * The component re-renders only for the fields it reads: `const { status } = useAgentChat(...)` does not render
 * while text streams.
 *
 * @throws AgentChatError `invalid_options`, as `createAgentChat` does.
 */
export function useAgentChat<const Tools extends ClientTools = ClientTools>(
  options: AgentChatOptions<Tools> | { readonly chat: AgentChat<Tools> },
): UseAgentChatResult<Tools> {
  // Nothing at all, and `{ chat }` without a chat in it, are refused as options without a transport are.
  const given = (options ?? {}) as Given<Tools>;
  const key = given.chat ?? given.id;
  const [kept, keep] = useState(() => createSubject(given));
  let subject = kept;
  if (kept.key !== key) {
    subject = createSubject(given);
    keep(subject);
  }
  const { chat, tracked } = subject;
  useInsertionEffect(() => {
    if (given.chat) return;
    if (process.env.NODE_ENV !== 'production') warnOfNewTransport(chat, subject.options, given);
    subject.options = given;
  });
  useDestroyOnUnmount(subject);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chat reads the tools itself
  useEffect(() => subject.refreshTools?.(), [subject, given.clientTools]);
  // biome-ignore lint/correctness/useHookAtTopLevel: a build has one value of it
  if (process.env.NODE_ENV === 'development') useMistakeWatch(subject.chat, given);
  const snapshot = useSyncExternalStore(chat.subscribe, tracked.getSnapshot, tracked.getServerSnapshot);
  return tracked.toResult(snapshot);
}

type Given<Tools extends ClientTools> = { readonly chat?: AgentChat<Tools> } & AgentChatOptions<Tools>;

/** The chat a component shows, until another chat or another id is given. */
interface Subject<Tools extends ClientTools> {
  readonly key: AgentChat<Tools> | string | undefined;
  readonly chat: AgentChat<Tools>;
  readonly tracked: TrackedState<Tools>;
  /** The options of the hook as of the latest commit. */
  options: Given<Tools>;
  /** Absent for a chat that was made elsewhere. */
  readonly refreshTools?: () => void;
  /** False between the clean-up of the hook's insertion effect and its next run. */
  isMounted?: boolean;
}

function createSubject<Tools extends ClientTools>(given: Given<Tools>): Subject<Tools> {
  // The chat asks for its options while it is made.
  const latest = { key: given.chat ?? given.id, options: given };
  const made = given.chat
    ? undefined
    : createAgentChatFrom(() =>
        process.env.NODE_ENV === 'production' ? latest.options : withDeveloperWarnings(latest.options),
      );
  const chat = (given.chat ?? made) as AgentChat<Tools>;
  return Object.assign(latest, {
    chat,
    tracked: createTrackedState(chat),
    ...(made && { refreshTools: made.refreshTools }),
  });
}

/**
 * Destroys the chat when its component goes. Destroying cannot be undone, and effects are run again for other reasons: plain
 * effects by StrictMode and in hidden trees, all effects by a hot update (Fast Refresh). Of these, only the end of a component
 * cleans up its plain effects while its insertion effect is gone.
 */
function useDestroyOnUnmount<Tools extends ClientTools>(subject: Subject<Tools>): void {
  const destroyUnmounted = () => {
    if (!subject.isMounted && !subject.options.chat) subject.chat.destroy();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it depends on the subject alone
  useInsertionEffect(() => {
    subject.isMounted = true;
    return () => {
      subject.isMounted = false;
      // A hidden component has no plain effect to clean up.
      queueMicrotask(destroyUnmounted);
    };
  }, [subject]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it depends on the subject alone
  useEffect(() => destroyUnmounted, [subject]);
}
