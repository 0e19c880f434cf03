/** What the stand-in for the Mantyx platform is told to do, and what it knows of a run. */
import type { Json } from './mantyx-platform-rules.ts';

/** One thing a run does. A string is text of the assistant, streamed word by word. */
export type MantyxStep =
  | string
  | { readonly thinking: string }
  /** Text whose completed message is another than its deltas make. */
  | { readonly text: string; readonly message: string }
  | MantyxCall
  /** One batch of calls for the client. The run goes on when each of them was answered, or has timed out. */
  | {
      readonly calls: readonly MantyxCall[];
      /** What happens once they are announced and before the run waits for them. */
      readonly meanwhile?: readonly MantyxStep[];
    }
  /** A call the platform answers itself. */
  | { readonly serverTool: string; readonly input?: Json; readonly result: string; readonly ok?: boolean }
  /** Any event, right or wrong. `result`, `error` and `cancelled` end the run; what usage there is is added. */
  | { readonly event: string; readonly payload?: Json }
  /** Another client answers an open call. */
  | ({ readonly elsewhere: string } & MantyxAnswer)
  /** Waits; the signal aborts when the run is cancelled. */
  | { readonly hold: (signal: AbortSignal) => Promise<unknown> }
  /**
   * Breaks the streams of everybody who reads, once somebody does: now, in the middle of the next frame, or with a
   * clean end that no terminal event came before. The run itself goes on.
   */
  | { readonly cut: 'now' | 'in-frame' | 'clean' };

/** A call for the client. Its kind and what it echoes come from the tool of that name in the spec. */
export interface MantyxCall {
  readonly call: string;
  readonly args?: Json;
  /** Default: `tu_N`, counted over everything. */
  readonly id?: string;
  /** Further or other fields of the event, such as a `kind` nobody knows. */
  readonly more?: Json;
}

export type MantyxAnswer =
  | { readonly result: string; readonly error?: undefined }
  | { readonly error: string; readonly result?: undefined };

/** What a script is told about the run it plays. */
export interface MantyxTurn {
  /** The prompt, or the content of the last message. */
  readonly text: string;
  /** 1 the first time this text comes, then 2. */
  readonly attempt: number;
  readonly sessionId: string | undefined;
  readonly spec: Json;
  /** Of calls of this run, by `toolUseId`. */
  readonly answers: ReadonlyMap<string, MantyxAnswer>;
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** The steps of a run. A generator can look at the answers that came in before it goes on. */
export type MantyxScript = (turn: MantyxTurn) => Iterable<MantyxStep> | AsyncIterable<MantyxStep>;

/** A line of the model's view: what was asked, each call, and each answer it was given. */
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
  /** What the model saw of this run. */
  readonly transcript: readonly MantyxLine[];
  /** Resolves when the run is over. */
  readonly ended: Promise<void>;
  snapshot(): Json;
  /** Calls back after each event. Returns how to end that. */
  onEvent(listener: () => void): () => void;
  /** Takes the answer to an open call. `ignored`: the run is being cancelled. */
  answer(toolUseId: string, answer: MantyxAnswer): 'taken' | 'ignored' | 'unknown' | 'over';
  cancel(): void;
}

/** Deltas as a model makes them: a word and the space behind it. */
export function splitWords(text: string): readonly string[] {
  return text.match(/^\s+|\S+\s*/g) ?? [];
}

/** What `local_tool_call` says of a call, by the tool that declares its name (wire protocol, section 4). */
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
