/** Notifications of the system about a question, one over all tabs. */

/** The text of a notification. It has no arguments of the call, because it is shown on locked screens and kept by the system. */
export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

/**
 * Tells other tabs that this one shows the conversation: they do not notify.
 *
 * @returns a function that ends it
 */
export function holdWhileSeen(conversation: string): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  navigator.locks?.request(lockName(conversation), { mode: 'shared' }, () => held).catch(() => {});
  return release;
}

/**
 * Shows a notification, unless the person has not allowed it or another tab shows the conversation. Tabs that notify about the same
 * question replace each other's notification without a sound, because they have the same tag.
 *
 * @param conversation the id of the chat
 * @returns a function that closes the notification
 */
export function notifyOnce(
  conversation: string,
  question: string,
  { title, body }: NotificationText,
  onClick: () => void,
): () => void {
  let isOver = false;
  let shown: Notification | undefined;
  if (readPermission() === 'granted') {
    const show = (lock: Lock | null) => {
      if (lock === null || isOver) return;
      // Chromium on Android has the constructor, and throws: it notifies from service workers only.
      shown = new Notification(title, { body, tag: `handrail ${conversation} ${question}` });
      shown.onclick = () => {
        window.focus();
        shown?.close();
        onClick();
      };
    };
    navigator.locks?.request(lockName(conversation), { ifAvailable: true }, show).catch(() => {});
  }
  return () => {
    isOver = true;
    shown?.close();
  };
}

/** `unsupported`: this browser, or a page without https, has no notifications. */
export type AttentionPermission = NotificationPermission | 'unsupported';

export function readPermission(): AttentionPermission {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}

function lockName(conversation: string): string {
  return `handrail seen ${conversation}`;
}
