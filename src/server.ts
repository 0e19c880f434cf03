/** `handrail/server`: run an agent behind HTTP/SSE or a socket. No React, no DOM. */

export {
  type ImportedSession,
  type ImportOptions,
  importUIMessages,
  type NotCarried,
} from './backends/ai-sdk/server/import-ui-messages.ts';
export {
  createMantyxProxy,
  type MantyxBrowserField,
  type MantyxProxyOptions,
} from './backends/mantyx/server/create-mantyx-proxy.ts';
export {
  createMemoryMantyxOwners,
  type MantyxOwners,
  type MemoryMantyxOwnersOptions,
} from './backends/mantyx/server/owners.ts';
export type { MantyxServerSpec, MantyxStart } from './backends/mantyx/server/to-start-body.ts';
export type { ToolDescription } from './core/protocol/commands.ts';
export type { AgentEvent, PendingToolCall, ToolResult } from './core/protocol/events.ts';
export type {
  Agent,
  AgentAssistantMessage,
  AgentContext,
  AgentMessage,
  AgentToolCall,
  AgentToolMessage,
  AgentUserMessage,
  ModelContentEvent,
  ModelEvent,
} from './server/agent.ts';
export {
  type AiSdkAgentOptions,
  createAiSdkAgent,
} from './server/ai-sdk/create-ai-sdk-agent.ts';
export type { AiSdkTool } from './server/ai-sdk/declare-tools.ts';
export type { ClientToolRule } from './server/client-tool-rule.ts';
export {
  createNodeHandler,
  type NodeHandlerOptions,
  type NodeRequest,
  type NodeResponse,
  toNodeHandler,
} from './server/http/create-node-handler.ts';
export {
  type AgentRequestOptions,
  type GetSession,
  handleAgentRequest,
} from './server/http/handle-agent-request.ts';
export type { GetPrincipal, PrincipalOption } from './server/http/read-principal.ts';
export {
  type SSEResponseInit,
  type SSEStreamOptions,
  type StreamedEvent,
  toSSEResponse,
  toSSEStream,
} from './server/http/to-sse-stream.ts';
export { handleInboxRequest, type InboxRequestOptions } from './server/inbox/handle-inbox-request.ts';
export type { InboxAnswer, InboxQuery, InboxReceipt, InboxSource } from './server/inbox/inbox-source.ts';
export type { MayOpen, OpenedSession } from './server/open-rule.ts';
export { type ReceiptProof, verifyReceipt } from './server/receipts/answer-receipt.ts';
export { type AnswerRecord, readAnswers } from './server/receipts/answer-record.ts';
export { createHmacReceipts, type ReceiptSecret } from './server/receipts/create-hmac-receipts.ts';
export { createJwtReceipts, type JwtReceiptKeys } from './server/receipts/create-jwt-receipts.ts';
export type {
  AnswerClaims,
  QuestionClaims,
  ReceiptClaims,
  Receipts,
} from './server/receipts/receipts.ts';
export type { FailureListener, ServerFailure } from './server/report-failure.ts';
export { readHistory } from './server/runs/history.ts';
export {
  type AgentScript,
  createScriptedAgent,
  type ScriptEntry,
  type ScriptedAgentOptions,
  type ScriptScenario,
  type ScriptTurn,
} from './server/scripted/create-scripted-agent.ts';
export type { ScriptStep } from './server/scripted/script-steps.ts';
export type { SessionErrorCode } from './server/session-errors.ts';
export {
  type AgentSession,
  type AgentSessionOptions,
  createAgentSession,
  type ExecuteOptions,
} from './server/sessions/create-agent-session.ts';
export { toUIMessages } from './server/sessions/to-ui-messages.ts';
export type { ServerSocket } from './server/socket/listen-to-socket.ts';
export { type ServeSocketOptions, type SocketHandle, serveSocket } from './server/socket/serve-socket.ts';
export type { SocketPrincipal } from './server/socket/socket-principal.ts';
export type {
  AnswerRule,
  AskedQuestion,
  CallEnd,
  CallRecord,
  CallRecords,
  CallStage,
  StepError,
  StoredAnswer,
  StoredStep,
  StoredSteps,
} from './server/store/call-record.ts';
export { type ChoiceStore, choiceKey, type StoredChoice } from './server/store/choice-store.ts';
export {
  createMemorySessionStore,
  type MemorySessionStoreOptions,
} from './server/store/create-memory-session-store.ts';
export type { EventLog, LoggedEvent, OpenLog } from './server/store/event-log.ts';
export type { MemoryLogLimits } from './server/store/memory-logs.ts';
export type {
  ExecutionRecord,
  ExecutionState,
  ListOpenCallsOptions,
  OpenCall,
  OpenCallList,
  SessionRecord,
  SessionStore,
  TurnRecord,
} from './server/store/session-store.ts';
export type { SessionTraceEntry, SessionTraceStep } from './server/store/session-trace.ts';
export type { RedactStored } from './server/store/stored-form.ts';
export { defineServerTool } from './server/tools/define-server-tool.ts';
export type {
  ApprovalRule,
  AskedCall,
  DefinedToolContext,
  MayAnswer,
  ServerTool,
  ServerToolApproval,
  ServerToolContext,
  ServerToolDefinition,
  ServerTools,
  StepContext,
  TimedApproval,
  ToolQuestion,
} from './server/tools/server-tool.ts';
export {
  DuplicateStep,
  NestedStep,
  QuestionNotAnswered,
  StepInterrupted,
} from './server/tools/step-errors.ts';
export { digestArguments } from './shared/digest-json.ts';
export type { Answerer, Principal } from './shared/principal.ts';
