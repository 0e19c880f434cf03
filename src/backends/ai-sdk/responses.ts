/** The responses of a chat, one after the other: opens them, reads them, and keeps what the next request posts. */
import type { RespondCommand, ResumeCommand, RunCommand } from '../../core/protocol/commands.ts';
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { AgentEventStream, TransportIO } from '../../core/transport/agent-transport.ts';
import {
  type ForeignResponse,
  type Opened,
  TranslatedStream,
} from '../../core/transport/translated-stream.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { isTelling, joinQuestions, joinResponse } from './join-chat.ts';
import { type AiSdkMemory, type FirstMemory, readMemory, toChatId, writeMemory } from './memory.ts';
import { prepareAnswers, prepareMessage } from './prepare-request.ts';
import { isForPerson } from './questions.ts';
import { readChunks } from './read-chunks.ts';
import type { ChunkStream, PostedChat, Requests } from './requests.ts';
import { ResponseReader } from './response-reader.ts';
import { prepend, skipEarlier } from './skip-earlier.ts';
import { type AiSdkChunk, isToolPart } from './ui-message.ts';

/** The responses that are being read, by their run. The next request needs what they have brought so far. */
export type Readings = Map<string, ResponseReader>;

export interface ResponsesOptions {
  readonly requests: Requests;
  readonly io: TransportIO;
  readonly clock: Clock;
  /** True if the server keeps its streams. */
  readonly resume: boolean;
  /** True if a response that is cut goes on by itself. */
  readonly goesOn: boolean;
  readonly reading: Readings;
  readonly first: FirstMemory;
}

/** The one position of a run: a replay is written anew. */
const BEGINNING = 'beginning';

type Events = AsyncGenerator<readonly AgentEvent[], void>;

/** One run of a chat, over as many responses as it takes. */
export class Responses {
  readonly #options: ResponsesOptions;
  /** Reads the response that is going on. A server that can goes on where it was cut. */
  #reader: ResponseReader | undefined;
  /** The stream of a response that was found on a new page. */
  #found: ChunkStream | undefined;

  constructor(options: ResponsesOptions) {
    this.#options = options;
  }

  get io(): TransportIO {
    return this.#options.io;
  }

  open(command: RunCommand): AsyncIterator<readonly AgentEvent[], undefined> {
    const { clock, io } = this.#options;
    const send = () => (command.type === 'resume' ? this.#resume(command) : this.#post(command));
    return new TranslatedStream(send, { clock, signal: io.signal });
  }

  /** The message that follows carries these answers with it, so that the agent does not react to them on their own. */
  async *keepAnswers(command: RespondCommand): Events {
    const { kept } = prepareAnswers(command, this.#takeMemory(), this.io);
    writeMemory(this.io, kept);
    yield [];
  }

  /**
   * Finds what a new page cannot know, see `join-chat.ts`.
   *
   * @param readRun reads the run that was found, to its end
   */
  async *join(readRun: (command: ResumeCommand) => AgentEventStream): Events {
    const { io, first } = this.#options;
    if (io.memory.get() !== undefined) return;
    const memory = readMemory(io, first);
    const shown = io.chat.messages();
    const questions = joinQuestions(memory, shown, (call) => isForPerson(call, io));
    // A message waits for a question, and not for what the server says.
    if (!questions) yield [];
    const response = await this.#findResponse(memory).catch((thrown: unknown) => {
      if (!questions) throw thrown;
    });
    // The page may have sent a message meanwhile.
    if (io.signal.aborted || io.memory.get() !== undefined) return void response?.rest.return?.();
    if (response === undefined) {
      if (!questions) return;
      writeMemory(io, questions.memory);
      return yield [questions.snapshot];
    }
    const { chunks, rest } = response;
    const { memory: found, snapshot } = joinResponse(memory, shown, chunks);
    const { executionId = '' } = found;
    writeMemory(io, found);
    this.#found = prepend(chunks, rest);
    yield [snapshot, { type: 'start', executionId, cursor: BEGINNING }];
    yield* readRun({ type: 'resume', executionId, cursor: BEGINNING });
  }

