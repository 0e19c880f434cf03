'use client';
import { useInsertionEffect, useState, useSyncExternalStore } from 'react';
import type { AgentChat, AgentChatOptions } from '../session/agent-chat.ts';
import { createAgentChatFrom } from '../session/create-agent-chat.ts';
import type { ClientTools } from '../store/client-tools.ts';
import { createTrackedState, type UseAgentChatResult } from './tracked-state.ts';

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
  const given = (options ?? {}) as { readonly chat?: AgentChat<Tools> } & AgentChatOptions<Tools>;
  const shared = given.chat;
  const owned = useOwnedChat(shared ? undefined : given);
  return useTrackedChat((shared ?? owned) as AgentChat<Tools>);
}

interface OwnedChat<Tools extends ClientTools> {
  readonly id: string | undefined;
  readonly chat: AgentChat<Tools>;
  /** The options as of the latest commit. */
  options: AgentChatOptions<Tools>;
  /** It was said that another transport is not taken. */
  warned?: true;
}

function createOwnedChat<Tools extends ClientTools>(options: AgentChatOptions<Tools>): OwnedChat<Tools> {
  // The chat asks for its options while it is made.
  const latest = { id: options.id, options };
  // It is destroyed by an insertion effect, and React forbids updates in there.
  const chat = createAgentChatFrom(() => latest.options, queueMicrotask);
  return Object.assign(latest, { chat });
}

function useOwnedChat<Tools extends ClientTools>(
  options: AgentChatOptions<Tools> | undefined,
): AgentChat<Tools> | undefined {
  const [kept, keep] = useState(() => options && createOwnedChat(options));
  let owned = kept;
  if (options?.id !== kept?.id || (options === undefined) !== (kept === undefined)) {
    owned = options && createOwnedChat(options);
    keep(owned);
  }
  useInsertionEffect(() => {
    if (owned === undefined || options === undefined) return;
    warnOfNewTransport(owned as OwnedChat<ClientTools>, options as AgentChatOptions);
    owned.options = options;
  });
  // An insertion effect is cleaned up when the component goes, and only then: StrictMode and hidden trees run the
  // other effects again, and ending the conversation is not something that could be undone.
  useInsertionEffect(() => () => owned?.chat.destroy(), [owned]);
  return owned?.chat;
}

/** A transport written inline is a new object in each render, and taking it over would drop the conversation. */
function warnOfNewTransport(owned: OwnedChat<ClientTools>, now: AgentChatOptions): void {
  if (process.env.NODE_ENV === 'production' || owned.options.transport === now.transport) return;
  if (now.id !== undefined || owned.warned) return;
  owned.warned = true;
  console.warn(
    'useAgentChat got another transport in a later render and keeps the first one. Create the transport outside ' +
      'of the component or with useMemo; to change it, change options.id with it. If it was a hot update that made ' +
      'it anew, reload the page.',
  );
}

function useTrackedChat<Tools extends ClientTools>(chat: AgentChat<Tools>): UseAgentChatResult<Tools> {
  const [tracked, setTracked] = useState(() => createTrackedState(chat));
  let current = tracked;
  if (tracked.chat !== chat) {
    current = createTrackedState(chat);
    setTracked(current);
  }
  const snapshot = useSyncExternalStore(chat.subscribe, current.getSnapshot, current.getServerSnapshot);
  return current.toResult(snapshot);
}
