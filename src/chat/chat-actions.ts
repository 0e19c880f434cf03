/** What can be done to a conversation, by the page that runs it or on behalf of another tab. */
import type { TriggerCommand } from '../protocol/commands.ts';
import type { UIMessage } from '../state/message.ts';
import type { ToolCallAnswer } from '../state/tool-call.ts';
import type { Settlement } from '../tools/client-tool.ts';
import type { SendOptions } from './agent-chat.ts';

export interface ChatActions {
  /** Sends a message whose files are already where they belong; `tabId` names the tab it comes from, when it is another. */
  post(
    command: TriggerCommand,
    userMessage: UIMessage | undefined,
    whilePending: SendOptions['whilePending'],
    tabId?: string,
  ): Promise<void>;
  stop(): void;
  retry(): Promise<void>;
  clearError(): void;
  resume(): Promise<void>;
  /** Answers a call; `tabId` names the tab it was answered in, when it was another one. */
  settle(key: string, answer: ToolCallAnswer, tabId?: string): Settlement;
  /** Runs a call that asks whether to; `tabId` as for `settle`. */
  approve(key: string, tabId?: string): void;
  saveInput(key: string, draft: unknown): void;
}
