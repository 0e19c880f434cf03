/** An agent of the embedded runtime, and the chunks of its model (Standard Agents specification 0.15, `ProviderStreamChunk`). */
import type { EffectSet } from './define-effect.ts';
import type { HookDefinition } from './define-hook.ts';
import type { ToolArgs, ToolSet } from './define-tool.ts';
import type { ModelUsage } from './thread-frames.ts';
import type { ProviderExecutedToolResult, Side, ThreadMessage } from './thread-message.ts';
import type { EnvValueType } from './thread-record.ts';
import type { ThreadState } from './thread-state.ts';

/** A tool as the model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments; absent for a tool without arguments. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The argument of a model. */
export interface ModelContext {
  /** The history without messages of subagents, failed messages and secrets. It ends in the message or the result to react to. */
  readonly messages: readonly ThreadMessage[];
  /** The `prompt` of the agent, as the hooks `after_system_message` made it. */
  readonly system?: string;
  readonly tools: readonly ModelTool[];
  readonly state: ThreadState;
  /** Aborts when a person stops the execution. */
  readonly signal: AbortSignal;
}

/** A piece of a model's response. */
export type ModelChunk =
  | { readonly type: 'content-delta'; readonly delta: string }
  | { readonly type: 'reasoning-delta'; readonly delta: string }
  | {
      readonly type: 'tool-call-start';
      readonly id: string;
      readonly name: string;
      readonly extraContent?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'tool-call-done';
      readonly id: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      /** Replaces that of the start. The runtime returns it unchanged in `tool_calls`. */
      readonly extraContent?: Readonly<Record<string, unknown>>;
    }
  /** A tool that the provider ran. The runtime shows it and never runs it. */
  | { readonly type: 'provider-tool-done'; readonly tool: ProviderExecutedToolResult }
  /** A complete message of a subagent, for display. */
  | { readonly type: 'subagent-message'; readonly message: SubagentMessage }
  | { readonly type: 'finish'; readonly usage?: ModelUsage };

/**
 * A message of a subagent; `depth` is 1 for a subagent of the agent itself. `parent_id` is by default the message that the model is
 * writing.
 */
export type SubagentMessage = Pick<ThreadMessage, 'role' | 'content' | 'depth'> &
  Partial<
    Pick<
      ThreadMessage,
      'id' | 'parent_id' | 'name' | 'tool_calls' | 'tool_call_id' | 'tool_status' | 'silent'
    >
  >;

/** A tool whose call ends the session, or says how it stands. */
export interface SessionToolConfig {
  readonly name: string;
  /** The argument of the call that is the message. Default: the result of the tool. */
  readonly messageProperty?: string;
}

/** The name of the tool, or more about it. */
export type SessionToolBinding = string | SessionToolConfig;

/** A subagent that a side may call. */
export interface SubagentToolConfig {
  /** The agent, by its name in the `agents` of the runtime. */
  readonly name: string;
  /** False goes on at once: the result comes as a message later. Default true. */
  readonly blocking?: boolean;
  /** The argument that is the message to the subagent. Default `message`. */
  readonly initUserMessageProperty?: string;
  /** The argument that names the subagent for people. */
  readonly initAgentNameProperty?: string;
  /**
   * Default false: the subagent is a tool with the name of its agent. Else it is created with `subagent_create`, stays, and gets messages
   * with `subagent_message`.
   */
  readonly resumable?:
    | false
    | {
        readonly receives_messages: 'side_a' | 'side_b';
        readonly maxInstances?: number;
        /** `explicit`: the end of a session is not told to the parent; `state.notifyParent` is. Default `implicit`. */
        readonly parentCommunication?: 'implicit' | 'explicit';
      };
}

/** One participant that is a model. */
export interface SideConfig {
  /** Called for each step. An error that it throws ends the execution; the message gets the status `failed`. */
  readonly model: (context: ModelContext) => AsyncIterable<ModelChunk>;
  /** The system message, which the model gets as `context.system`. */
  readonly prompt?: string;
  readonly tools?: ToolSet;
  /** Agents that the side may call. */
  readonly subagents?: readonly SubagentToolConfig[];
  /** The name of the side, in its messages. */
  readonly label?: string;
  /** False asks the model again after a message without calls. Then `stopTool`, `sessionStop` or `maxSteps` ends the turn. Default true. */
  readonly stopOnResponse?: boolean;
  /** A tool that ends the turn when it has succeeded. `stopToolResponseProperty` of its JSON result becomes the message of the side. */
  readonly stopTool?: string;
  readonly stopToolResponseProperty?: string;
  /** How often the model is asked in one turn. Then the turn ends. Default: no limit. */
  readonly maxSteps?: number;
  /** Ends the session when it has succeeded. */
  readonly sessionStop?: SessionToolBinding;
  /** Ends the session as failed when it has succeeded. */
  readonly sessionFail?: SessionToolBinding;
  /** Says how the session stands. */
  readonly sessionStatus?: SessionToolBinding;
}

/** Agents of both types have these. */
interface AgentSettings {
  /** What the agent does, for agents that call it as a subagent, and its arguments then. Default: `{ message }`. */
  readonly toolDescription?: string;
  readonly toolArgs?: ToolArgs;
  /** `state.scheduleEffect` runs them later. */
  readonly effects?: EffectSet;
  /** Functions that see, and may change, what its threads do. */
  readonly hooks?: readonly HookDefinition[];
  /** Environment variables that the agent needs, so that a page can ask for them, and whether their values may be shown. */
  readonly env?: Readonly<Record<string, EnvValueType>>;
}

/** An agent that talks with a person. */
export interface AgentDefinition extends SideConfig, AgentSettings {
  readonly type: 'ai_human';
}

/** Two models that talk with each other. A message to the thread is for side A. */
export interface DualAgentDefinition extends AgentSettings {
  readonly type: 'dual_ai';
  readonly sideA: SideConfig;
  readonly sideB: SideConfig;
  /** How many turns both sides have together. Then the session ends as failed. Default: no limit. */
  readonly maxSessionTurns?: number;
}

export type AnyAgentDefinition = AgentDefinition | DualAgentDefinition;

export function sideOf(agent: AnyAgentDefinition, side: Side): SideConfig {
  if (agent.type === 'ai_human') return agent;
  return side === 'a' ? agent.sideA : agent.sideB;
}
