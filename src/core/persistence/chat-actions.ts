import type { TriggerCommand } from '../protocol/commands.ts';
import type { UIMessage } from '../state/message.ts';
import type { CallActions } from '../tools/create-interactive-tool.ts';

/** How a message is sent while a call waits for a person; see `SendOptions` of the chat. */
export type WhilePending = 'reject' | 'cancel' | 'queue' | 'reply';

/** What can be done to a conversation: by the tab that owns it, or by another tab that asks the owner. */
export interface ChatActions extends CallActions {
  /** Sends a message whose files have been uploaded; `tabId` names the tab it comes from, if that is another one. */
  post(
    command: TriggerCommand,
    userMessage: UIMessage | undefined,
    whilePending: WhilePending | undefined,
    tabId?: string,
  ): Promise<void>;
  /** Takes back the answer of a call, if it was not sent. */
  takeBack(key: string): void;
  stop(): void;
  retry(): Promise<void>;
  clearError(): void;
  resume(): Promise<void>;
  open(): Promise<void>;
}

/** The actions of the page that owns the conversation, and its queue of messages. */
export interface LocalActions extends ChatActions {
  /** Sends the next queued message if no turn is going on. */
  sendNext(): void;
  /** Empties the queue: the messages of this tab are sent by `send`, or rejected without it. */
  releaseQueue(send?: (command: TriggerCommand, userMessage: UIMessage | undefined) => Promise<void>): void;
}
