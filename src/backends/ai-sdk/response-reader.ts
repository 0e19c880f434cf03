import type { AgentEvent, FinishReason } from '../../core/protocol/events.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { Clock } from '../../shared/clock.ts';
import { CallNames } from './call-names.ts';
import { decodeChunk, type NamedCall, type ResponseEnd } from './decode-chunk.ts';
import { findFault } from './find-fault.ts';
import { findOpenCalls } from './find-open-calls.ts';
import { type AiSdkMemory, readAnswersKey, writeMemory } from './memory.ts';
import { MessageBuilder } from './message-builder.ts';
import { closeQuestion, Questions } from './questions.ts';
import { RepeatedCalls } from './repeated-calls.ts';
import { ReplayHold } from './replay-hold.ts';
import { ShownEvents } from './shown-events.ts';
import { type AiSdkChunk, isToolPart } from './ui-message.ts';

export interface ReaderOptions {
  readonly io: TransportIO;
  readonly clock: Clock;
  /** The history as the request posted it. */
  readonly request: AiSdkMemory;
  /** True for a response that comes again from its first chunk. The page has some of it, maybe in other pieces. */
  readonly isReplay: boolean;
}

/**
 * Reads the chunks of one response: what the page shows of them, and the message that the next request posts.
 *
 * A replay begins with `restarted`: the page goes back to the message as the request left it, and what the replay brings is written anew.
 * Its events are held back until it has caught up with what is here: a person may read, or answer, while it comes.
 */
export class ResponseReader {
  readonly #options: ReaderOptions;
  readonly #builder: MessageBuilder;
  readonly #names: CallNames;
  readonly #questions: Questions;
  readonly #end: ResponseEnd = { isComplete: false, isAborted: false, finishReason: 'stop' };
  readonly #shown = new ShownEvents();
  readonly #repeated = new RepeatedCalls();
  readonly #hold: ReplayHold;
  /** The calls whose approval the response asks for, by the id on the page. */
  readonly #approvals = new Set<string>();
  #received = 0;
  /** True once the memory belongs to the next request. */
  #isClosed = false;

  constructor(options: ReaderOptions) {
    const { request, io, clock } = options;
    const last = request.posted.at(-1);
    this.#hold = new ReplayHold(options.isReplay ? request.answer?.parts : undefined);
    this.#options = options;
    this.#builder = new MessageBuilder(last?.role === 'assistant' ? last : undefined);
    this.#questions = new Questions(io, clock);
    this.#names = new CallNames(this.#builder.parts);
  }

  /** The number of the chunks that it has read. */
  get received(): number {
    return this.#received;
  }

  get isComplete(): boolean {
    return this.#end.isComplete;
  }

  /** Milliseconds until `ask` has another question; undefined if none is due. */
  dueInMs(): number | undefined {
    return this.#questions.dueInMs();
  }

