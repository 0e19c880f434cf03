/** What the conversation suites need of a backend, and the steps every one of them can play. */
import type { AgentTransport } from '../../src/core.ts';
import type {
  PlatformCallStep,
  PlatformStep,
  PlatformTrigger,
  TranscriptLine,
} from '../support/octavus-platform-script.ts';

/** A step that an agent on the platform and one in our own server both can play. */
export type AgentStep = Exclude<PlatformStep, { readonly cut: true } | PlatformCallStep> | AnyCall;
/** A call without what only the platform knows. */
export type AnyCall = Omit<PlatformCallStep, 'more'> & { readonly more?: never };
export type AgentLeg = readonly AgentStep[];
export type AgentScript = (trigger: Pick<PlatformTrigger, 'text' | 'attempt'>) => readonly AgentLeg[];

export type ServerToolTable = Readonly<Record<string, (args: Record<string, unknown>) => unknown>>;

/** A backend under test: the agent, the application server in front of it, and a transport to that. */
export interface Backend {
  readonly transport: AgentTransport;
  /** The account at the agent: what the model has been told, in order. */
  readTranscript(): Promise<readonly TranscriptLine[]>;
  /** Requests that the agent's side refused because they broke the protocol. */
  readonly refusals: readonly string[];
  /** Where the application server listens. */
  readonly port: number;
  /** Ends the application server's process, as far as it has a memory, and starts it again on what it stored. */
  restart?(): Promise<void>;
  /** Breaks every connection between the client and the application server. */
  cut(): void;
  close(): Promise<void>;
}

export interface BackendKind {
  readonly name: string;
  /** Whether a run goes on by itself after its connection was cut. */
  readonly resumes: boolean;
  /** Whether the server knows a run whose connection was cut, so that retry brings it to its end. */
  readonly keepsRuns: boolean;
  /** Whether each event says which it is, so that one that comes twice is known. */
  readonly numbersEvents: boolean;
  open(script: AgentScript, serverTools?: ServerToolTable): Promise<Backend>;
}

/** Every message gets the same legs. */
export const always =
  (...legs: readonly AgentLeg[]) =>
  () =>
    legs;

export const isAnswer = (line: TranscriptLine) => 'answer' in line;
