export type {
  AgentChat,
  AgentChatOptions,
  FilesInput,
  FinishInfo,
  RequestUploadUrls,
  SendOptions,
  StartInfo,
  UploadProgress,
  UploadTarget,
  UserMessageInput,
} from './chat/agent-chat.ts';
export { createAgentChat } from './chat/create-agent-chat.ts';
export {
  type ChatStorage,
  createWebStorage,
  type KeyValueStorage,
  type StorageOption,
} from './persistence/chat-storage.ts';
export { createIndexedDbStorage } from './persistence/create-indexed-db-storage.ts';
export { createPersistence, type Persistence } from './persistence/create-persistence.ts';
export type { PersistenceOptions } from './persistence/persistence-options.ts';
export {
  type AuditEntry,
  type AuditTrailOptions,
  type AuditTrailStore,
  createAuditTrail,
} from './policies/create-audit-trail.ts';
export {
  createRememberedChoices,
  type RememberedChoice,
  type RememberedChoiceStore,
  type RememberedChoicesOptions,
} from './policies/create-remembered-choices.ts';
export type {
  AgentCommand,
  RespondCommand,
  ResumeCommand,
  RunCommand,
  StopCommand,
  ToolAnswer,
  TriggerCommand,
} from './protocol/commands.ts';
export type {
  AgentEvent,
  FinishReason,
  PendingToolCall,
  ResultFile,
  TokenUsage,
  ToolResult,
} from './protocol/events.ts';
export type { Clock } from './shared/clock.ts';
export { digestArguments } from './shared/digest-json.ts';
export {
  AgentChatError,
  type AgentChatErrorCode,
  type AgentChatErrorInit,
  type ErrorSource,
  type ErrorType,
  isAuthenticationError,
  isProviderError,
  isQuotaExceededError,
  isRateLimitError,
  isRetryableError,
  isToolError,
  isValidationError,
  type ProviderErrorInfo,
  type ToolErrorInfo,
} from './shared/errors.ts';
export type { Notice } from './state/conversation.ts';
export type {
  FilePart,
  FileReference,
  MessageSender,
  ObjectPart,
  OperationPart,
  ReasoningPart,
  SourcePart,
  TextPart,
  TodoPart,
  ToolCallPart,
  ToolCallStatus,
  UIMessage,
  UIMessagePart,
} from './state/message.ts';
export { uiMessageSchema } from './state/message.ts';
export type { AgentChatState, ChatStatus } from './store/chat-state.ts';
export type { ChoiceMemory, ChoiceToRemember, RememberableCall } from './tools/choice-memory.ts';
export type {
  AutomaticToolDefinition,
  ClientTool,
  ClientToolComponent,
  ClientToolContext,
  ClientToolDefinition,
  ClientToolHandler,
  ClientTools,
  InteractiveTool,
  InteractiveToolDefinition,
  Issue,
  Settlement,
  Severity,
  SubmitOptions,
  ToolAnnotations,
  ToolApproval,
  ToolCallStage,
  ToolOutcome,
} from './tools/client-tool.ts';
export { defineClientTool } from './tools/define-client-tool.ts';
export type { AnsweredBy, SettledCall } from './tools/settled-call.ts';
export type { PendingClientTools } from './tools/typed-tools.ts';
export type {
  AgentEventStream,
  AgentTransport,
  Connection,
  ConnectionState,
  ConnectionStatus,
  TransportCapabilities,
  TransportIO,
  TransportMemory,
  TransportQuestion,
} from './transport/agent-transport.ts';
export { createFallbackTransport } from './transport/create-fallback-transport.ts';
export { createHttpTransport, type HttpTransportOptions } from './transport/create-http-transport.ts';
export {
  createSocketTransport,
  type HeartbeatOptions,
  type SocketTransportOptions,
} from './transport/create-socket-transport.ts';
export type { ReconnectOptions } from './transport/reconnect-policy.ts';
export type { SocketLike } from './transport/socket-like.ts';
