/** The backends of the conversation suites, and the script steps that all of them can play. */
import type { AgentTransport } from '../../src/core.ts';
import type {
  PlatformCallStep,
  PlatformStep,
  PlatformTrigger,
  TranscriptLine,
} from '../support/octavus-platform-script.ts';

/** A step that an agent on a platform and an agent in our own server can both play. */
export type AgentStep = Exclude<PlatformStep, { readonly cut: true } | PlatformCallStep> | AnyCall;
/** A call without the keys that only one platform has. */
export type AnyCall = Omit<PlatformCallStep, 'more'> & { readonly more?: never };
export type AgentResponse = readonly AgentStep[];
export type AgentScript = (trigger: Pick<PlatformTrigger, 'text' | 'attempt'>) => readonly AgentResponse[];

/** The backends that ask before `pay` give it its `toolCallId` among the arguments. */
export type ServerToolTable = Readonly<Record<string, (args: Record<string, unknown>) => unknown>>;

/** A backend under test: the agent, the application server in front of it, and a transport to that. */
export interface Backend {
  readonly transport: AgentTransport;
  /** The history at the agent: the messages, calls and answers that the model has seen, in order. */
  readTranscript(): Promise<readonly TranscriptLine[]>;
  /** Requests that the agent's side refused because they violated the protocol. */
  readonly refusals: readonly string[];
  /** Where the application server listens. */
  readonly port: number;
  /** Restarts the application server: its memory is lost, its store stays. */
  restart?(): Promise<void>;
  /** Cuts every connection between the client and the application server. */
  cut(): void;
  close(): Promise<void>;
}

export interface BackendKind {
  readonly name: string;
  /** True if the client resumes a run by itself after its connection was cut. */
  readonly resumes: boolean;
  /** True if the server still knows a run whose connection was cut, so that retry() can finish it. */
  readonly keepsRuns: boolean;
  /** True if each event has a cursor, so that a repeated event is recognised. */
  readonly numbersEvents: boolean;
  /** True if the server asks for the approval of the tool `pay` before it runs. */
  readonly asksBeforePay?: boolean;
  /** True if the server knows a message that is sent again by its key. */
  readonly remembersMessages?: boolean;
  open(script: AgentScript, serverTools?: ServerToolTable): Promise<Backend>;
}

/** Plays the same requests for every message. */
export const always =
  (...responses: readonly AgentResponse[]) =>
  () =>
    responses;

export const isAnswer = (line: TranscriptLine) => 'answer' in line;
