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
} from './core/chat/agent-chat.ts';
export { createAgentChat } from './core/chat/create-agent-chat.ts';
export type { ChatTraceStep } from './core/chat/trace.ts';
export {
  type ChatStorage,
  createWebStorage,
  type KeyValueStorage,
  type StorageOption,
} from './core/persistence/chat-storage.ts';
export { createIndexedDbStorage } from './core/persistence/create-indexed-db-storage.ts';
export { createPersistence, type Persistence } from './core/persistence/create-persistence.ts';
export type { PersistenceOptions } from './core/persistence/persistence-options.ts';
export {
  type AuditEntry,
  type AuditTrailOptions,
  type AuditTrailStore,
  createAuditTrail,
} from './core/policies/create-audit-trail.ts';
export {
  createRememberedChoices,
  type RememberedChoice,
  type RememberedChoiceStore,
  type RememberedChoicesOptions,
} from './core/policies/create-remembered-choices.ts';
export type {
  AgentCommand,
  RespondCommand,
  ResumeCommand,
  RunCommand,
  StopCommand,
  ToolAnswer,
  ToolDescription,
  TriggerCommand,
} from './core/protocol/commands.ts';
export type {
  AgentEvent,
  FinishReason,
  PendingToolCall,
  ResultFile,
  TokenUsage,
  ToolResult,
} from './core/protocol/events.ts';
export type { Notice } from './core/state/conversation.ts';
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
  ToolProgress,
  UIMessage,
  UIMessagePart,
} from './core/state/message.ts';
export { uiMessageSchema } from './core/state/message.ts';
export { replaceMessages } from './core/state/replace-messages.ts';
export type { AgentChatState, ChatStatus } from './core/store/chat-state.ts';
export type { ChoiceMemory, ChoiceToRemember, RememberableCall } from './core/tools/choice-memory.ts';
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
} from './core/tools/client-tool.ts';
export { defineClientTool } from './core/tools/define-client-tool.ts';
export type { AnsweredBy, SettledCall } from './core/tools/settled-call.ts';
export type { ToolRegistration } from './core/tools/tool-registry.ts';
export type { PendingClientTools } from './core/tools/typed-tools.ts';
export type {
  AgentEventStream,
  AgentTransport,
  Connection,
  ConnectionState,
  ConnectionStatus,
  ResponseStep,
  TransportCapabilities,
  TransportChat,
  TransportIO,
  TransportMemory,
  TransportQuestion,
} from './core/transport/agent-transport.ts';
export { createFallbackTransport } from './core/transport/create-fallback-transport.ts';
export { createHttpTransport, type HttpTransportOptions } from './core/transport/create-http-transport.ts';
export {
  createSocketTransport,
  type HeartbeatOptions,
  type SocketTransportOptions,
} from './core/transport/create-socket-transport.ts';
export type { ReconnectOptions } from './core/transport/reconnect-policy.ts';
export type { SocketLike } from './core/transport/socket-like.ts';
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
