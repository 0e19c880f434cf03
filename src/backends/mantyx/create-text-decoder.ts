import type { AgentEvent } from '../../core/protocol/events.ts';
import type { OutputReader } from './output-schema.ts';

/**
 * The text of every turn has one id, and its thinking another: `text-end` closes the part, and the text of the next turn opens a
 * new part. So a decoder that starts in the middle of a run, after a reload, continues the open part.
 */
const TEXT = 'answer';
const THINKING = 'thinking';

/** Decodes the text and the thinking of a run, turn by turn. */
export interface TextDecoder {
  addText(text: string): Generator<AgentEvent>;
  addThinking(text: string): Generator<AgentEvent>;
  /** The message of a turn is complete. Its text replaces the deltas; undefined if the frame has no text. */
  completeMessage(text: string | undefined): Generator<AgentEvent>;
  /** The text a run ends with: adds it unless the last turn had it, because a repeated text is worse than a missing one. */
  addFinalText(text: unknown): Generator<AgentEvent>;
  /** The turn has made a call: later text belongs to another turn, even if no `assistant_message` completes this one. */
  noteCall(): void;
  /** A call was answered: the text of the next turn starts empty. */
  noteResult(): void;
  /** The text of the last completed message, if known. */
  latestText(): string | undefined;
}

/** @param isLate true if the decoder starts in the middle of a run: the earlier text is unknown */
export function createTextDecoder(output: OutputReader | undefined, isLate: boolean): TextDecoder {
  let isTextOpen = false;
  let isThinkingOpen = isLate;
  let hasCalls = false;
  let latestText: string | undefined;
  /** The completed text of the current turn, or undefined if unknown. */
  let turnText = isLate ? undefined : '';

  /** Text that begins like an object is the data of the output schema. Other text comes before the data and is not checked. */
  const readerOf = (text: string) => (text.trimStart().startsWith('{') ? output : undefined);

  function* endThinking(): Generator<AgentEvent> {
    if (isThinkingOpen) yield { type: 'reasoning-end', id: THINKING };
    isThinkingOpen = false;
  }
  function* openText(text: string): Generator<AgentEvent> {
    if (isTextOpen) return;
    isTextOpen = true;
    const reader = readerOf(text);
    yield { type: 'text-start', id: TEXT, ...(reader && { responseType: reader.typeName }) };
  }
  function* closeText(text: string | undefined): Generator<AgentEvent> {
    yield* endThinking();
    if (text) yield* openText(text);
    const error = text && readerOf(text)?.findIssues(text);
    yield { type: 'text-end', id: TEXT, ...(text === undefined ? {} : { text }), ...(error && { error }) };
    isTextOpen = false;
  }
  return {
    *addText(text) {
      // The first visible character decides between data and prose. The complete text restores leading white space.
      if (output !== undefined && !isTextOpen && text.trim() === '') return;
      yield* endThinking();
      if (isTextOpen && hasCalls) yield* closeText(undefined);
      hasCalls = false;
      yield* openText(text);
      yield { type: 'text-delta', id: TEXT, delta: text };
    },
    *addThinking(text) {
      isThinkingOpen = true;
      yield { type: 'reasoning-delta', id: THINKING, delta: text };
    },
    *completeMessage(text) {
      latestText = turnText = text ?? '';
      hasCalls = false;
      yield* closeText(text);
    },
    *addFinalText(text) {
      if (typeof text !== 'string' || text.trim() === '' || text.trim() === latestText?.trim()) return;
      if (isTextOpen || turnText?.trim() === '') yield* closeText(text);
    },
    noteCall() {
      hasCalls = true;
    },
    noteResult() {
      turnText = '';
    },
    latestText: () => latestText,
  };
}
