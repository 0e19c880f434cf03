/** `handrail/standard-agents/server`: client tools for Standard Agents runtimes, and a small runtime. No React, no DOM. */

export type {
  AgentDefinition,
  AnyAgentDefinition,
  DualAgentDefinition,
  ModelChunk,
  ModelContext,
  ModelTool,
  SessionToolBinding,
  SessionToolConfig,
  SideConfig,
  SubagentMessage,
  SubagentToolConfig,
} from './backends/standard-agents/server/agent-definition.ts';
export {
  createEndpointRouter,
  type EndpointMatch,
  type EndpointRouter,
} from './backends/standard-agents/server/create-endpoint-router.ts';
export {
  createThreadRuntime,
  type ThreadRuntime,
} from './backends/standard-agents/server/create-thread-runtime.ts';
export {
  type Controller,
  type ControllerContext,
  type ControllerReturn,
  defineController,
} from './backends/standard-agents/server/define-controller.ts';
export {
  defineEffect,
  type EffectDefinition,
  type EffectSet,
} from './backends/standard-agents/server/define-effect.ts';
export {
  defineHook,
  type HookDefinition,
  type HookName,
  type HookSignatures,
} from './backends/standard-agents/server/define-hook.ts';
export {
  defineThreadEndpoint,
  isThreadEndpoint,
  THREAD_ENDPOINT_SYMBOL,
  type ThreadEndpointHandler,
  type ThreadEndpointParams,
  type ThreadEndpoints,
} from './backends/standard-agents/server/define-thread-endpoint.ts';
export {
  defineTool,
  type ToolArgs,
  type ToolDefinition,
  type ToolResult,
  type ToolSet,
} from './backends/standard-agents/server/define-tool.ts';
export type { ClientCallStore, KitState } from './backends/standard-agents/server/kit/client-call-store.ts';
export type { KitThreads } from './backends/standard-agents/server/kit/kit-inbox.ts';
export {
  type KitTool,
  type StandardAgentsKit,
  type StandardAgentsKitOptions,
  standardAgentsKit,
} from './backends/standard-agents/server/kit/standard-agents-kit.ts';
export type { ModelUsage, ThreadFrame } from './backends/standard-agents/server/thread-frames.ts';
export type {
  AttachmentRef,
  MessageMetadata,
  ProviderExecutedToolResult,
  Side,
  ThreadMessage,
  ToolCallEntry,
} from './backends/standard-agents/server/thread-message.ts';
export type {
  EnvValue,
  EnvValueType,
  ScheduledEffect,
} from './backends/standard-agents/server/thread-record.ts';
export type {
  ThreadFailure,
  ThreadRuntimeOptions,
} from './backends/standard-agents/server/thread-runtime-options.ts';
export type {
  ExecutionState,
  FileRecord,
  GetMessagesOptions,
  QueueMessageInput,
  RunCode,
  ThreadState,
} from './backends/standard-agents/server/thread-state.ts';
export { createMemoryThreadStore } from './backends/standard-agents/server/thread-store.ts';
export { validateToolName } from './backends/standard-agents/server/validate-tool-name.ts';
