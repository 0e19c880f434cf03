export {
  createMantyxTransport,
  type MantyxTransportOptions,
} from './backends/mantyx/create-mantyx-transport.ts';
export type { SessionOptions } from './backends/mantyx/create-run-starter.ts';
export type { MantyxTool, MantyxTools } from './backends/mantyx/create-tool-set.ts';
export { type MantyxFailure, readMantyxFailure } from './backends/mantyx/decode-ending.ts';
export {
  type AgentCardJson,
  type LocalA2aOptions,
  localA2a,
} from './backends/mantyx/local-tools/local-a2a.ts';
export { type LocalMcpOptions, localMcp } from './backends/mantyx/local-tools/local-mcp.ts';
export type {
  LocalToolAnswer,
  LocalToolCall,
  LocalToolSource,
} from './backends/mantyx/local-tools/local-tool-source.ts';
export {
  type LocalToolOverrides as LocalToolWords,
  localTools,
} from './backends/mantyx/local-tools/local-tools.ts';
export type {
  A2aLocalRef,
  A2aRef,
  ConversationMessage,
  JsonSchema,
  LocalRef,
  LoopDetection,
  MantyxMessage,
  MantyxSpec,
  MantyxToolRef,
  McpLocalRef,
  McpRef,
  Metadata,
  OutputSchema,
  PluginToolRef,
  ReasoningLevel,
  ToolBudgets,
  ToolRef,
} from './backends/mantyx/spec.ts';
