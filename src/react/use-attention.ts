'use client';
import { useCallback, useEffect, useInsertionEffect, useRef, useSyncExternalStore } from 'react';
import { type AttentionPermission, readPermission } from '../core/policies/attention/notify-once.ts';
import {
  type AttentionLabels,
  englishAttentionLabels,
  watchAttention,
} from '../core/policies/attention/watch-attention.ts';
import { useProvidedChat } from './agent-chat-provider.tsx';

/** Options of {@link useAttention}. */
export interface AttentionOptions {
  /** Strings to replace. The label sets of `handrail/locales/*` have them. Default: English. */
  readonly labels?: Partial<AttentionLabels> | undefined;
}

/** Result of {@link useAttention}. */
export interface Attention {
  /** `unsupported`: this browser, or a page without https, has no notifications. */
  readonly permission: AttentionPermission;
  /** Asks the person to allow notifications. Call it in the handler of a press: browsers refuse to ask otherwise. */
  requestPermission(): Promise<AttentionPermission>;
}

/**
 * Says that the agent waits for the person in front of this page, under an `AgentChatProvider`: the title becomes "(1) Shop assistant
 * asks – shop.example", the icon gets a dot, and one notification over all tabs is shown for a question that comes while the page is
 * hidden. A press on the notification leads to the question. Neither says what is asked, and nothing can be answered there.
 *
 * Notifications need the permission of the person, which the hook never asks for by itself. When nobody is waited for, the title is
 * restored, unless the app has changed it meanwhile.
 *
 * @throws Error when there is no provider.
 */
export function useAttention({ labels }: AttentionOptions = {}): Attention {
  const chat = useProvidedChat();
  const latest = useRef<AttentionLabels>(englishAttentionLabels);
  useInsertionEffect(() => {
    latest.current = { ...englishAttentionLabels, ...labels };
  });
  useEffect(() => watchAttention(chat, () => ({ labels: latest.current, agentName: undefined })), [chat]);
  const permission = useSyncExternalStore<AttentionPermission>(
    watchPermission,
    readPermission,
    () => 'unsupported',
  );
  const requestPermission = useCallback(async () => {
    if (readPermission() !== 'unsupported') await Notification.requestPermission();
    for (const listener of listeners) listener();
    return readPermission();
  }, []);
  return { permission, requestPermission };
}

const listeners = /* @__PURE__ */ new Set<() => void>();

/** Calls back when the permission changes, here or in the settings of the browser. */
function watchPermission(onChange: () => void): () => void {
  const ended = new AbortController();
  listeners.add(onChange);
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', onChange, { signal: ended.signal }))
    // A browser that does not know the name has no changes to tell of.
    .catch(() => {});
  return () => {
    listeners.delete(onChange);
    ended.abort();
  };
}
