'use client';
import { useEffect, useInsertionEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { createInbox, EMPTY_INBOX, type Inbox, type InboxState } from '../core/inbox/create-inbox.ts';
import type { InboxOptions } from '../core/inbox/inbox-options.ts';

/** Options of {@link usePendingInbox}. */
export type PendingInboxOptions = Omit<InboxOptions, 'random'>;

/** The inbox of a person, as `PendingInbox` shows it. */
export interface UsePendingInboxResult extends InboxState {
  /** Reads the list again, at once. */
  refresh(): void;
  /** Removes a call whose `status` is `ended`. */
  dismiss(key: string): void;
}

/**
 * All open questions of a person, over conversations, read from a route of `handleInboxRequest`. Each call has the `tool` by which a
 * dialog or card answers it; the server takes the answer without the page of the conversation.
 *
 * The options may be written inline, the latest ones are used for the next request. Another `url`, or another `live`, begins a new inbox.
 * To show the inbox of another person at the same address, give the component another `key`.
 */
export function usePendingInbox(options: PendingInboxOptions): UsePendingInboxResult {
  const key = `${options.live !== false} ${options.url}`;
  const [kept, keep] = useState(() => createSubject(key, options));
  let subject = kept;
  if (kept.key !== key) {
    subject = createSubject(key, options);
    keep(subject);
  }
  const { inbox, latest } = subject;
  useInsertionEffect(() => {
    latest.options = options;
  });
  useEffect(() => inbox.start(), [inbox]);
  const state = useSyncExternalStore(inbox.subscribe, inbox.getState, () => EMPTY_INBOX);
  return useMemo(() => ({ ...state, refresh: inbox.refresh, dismiss: inbox.dismiss }), [state, inbox]);
}

/** The inbox of one address. */
interface Subject {
  readonly key: string;
  readonly inbox: Inbox;
  /** The options as of the latest commit. */
  readonly latest: { options: PendingInboxOptions };
}

function createSubject(key: string, options: PendingInboxOptions): Subject {
  const latest = { options };
  return { key, latest, inbox: createInbox(() => latest.options) };
}
