/** The types of a run's spec, messages and tools (Mantyx protocol 0.11, sections 2 and 3). Values are checked and sent as given. */
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** A JSON Schema with an object at its root. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** `off`, `low`, `medium`, `high`, or a whole number from 0 to 100. */
export type ReasoningLevel = 'off' | 'low' | 'medium' | 'high' | number;

/** Structured output. The final text is parsed, checked against the schema, and becomes an `object` part. */
export interface OutputSchema {
  /** Letters, digits, `_` and `-`, up to 64. The platform's default is `output`. */
  readonly name?: string;
  /** JSON Schema, or a Standard Schema that can describe itself as one (Zod 4.2 and later). At most 32 KB. */
  readonly schema: JsonSchema | StandardSchemaV1;
}

/** Both whole numbers up to 100; `hardCutoffThreshold` is the greater. */
export interface LoopDetection {
  /** From 2. The platform's default is 3. */
  readonly consecutiveThreshold?: number;
  /** From 3. The platform's default is 6. */
  readonly hardCutoffThreshold?: number;
}

/** Up to 32 tools; `maxCalls` is a whole number up to 1000, and 0 disables the tool. `{}` lifts the platform's own budgets. */
export type ToolBudgets = Readonly<Record<string, { readonly maxCalls: number }>>;

/** Up to 16 texts of up to 256 characters, 4 KB in all. */
export type Metadata = Readonly<Record<string, string>>;

/** Options that may differ from message to message. */
export interface RunOptions {
  readonly reasoningLevel?: ReasoningLevel;
  readonly outputSchema?: OutputSchema;
  /** `false` turns it off. */
  readonly loopDetection?: LoopDetection | false;
  readonly toolBudgets?: ToolBudgets;
  readonly metadata?: Metadata;
}

/** The agent: `agentId` names a stored one, `systemPrompt` describes one. A stored agent's own prompt wins. */
export interface MantyxSpec extends RunOptions {
  readonly name?: string;
  readonly agentId?: string;
  readonly systemPrompt?: string;
  readonly modelId?: string;
  readonly budgets?: { readonly maxToolTurns?: number };
}

export interface ConversationMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly content: string;
}

/** One message to the agent, with options for its run. Exactly one of `prompt` and `messages`. */
export interface MantyxMessage extends RunOptions {
  readonly prompt?: string;
  /** The conversation so far. Only for a run outside of a session, because a session remembers it. */
  readonly messages?: readonly ConversationMessage[];
  /** Replaces the tools of the transport for this run. */
  readonly tools?: readonly ToolRef[];
}

/** A tool of the workspace. */
export interface MantyxToolRef {
  readonly kind: 'mantyx';
  readonly id: string;
}
export interface PluginToolRef {
  readonly kind: 'mantyx_plugin';
  readonly name: string;
}
/** An agent the platform reaches itself. */
export interface A2aRef {
  readonly kind: 'a2a';
  readonly name: string;
  readonly description?: string;
  readonly agentCardUrl: string;
  /** Each at most 8 KB. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly contextId?: string;
}
/** An MCP server the platform reaches itself. */
export interface McpRef {
  readonly kind: 'mcp';
  readonly name: string;
  readonly url: string;
  /** Each at most 8 KB. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of the tools to offer, without prefix. */
  readonly toolFilter?: readonly string[];
}
/** A tool of this page. `localTools` makes references from `clientTools`. A Standard Schema is sent as JSON Schema. */
export interface LocalRef {
  readonly kind: 'local';
  readonly name: string;
  readonly description?: string;
  readonly parameters?: JsonSchema | StandardSchemaV1;
  readonly outputSchema?: JsonSchema | StandardSchemaV1;
  /** Tells the model that an answer may take a while. Does not change the platform's timeout. */
  readonly longRunning?: boolean;
}
/** An agent that only this page reaches, with its card as the agent serves it. */
export interface A2aLocalRef {
  readonly kind: 'a2a_local';
  readonly name: string;
  readonly description?: string;
  readonly agentCard: Readonly<Record<string, unknown>>;
}
/** An MCP server that only this page reaches, with its tools as `tools/list` returned them. */
export interface McpLocalRef {
  readonly kind: 'mcp_local';
  readonly name: string;
  readonly serverInfo?: Readonly<Record<string, unknown>>;
  readonly tools: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
}

export type ToolRef = MantyxToolRef | PluginToolRef | A2aRef | McpRef | LocalRef | A2aLocalRef | McpLocalRef;
