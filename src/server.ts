/** `handrail/server`: run an agent behind HTTP/SSE or a socket. No React, no DOM. */

export {
  createMantyxProxy,
  type MantyxBrowserField,
  type MantyxProxyOptions,
} from './mantyx/server/create-mantyx-proxy.ts';
export {
  createMemoryMantyxOwners,
  type MantyxOwners,
  type MemoryMantyxOwnersOptions,
} from './mantyx/server/mantyx-owners.ts';
export type { MantyxServerSpec, MantyxStart } from './mantyx/server/mantyx-start.ts';
export type { AgentEvent, PendingToolCall, ToolResult } from './protocol/events.ts';
export type {
  Agent,
  AgentAssistantMessage,
  AgentContext,
  AgentMessage,
  AgentToolCall,
  AgentToolMessage,
  AgentUserMessage,
  ModelEvent,
  ServerTool,
  ServerToolContext,
  ServerTools,
} from './server/agent.ts';
export {
  type AiSdkAgentOptions,
  type AiSdkTool,
  createAiSdkAgent,
} from './server/ai-sdk/create-ai-sdk-agent.ts';
export {
  type AgentSession,
  type AgentSessionOptions,
  createAgentSession,
  type ExecuteOptions,
} from './server/create-agent-session.ts';
export type { EventLog, LoggedEvent, MemoryLogLimits, OpenLog } from './server/event-log.ts';
export type { FailureListener, ServerFailure } from './server/failure-report.ts';
export {
  type AgentRequestOptions,
  type GetSession,
  handleAgentRequest,
} from './server/handle-agent-request.ts';
export {
  createNodeHandler,
  type NodeHandlerOptions,
  type NodeRequest,
  type NodeResponse,
  toNodeHandler,
} from './server/node-handler.ts';
export type { ScriptStep } from './server/script-steps.ts';
export {
  type AgentScript,
  createScriptedAgent,
  type ScriptEntry,
  type ScriptedAgentOptions,
  type ScriptScenario,
  type ScriptTurn,
} from './server/scripted-agent.ts';
export { type ServeSocketOptions, type SocketHandle, serveSocket } from './server/serve-socket.ts';
export type { SessionErrorCode } from './server/session-errors.ts';
export {
  createMemorySessionStore,
  type ExecutionRecord,
  type ExecutionState,
  type SessionRecord,
  type SessionStore,
} from './server/session-store.ts';
export type { ServerSocket } from './server/socket-listeners.ts';
export {
  type SSEResponseInit,
  type SSEStreamOptions,
  toSSEResponse,
  toSSEStream,
} from './server/sse-stream.ts';