  /** Asks for the response that goes on, and reads its beginning. Resolves to undefined if there is none. */
  async #findResponse({ posted }: AiSdkMemory) {
    const { io, requests, resume, first } = this.#options;
    // The server does not know a random id.
    if (!resume || !(io.chat.isNamed || first.chatId !== undefined)) return undefined;
    const resumed = await requests.resume(toChatId(io, first), 0, io);
    if (!resumed) return undefined;
    const hasCalls = posted.at(-1)?.parts.some(isToolPart);
    const rest = resumed.chunks[Symbol.asyncIterator]();
    const chunks: AiSdkChunk[] = [];
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      chunks.push(...next.value);
      if (!hasCalls || chunks.some(isTelling)) break;
    }
    return chunks.length > 0 ? { chunks, rest } : undefined;
  }

  async #post(command: Exclude<RunCommand, ResumeCommand>): Promise<Opened<AiSdkChunk> | undefined> {
    const { io, first } = this.#options;
    const id = toChatId(io, first);
    const memory = this.#takeMemory();
    const { kept, messages, trigger } =
      command.type === 'trigger' ? prepareMessage(command, memory, io) : prepareAnswers(command, memory, io);
    // An earlier page sent the same yes, and nobody knows whether it arrived. A person decides whether it goes out again, by `retry()`.
    if (memory.isUnderWay && memory.request === kept.request && isUnheard(memory) && allowsCall(memory))
      throw this.#giveUp(memory);
    writeMemory(io, { ...kept, isUnderWay: true });
    this.#reader = undefined;
    const messageId = command.type === 'respond' ? messages.at(-1)?.id : undefined;
    const chunks = await this.#send({ id, messages, trigger, messageId }, kept);
    if (chunks === undefined) return;
    const { executionId = '' } = kept;
    // From here on a response that is cut can be resumed.
    const start: AgentEvent = { type: 'start', executionId, cursor: BEGINNING };
    return { before: command.type === 'trigger' ? [start] : [], response: this.#read(chunks, kept, false) };
  }

  /** A request that fails is under way no more. One that is aborted may be: the page was left. */
  async #send(chat: PostedChat, kept: AiSdkMemory): Promise<ChunkStream | undefined> {
    const { io, requests } = this.#options;
    try {
      return await requests.post(chat, io);
    } catch (thrown) {
      if (!io.signal.aborted) writeMemory(io, kept);
      throw thrown;
    }
  }

  #giveUp(memory: AiSdkMemory): AgentChatError {
    writeMemory(this.io, { ...memory, isUnderWay: false });
    return nothingToResume();
  }

  async #resume({ executionId }: ResumeCommand): Promise<Opened<AiSdkChunk> | undefined> {
    const { io, requests, first } = this.#options;
    const memory = readMemory(io, first);
    const chunks = this.#takeFound() ?? (await this.#askAgain(memory, requests));
    if (chunks === undefined) return;
    if (chunks !== null) return { response: this.#read(chunks, memory, this.#reader === undefined) };
    const asked = this.#reader?.ask(true) ?? [];
    // A page that was reloaded over an open question has all of the response. The server forgets a response that has ended.
    const isWaiting = memory.isWaiting || asked.length > 0;
    if (!isWaiting && !(isUnheard(memory) && !allowsCall(memory))) throw this.#giveUp(memory);
    return { before: [...asked, { type: 'finish', finishReason: 'client-tool-calls', executionId }] };
  }

  /** Asks for the response that was cut. Returns null if the server has none. */
  async #askAgain(memory: AiSdkMemory, requests: Requests): Promise<ChunkStream | null | undefined> {
    const { io, first } = this.#options;
    const resumed = await requests.resume(toChatId(io, first), this.#reader?.received ?? 0, io);
    if (!resumed) return resumed;
    if (resumed.isReplay) this.#reader = undefined;
    if (!isUnheard(memory)) return resumed.chunks;
    return (await skipEarlier(resumed.chunks, memory)) ?? null;
  }

  #takeFound(): ChunkStream | undefined {
    const found = this.#found;
    this.#found = undefined;
    return found;
  }

  #read(chunks: ChunkStream, request: AiSdkMemory, isReplay: boolean): ForeignResponse<AiSdkChunk> {
    const { io, clock, reading, goesOn } = this.#options;
    const key = this.#keyOf(request);
    this.#reader ??= new ResponseReader({ io, clock, request: { ...request, isUnderWay: false }, isReplay });
    const reader = this.#reader;
    reading.set(key, reader);
    const onEnd = () => {
      if (!io.signal.aborted && reader.received === 0) writeMemory(io, request);
      reader.save();
      if (reading.get(key) === reader) reading.delete(key);
    };
    return readChunks(chunks, reader, { isLast: !goesOn, onEnd });
  }

  /** Returns the memory for the next request. A response that is being read has no part in what follows. */
  #takeMemory(): AiSdkMemory {
    const { io, first, reading } = this.#options;
    reading.get(this.#keyOf(readMemory(io, first)))?.close();
    return readMemory(io, first);
  }

  #keyOf({ executionId }: AiSdkMemory): string {
    return JSON.stringify([this.io.chat.id, executionId]);
  }
}

/** True if the latest request carried answers and nothing of its response is here. Nobody knows if they arrived. */
function isUnheard({ posted, answer }: AiSdkMemory): boolean {
  return posted.at(-1)?.role === 'assistant' && answer === undefined;
}

/** True if the latest request says yes to an approval. If it arrived, and is sent again, the server executes the call twice. */
function allowsCall({ posted }: AiSdkMemory): boolean {
  const parts = posted.at(-1)?.parts ?? [];
  return parts.some(
    (part) => isToolPart(part) && part.state === 'approval-responded' && part.approval?.approved === true,
  );
}

function nothingToResume(): AgentChatError {
  return new AgentChatError({
    code: 'not_resumable',
    message:
      'The connection was cut, and the server does not have the response any more. retry() asks again.',
    errorType: 'not_found_error',
    retryable: true,
  });
}
