/** The definition of a tool, as CommonGround v1r4 stores it in `resource.tools`. The field names are those of the protocol. */
import type { AfterExecution } from '../call.ts';

/** A JSON Schema with an object at its root. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface UtpToolDefinition {
  /** The name for the model: letters, digits, `_` and `-`, up to 64. */
  readonly tool_name: string;
  readonly description?: string;
  /**
   * The subject of the tool's commands, such as `cg.v1r4.{project_id}.{channel_id}.cmd.tool.hitl.call`. It may have the placeholders
   * `{project_id}`, `{channel_id}` and `{agent_id}`.
   */
  readonly target_subject: string;
  readonly after_execution: AfterExecution;
  /** The arguments. Default: none. */
  readonly parameters?: JsonSchema;
  readonly options?: UtpToolOptions;
}

/** Options of a tool. Services may have further ones, such as `jina`. */
export interface UtpToolOptions {
  /** How long the turn waits for the result, in seconds. CommonGround's default is 30, which is short for a person. */
  readonly suspend_timeout_seconds?: number;
  /** As `suspend_timeout_seconds`, which wins. */
  readonly timeout_seconds?: number;
  /** True if `cmd.sys.ui.action` may call the tool. CommonGround's default is false. */
  readonly ui_allowed?: boolean;
  readonly args?: UtpArgumentOptions;
  /** Environment variables by argument. The executor fills in their values; the model sees neither argument nor value. */
  readonly envs?: Readonly<Record<string, string>>;
  readonly [more: string]: unknown;
}

/** Values by argument. A text may have the placeholders of {@link UtpTemplateFields}. */
export interface UtpArgumentOptions {
  /** Used if the model does not give the argument. An explicit `null` counts as given. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Replaces what the model gives. The model does not see the argument. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}