  read(chunks: readonly AiSdkChunk[]): readonly AgentEvent[] {
    const events = chunks.flatMap((chunk) => this.#readChunk(chunk));
    return this.#hold.pass([...events, ...this.#ask(false)], this.#builder.parts, this.isComplete);
  }

  /**
   * Returns the questions that are due.
   *
   * @param isDecided the server will not decide about the open calls any more: the step is over, or the response was cut
   */
  ask(isDecided: boolean): readonly AgentEvent[] {
    return this.#hold.pass(this.#ask(isDecided), this.#builder.parts, this.isComplete);
  }

  #ask(isDecided: boolean): readonly AgentEvent[] {
    const { parts } = this.#builder;
    // Nearly every chunk is a delta of a text, which asks nothing.
    if (!parts.some(isToolPart) || !this.#mayAsk()) return [];
    const toolCalls = this.#questions.take(this.#findOpenCalls(), isDecided);
    if (toolCalls.length === 0) return [];
    this.save();
    return this.#show([
      { type: 'client-tool-request', executionId: this.executionId, toolCalls, responseGoesOn: true },
    ]);
  }

  /** Returns the events that end the run or ask for answers; none for a response that was cut. */
  end(): readonly AgentEvent[] {
    const { isComplete, finishReason } = this.#end;
    if (!isComplete) return [];
    if (!this.#mayAsk()) return this.#finish(finishReason, this.#questions.expire(this.#findOpenCalls()));
    if (this.#repeated.size > 0 && this.#findOpenCalls().length === 0) return this.#answerAgain();
    const repeated = this.#repeated.chunks.flatMap((chunk) => this.#addCall(chunk));
    const open = this.#findOpenCalls();
    const toolCalls = this.#questions.keep(open);
    const request = { type: 'client-tool-request', executionId: this.executionId, toolCalls } as const;
    // `client-tool-calls` at the end of a replay would mean that the answers of this client never arrived.
    const reason = open.length > 0 ? 'tool-calls' : finishReason;
    return this.#finish(reason, toolCalls.length > 0 ? [...repeated, request] : repeated);
  }

  /** Keeps the message as far as it has come. */
  save(isWhole = false): void {
    const { request, io } = this.#options;
    if (this.#received === 0 || this.#hold.isHolding || this.#isClosed) return;
    const isWaiting = this.#questions.hasAsked;
    writeMemory(io, { ...request, answer: this.#builder.read(), isWaiting, isWhole });
  }

  /** Keeps the message, and nothing after that: the memory belongs to the next request. */
  close(isWhole = false): void {
    this.save(isWhole);
    this.#isClosed = true;
  }

  get executionId(): string {
    return this.#options.request.executionId ?? '';
  }

  /** The message is kept before the calls are told of: some are answered at once, and the answer is written into it. */
  #finish(finishReason: FinishReason, before: readonly AgentEvent[]): readonly AgentEvent[] {
    this.close(true);
    return [...before, { type: 'finish', finishReason, executionId: this.executionId }];
  }

  /** False for a response that the server gave up. */
  #mayAsk(): boolean {
    return !this.#end.isAborted && this.#end.finishReason !== 'error';
  }

  #readChunk(chunk: AiSdkChunk): readonly AgentEvent[] {
    const { io, isReplay } = this.#options;
    this.#received += 1;
    const opening: AgentEvent[] =
      this.#received === 1
        ? [{ type: 'start', executionId: this.executionId, ...(isReplay && { restarted: true }) }]
        : [];
    const fault = findFault(this.#builder, chunk);
    if (fault) opening.push(fault);
    if (fault && fault.code !== 'unopened_text') {
      io.onUnknownEvent(chunk);
      return opening;
    }
    return [...opening, ...this.#apply(chunk)];
  }

  #apply(chunk: AiSdkChunk): readonly AgentEvent[] {
    switch (chunk.type) {
      case 'start-step':
      case 'finish-step': {
        const asked = this.#ask(true);
        this.#builder.add(chunk);
        if (chunk.type === 'start-step') this.#shown.beginStep();
        else this.save();
        return asked;
      }
      case 'reset-step':
        return this.#resetStep(chunk);
      case 'tool-input-start':
      case 'tool-input-available':
      case 'tool-input-error':
        return this.#announce(chunk);
      default:
        this.#builder.add(chunk);
        return this.#decode(chunk);
    }
  }

  #announce(chunk: AiSdkChunk): readonly AgentEvent[] {
    const [, answered] = readAnswersKey(this.#options.request);
    const announcement = this.#builder.announcement(chunk, (part) => answered.includes(this.#names.of(part)));
    const part = this.#builder.find(chunk);
    switch (announcement) {
      case 'new':
        return this.#addCall(chunk);
      case 'held':
        return [];
      case 'repeated':
        if (part) this.#repeated.add(this.#names.of(part), chunk);
        return [];
      default:
        this.#builder.add(chunk);
        return this.#decode(chunk);
    }
  }

  #addCall(chunk: AiSdkChunk): readonly AgentEvent[] {
    this.#builder.addCall(chunk);
    return this.#decode(chunk);
  }

  /** Returns the events of a chunk that the message has taken. */
  #decode(chunk: AiSdkChunk): readonly AgentEvent[] {
    const part = chunk.type.startsWith('tool-') ? this.#builder.find(chunk) : undefined;
    const events = part
      ? this.#decodeOfCall(chunk, { part, toolCallId: this.#names.of(part) })
      : decodeChunk(chunk, undefined, this.#end, this.#options.io.onUnknownEvent);
    if (chunk.messageMetadata === undefined) return this.#show(events);
    const metadata = structuredClone(this.#builder.metadata);
    return this.#show([...events, { type: 'message-metadata', metadata }]);
  }

  #decodeOfCall(chunk: AiSdkChunk, named: NamedCall): readonly AgentEvent[] {
    const { io, isReplay } = this.#options;
    const { toolCallId } = named;
    if (chunk.type === 'tool-approval-request') this.#approvals.add(toolCallId);
    if (chunk.type.startsWith('tool-output')) this.#repeated.delete(toolCallId);
    const events = decodeChunk(chunk, named, this.#end, io.onUnknownEvent);
    // Of a replay nobody knows what was asked before.
    const isAsked = isReplay || this.#questions.wasAsked(toolCallId);
    return isAsked ? [...closeQuestion(named, chunk, this.#approvals.has(toolCallId)), ...events] : events;
  }

  #show(events: readonly AgentEvent[]): readonly AgentEvent[] {
    this.#shown.add(events);
    return events;
  }

  /** Takes back what the step has brought. The page begins anew with what stood before. */
  #resetStep(chunk: AiSdkChunk): readonly AgentEvent[] {
    const before = this.#builder.parts;
    this.#builder.add(chunk);
    const { parts } = this.#builder;
    const gone = before.filter((part) => !parts.includes(part)).filter(isToolPart);
    const closed = this.#questions.expire(gone.map((part) => ({ toolCallId: this.#names.of(part) })));
    // The id of a question that was shown is never that of another one.
    for (const part of gone) if (!this.#questions.wasAsked(this.#names.of(part))) this.#names.release(part);
    return [
      ...closed,
      { type: 'start', executionId: this.executionId, restarted: true },
      ...this.#shown.resetStep(),
    ];
  }

  /** The server did nothing but announce calls again that have their answers. */
  #answerAgain(): readonly AgentEvent[] {
    const [executionId] = readAnswersKey(this.#options.request);
    this.#isClosed = true;
    return this.#repeated.toRequest(executionId);
  }

  #findOpenCalls() {
    return findOpenCalls(this.#builder.parts, this.#names);
  }
}
