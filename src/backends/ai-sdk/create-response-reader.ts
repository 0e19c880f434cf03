import type { AgentEvent, NoticeEvent } from '../../core/protocol/events.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { decodeChunk, type ResponseEnd, toObjectEvents } from './decode-chunk.ts';
import { findOpenCalls } from './find-open-calls.ts';
import { type AiSdkMemory, writeMemory } from './memory.ts';
import { MessageBuilder } from './message-builder.ts';
import { StepTexts } from './step-texts.ts';
import type { AiSdkChunk, AiSdkPart } from './ui-message.ts';

/** Reads the chunks of one response: what the page shows of them, and the message that the next request posts. */
export interface ResponseReader {
  /** The number of the chunks that it has read. */
  readonly received: number;
  read(chunks: readonly AiSdkChunk[]): readonly AgentEvent[];
  /** Returns the events that end the run or ask for answers; none for a response that was cut. */
  end(): readonly AgentEvent[];
  /** Keeps the message as far as it has come. */
  save(): void;
}

/**
 * The cursor of an event is its number in the run. The server replays a response from its first chunk, which brings the same events under
 * the same numbers, so that those which the engine has seen are dropped.
 *
 * @param request the history as the request posted it
 */
export function createResponseReader(request: AiSdkMemory, io: TransportIO): ResponseReader {
  const { executionId = '', posted, base } = request;
  const last = posted.at(-1);
  const builder = new MessageBuilder(last?.role === 'assistant' ? last : undefined);
  const end: ResponseEnd = { isComplete: false, isAborted: false, finishReason: 'stop' };
  const texts = new StepTexts();
  /** The data that may be replaced, by the type and the id. Its parts are shown once the response is here. */
  const replaceable = new Set<string>();
  let received = 0;
  const number = createNumbering(base);
  /** True once the message is whole. From then on the memory belongs to the next request. */
  let isKept = false;
  const save = (isWaiting = false) => {
    if (received > 0 && !isKept) writeMemory(io.memory, { ...request, answer: builder.read(), isWaiting });
  };

  return {
    get received() {
      return received;
    },
    read(chunks) {
      return chunks.flatMap((chunk) => {
        received += 1;
        const opening: AgentEvent[] = received === 1 ? [{ type: 'start', executionId }] : [];
        const fault = findFault(builder, chunk);
        if (fault) opening.push(fault);
        if (fault?.code === 'unknown_call') {
          io.onUnknownEvent(chunk);
          return number(opening);
        }
        builder.add(chunk);
        if (isReplaceable(chunk)) replaceable.add(dataKeyOf(chunk));
        if (chunk.type === 'finish-step') save();
        return number([...opening, ...texts.pass(chunk, decodeChunk(chunk, end, io.onUnknownEvent))]);
      });
    },
    end() {
      if (!end.isComplete) return [];
      const { finishReason } = end;
      const isAnswered = finishReason !== 'error' && !end.isAborted;
      const toolCalls = isAnswered ? findOpenCalls(builder.read()) : [];
      // Kept before the calls are told of: some are answered at once, and the answer is written into this message.
      save(toolCalls.length > 0);
      isKept = true;
      const data = builder.read().parts.filter((part) => replaceable.has(dataKeyOf(part)));
      const rest = [...texts.takeEnds(), ...data.flatMap(toObjectEvents)];
      if (toolCalls.length === 0) return number([...rest, { type: 'finish', finishReason, executionId }]);
      return number([
        ...rest,
        { type: 'client-tool-request', executionId, toolCalls },
        { type: 'finish', finishReason: 'client-tool-calls', executionId },
      ]);
    },
    save,
  };
}

function isReplaceable({ type, id, transient }: AiSdkChunk): boolean {
  return type.startsWith('data-') && id !== undefined && !transient;
}

function dataKeyOf({ type, id }: AiSdkPart): string {
  return `${type}:${id}`;
}

/** Gives each event its number in the run, from `base` on. */
function createNumbering(base: number): (events: readonly AgentEvent[]) => readonly AgentEvent[] {
  let count = base;
  return (events) =>
    events.map((event) => {
      count += 1;
      return { ...event, cursor: String(count) };
    });
}

/** The reference client ends the response at these chunks. Here they cost a notice. */
function findFault(builder: MessageBuilder, chunk: AiSdkChunk): NoticeEvent | undefined {
  if (builder.isStray(chunk)) {
    const text = `The server sent ${chunk.type} for a call that it never announced.`;
    return { type: 'notice', code: 'unknown_call', text };
  }
  if (!builder.isUnopened(chunk)) return undefined;
  return {
    type: 'notice',
    code: 'unopened_text',
    text: 'The server sent a piece of a text that it never began.',
  };
}
