export type { InboxCall } from './core/inbox/inbox-call.ts';
export type { AttentionPermission } from './core/policies/attention/notify-once.ts';
export type { AttentionLabels } from './core/policies/attention/watch-attention.ts';
export * from './core.ts';
export { AgentChatProvider } from './react/agent-chat-provider.tsx';
export type { UseAgentChatResult } from './react/create-tracked-state.ts';
export { useAgentChat } from './react/use-agent-chat.ts';
export { useAgentChatState } from './react/use-agent-chat-state.ts';
export { type Attention, type AttentionOptions, useAttention } from './react/use-attention.ts';
export { type UseClientToolOptions, useClientTool } from './react/use-client-tool.ts';
export { usePendingClientTools } from './react/use-pending-client-tools.ts';
export {
  type PendingInboxOptions,
  type UsePendingInboxResult,
  usePendingInbox,
} from './react/use-pending-inbox.ts';
