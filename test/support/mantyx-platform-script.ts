/** The script of the stand-in for the Mantyx platform, and the run it plays. */
import type { Json } from './mantyx-platform-rules.ts';

/** One step of a run. A string is text of the assistant, streamed word by word. */
export type MantyxStep =
  | string
  | { readonly thinking: string }
  /** Text whose completed message differs from the joined deltas. */
  | { readonly text: string; readonly message: string }
  | MantyxCall
  /** One batch of calls for the client. The run continues when each call was answered or has timed out. */
  | {
      readonly calls: readonly MantyxCall[];
      /** Called after the calls are announced and before the run waits for them. */
      readonly meanwhile?: readonly MantyxStep[];
    }
  /** A call that the platform answers itself. */
  | { readonly serverTool: string; readonly input?: Json; readonly result: string; readonly ok?: boolean }
  /** Any event, right or wrong. `result`, `error` and `cancelled` end the run; what usage there is is added. */
  | { readonly event: string; readonly payload?: Json }
  /** Another client answers an open call. */
  | ({ readonly elsewhere: string } & MantyxAnswer)
  /** Waits; the signal aborts when the run is cancelled. */
  | { readonly hold: (signal: AbortSignal) => Promise<unknown> }
  /**
   * Waits for a reader and cuts all streams of the run: now, in the middle of the next frame, or with a clean end without a
   * terminal event. The run itself continues.
   */
  | { readonly cut: 'now' | 'in-frame' | 'clean' };

/** A call for the client. Its kind and its other keys come from the tool of that name in the spec. */
export interface MantyxCall {
  readonly call: string;
  readonly args?: Json;
  /** Default: `tu_N`, counted over everything. */
  readonly id?: string;
  /** Further or replaced fields of the event, such as an unknown `kind`. */
  readonly more?: Json;
}

export type MantyxAnswer =
  | { readonly result: string; readonly error?: undefined }
  | { readonly error: string; readonly result?: undefined };

/** The run that a script plays. */
export interface MantyxTurn {
  /** The prompt, or the content of the last message. */
  readonly text: string;
  /** 1 the first time this text comes, then 2. */
  readonly attempt: number;
  readonly sessionId: string | undefined;
  readonly spec: Json;
  /** The answers to calls of this run, by `toolUseId`. */
  readonly answers: ReadonlyMap<string, MantyxAnswer>;
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** The steps of a run. A generator can read the answers before its next step. */
export type MantyxScript = (turn: MantyxTurn) => Iterable<MantyxStep> | AsyncIterable<MantyxStep>;

/** A line of the model's history: a message, a call or an answer. */
export type MantyxLine =
  | { readonly user: string }
  | { readonly call: string; readonly toolName: string }
  | ({ readonly answer: string } & MantyxAnswer)
  | { readonly timedOut: string };

export interface MantyxEvent {
  readonly seq: number;
  readonly type: string;
  readonly payload: Json;
}

export type MantyxRunStatus = 'running' | 'succeeded' | 'failed' | 'cancelled';

export interface MantyxRun {
  readonly id: string;
  readonly spec: Json;
  readonly sessionId: string | undefined;
  readonly status: MantyxRunStatus;
  readonly finalText: string | null;
  readonly events: readonly MantyxEvent[];
  /** Ids of calls that wait for their answers. */
  readonly open: readonly string[];
  /** The history of this run as the model saw it. */
  readonly transcript: readonly MantyxLine[];
  /** Resolves when the run is over. */
  readonly ended: Promise<void>;
  snapshot(): Json;
  /** Calls the listener after each event. Returns the function that removes it. */
  onEvent(listener: () => void): () => void;
  /** Accepts the answer to an open call. `ignored`: the run is being cancelled. */
  answer(toolUseId: string, answer: MantyxAnswer): 'taken' | 'ignored' | 'unknown' | 'over';
  cancel(): void;
}

/** Splits a text into deltas: a word and the space after it. */
export function splitWords(text: string): readonly string[] {
  return text.match(/^\s+|\S+\s*/g) ?? [];
}

/** The payload of `local_tool_call`, by the tool that declares its name (wire protocol, section 4). */
export function describeCall(
  spec: Json,
  toolUseId: string,
  { call: name, args = {}, more }: MantyxCall,
): Json {
  const tools = Array.isArray(spec.tools) ? (spec.tools as readonly Json[]) : [];
  const declares = (tool: Json) =>
    tool.kind === 'mcp_local'
      ? (tool.tools as readonly Json[]).some((declared) => declared.name === name)
      : tool.name === name;
  const tool = tools.find(declares);
  const echoed =
    tool?.kind === 'a2a_local'
      ? { kind: 'a2a_local', agentCard: tool.agentCard }
      : tool?.kind === 'mcp_local'
        ? {
            kind: 'mcp_local',
            mcpServer: tool.name,
            mcpToolName: name,
            ...(tool.serverInfo === undefined ? {} : { mcpServerInfo: tool.serverInfo }),
          }
        : {};
  return { toolUseId, name, args, ...echoed, ...more };
}
