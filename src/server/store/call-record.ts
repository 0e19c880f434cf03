/** The one record of a call on the server: the question, who may answer, the answer, and what its tool has done. JSON; never changed in place. */
import type { CallQuestion } from '../../core/protocol/events.ts';
import type { Answerer } from '../../shared/principal.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';
import type { StoredChoice } from './choice-store.ts';

/** The rules that decided who may answer when a call was asked. Each of them must be there, and say yes, when it is answered. */
export type AnswerRule = 'session' | 'tool';

/**
 * - `called`: the agent called it; a server tool may be under way
 * - `asked`: a client or a person has to answer it
 * - `answered`: the answer is stored; the tool of an approved call may be under way
 * - `ended`: the agent has got its result
 */
export type CallStage = 'called' | 'asked' | 'answered' | 'ended';

/** The answer to a call. */
export interface StoredAnswer {
  readonly outcome: ToolOutcome;
  /** What a client or a person gave. Absent for an outcome without a value. */
  readonly result?: unknown;
  /** What the agent reads in place of a result. */
  readonly error?: string;
  /** What the person said about the answer. */
  readonly reason?: string;
  /** Absent where the app gave no principal, and for a question that expired. */
  readonly answeredBy?: Answerer;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Signed when it was answered: over the receipt of the question, the answer and the person. */
  readonly receipt?: string;
  /** The digest of what the person saw, as the page sent it. */
  readonly shown?: string;
  /** True if the stored result is not the whole one: it had a secret, which only the process that got the answer has. */
  readonly redacted?: true;
  /** The earlier answer that the person wanted to have remembered: nobody was asked about this call. */
  readonly remembered?: Pick<StoredChoice, 'sessionId' | 'executionId' | 'toolCallId' | 'rememberedAt'>;
}

/** What a server tool has done in a call so far: one step for each key. */
export type Step =
  /** A question to a person. `question` is the id of the call that asks it. */
  | { readonly type: 'asked'; readonly question: string; readonly attempt: number }
  /** Work that began. Nobody knows how far it came if its process died. */
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly value?: unknown; readonly redacted?: true }
  | { readonly type: 'failed'; readonly error: StepError };

/** The error of a step, as far as JSON carries it. */
export interface StepError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | number;
  /** Its other own properties that JSON carries. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** The steps of one call by their keys, see `server/tools/steps.ts`. */
export type CallSteps = Readonly<Record<string, Step>>;

/** The end of a call of a server tool: exactly one of `result` and `error`. */
export type CallEnd = { readonly result: unknown } | { readonly error: string };

export interface CallRecord {
  readonly toolCallId: string;
  readonly executionId: string;
  readonly toolName: string;
  /** The arguments as the schema of the tool has read them: what a person is shown, what is signed, what runs. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments as the agent sent them, where the schema makes values of them that JSON does not carry: it reads these again. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The digest of `args`, see `digestArguments`. */
  readonly digest: string;
  readonly executedBy: 'client' | 'server';
  readonly stage: CallStage;
  /** The id of the call whose tool asks this question with `context.ask`. */
  readonly askedBy?: string;
  /** The digest of the definition of the server tool, as the person saw it. */
  readonly definition?: string;
  readonly question?: CallQuestion;
  readonly mayAnswer?: readonly AnswerRule[];
  readonly waitsFor?: string;
  /** Milliseconds since the epoch, both. */
  readonly askedAt?: number;
  readonly deadline?: number;
  /** Signed when the call was asked. */
  readonly receipt?: string;
  readonly answer?: StoredAnswer;
  readonly steps?: CallSteps;
  /** The end of a call of a server tool. */
  readonly end?: CallEnd;
  /** Fields of the call that its result repeats, for clients of the Octavus protocol. */
  readonly echo?: {
    readonly source?: string;
    readonly outputVariable?: string;
    readonly blockIndex?: number;
  };
}

/** The calls of a session by their keys. */
export type CallRecords = Readonly<Record<string, CallRecord>>;
