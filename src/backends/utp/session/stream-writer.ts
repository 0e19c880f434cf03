/** Writes the stream of an agent (`str.agent.{id}.chunk`) as text and reasoning. NATS may lose chunks, and says nothing about it. */
import type { TokenUsage } from '../../../core/protocol/events.ts';
import type { ModelEvent } from '../../../server/agent.ts';
import { compact, isRecord } from '../../../shared/json.ts';

type Kind = 'text' | 'reasoning';

export class StreamWriter {
  /** The part that is being written. */
  #open: { readonly kind: Kind; readonly id: string } | undefined;
  /** The last part of text, and what it says so far. It is whole if every chunk of its step came, up to the one that ends the step. */
  #text: { readonly id: string; readonly step: unknown; content: string; isWhole: boolean } = {
    ...{ id: '', step: undefined, content: '', isWhole: false },
  };
  #step: unknown;
  #lastIndex = -1;
  #hasGap = false;

  *write(chunk: Readonly<Record<string, unknown>>): Generator<ModelEvent> {
    const { step_id: step, chunk_type: type, content, index, usage } = chunk;
    if (step !== this.#step) {
      yield* this.close();
      this.#step = step;
      this.#lastIndex = -1;
      this.#hasGap = false;
    }
    if (typeof index === 'number') {
      this.#hasGap ||= index > this.#lastIndex + 1;
      this.#lastIndex = index;
    }
    if (typeof content === 'string' && content !== '') {
      if (type === 'content') yield* this.#append('text', content);
      if (type === 'reasoning') yield* this.#append('reasoning', content);
    }
    if (type === 'end' && this.#text.step === step) this.#text.isWhole = !this.#hasGap;
    const spent = toUsage(usage);
    if (spent) yield { type: 'usage', usage: spent };
  }

  /** Closes the open part. Of a text that may have holes, `whole` is the complete one. */
  *close(whole?: string): Generator<ModelEvent> {
    const { id, content, isWhole } = this.#text;
    const isMissing = whole !== undefined && content !== whole;
    if (isMissing && id !== '' && !isWhole) yield { type: 'text-end', id, text: whole };
    else if (this.#open) yield { type: `${this.#open.kind}-end`, id: this.#open.id };
    this.#open = undefined;
    if (isMissing && id === '') {
      yield* this.#append('text', whole);
      yield* this.close();
    }
  }

  *#append(kind: Kind, delta: string): Generator<ModelEvent> {
    if (this.#open?.kind !== kind) {
      yield* this.close();
      this.#open = { kind, id: `${this.#step}:${kind}:${this.#lastIndex}` };
      if (kind === 'text') this.#text = { id: this.#open.id, step: this.#step, content: '', isWhole: false };
      yield { type: `${kind}-start`, id: this.#open.id };
    }
    if (kind === 'text') this.#text.content += delta;
    yield { type: `${kind}-delta`, id: this.#open.id, delta };
  }
}

/** The names under which model APIs count tokens. */
const COUNTS = {
  inputTokens: ['input_tokens', 'prompt_tokens'],
  outputTokens: ['output_tokens', 'completion_tokens'],
  totalTokens: ['total_tokens'],
} as const;

function toUsage(usage: unknown): TokenUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const counts = Object.entries(COUNTS).map(([name, keys]) => {
    const key = keys.find((candidate) => Number.isFinite(usage[candidate]));
    return [name, key && usage[key]];
  });
  const found = compact(Object.fromEntries(counts) as TokenUsage);
  return Object.keys(found).length > 0 ? found : undefined;
}
