/** The script of the stand-in for the Octavus platform, and its events. */

/** One step of the model. A string is text; the calls of a request make one batch at its end. */
export type PlatformStep =
  | string
  | { readonly reasoning: string }
  | { readonly object: unknown; readonly typeName: string }
  | PlatformCallStep
  /** Any event, right or wrong. `finish` and `error` end the response. */
  | { readonly event: { readonly type: string; readonly [key: string]: unknown } }
  /** Waits; the signal aborts when the reader is gone, which ends the response. */
  | { readonly hold: (signal: AbortSignal) => Promise<unknown> }
  /** Breaks the connection. */
  | { readonly cut: true };

export interface PlatformCallStep {
  readonly call: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Default: `call-N`, counted over everything. */
  readonly id?: string;
  /** Further keys of the pending call, such as `outputVariable`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The platform's response to one request: its steps, or the status of a refusal. */
export type PlatformResponse =
  | readonly PlatformStep[]
  | { readonly refuse: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

export interface PlatformTrigger {
  /** `input.USER_MESSAGE`, or the name of the trigger. */
  readonly text: string;
  /** 1 the first time this text comes, then 2. */
  readonly attempt: number;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The responses of an execution, one per request. */
export type PlatformScript = (trigger: PlatformTrigger) => readonly PlatformResponse[];

/** A line of the model's view of the conversation. */
export type TranscriptLine =
  | { readonly user: string }
  | { readonly call: string; readonly toolName: string }
  | { readonly answer: string; readonly result?: unknown; readonly error?: string };

interface PlatformEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The events of a step; none for calls, holds and cuts. `id` is the id of its part. */
export function* playStep(step: PlatformStep, id: string): Generator<PlatformEvent> {
  if (typeof step === 'string') yield* playText('text', step, id);
  else if ('reasoning' in step) yield* playText('reasoning', step.reasoning, id);
  else if ('event' in step) yield step.event;
  else if ('object' in step) {
    yield { type: 'text-start', id, responseType: step.typeName };
    for (const delta of JSON.stringify(step.object).match(/.{1,7}/gsu) ?? [])
      yield { type: 'text-delta', id, delta };
    yield { type: 'text-end', id };
  }
}

function* playText(kind: 'text' | 'reasoning', text: string, id: string): Generator<PlatformEvent> {
  yield { type: `${kind}-start`, id };
  for (const delta of text.match(/^\s+|\S+\s*/g) ?? []) yield { type: `${kind}-delta`, id, delta };
  yield { type: `${kind}-end`, id };
}
