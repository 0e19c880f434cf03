import type { ForeignResponse } from '../../core/transport/translated-stream.ts';
import type { ChunkStream } from './requests.ts';
import type { ResponseReader } from './response-reader.ts';
import type { AiSdkChunk } from './ui-message.ts';

export interface ReadChunksOptions {
  /** A response that is cut is not resumed: what it leaves open is asked at once. */
  readonly isLast: boolean;
  readonly onEnd: () => void;
}

/** Reads the chunks of a response, and asks while the server is silent. */
export function readChunks(
  chunks: ChunkStream,
  reader: ResponseReader,
  { isLast, onEnd }: ReadChunksOptions,
): ForeignResponse<AiSdkChunk> {
  return {
    chunks: chunks[Symbol.asyncIterator](),
    read(arrived) {
      const isFirst = reader.received === 0;
      const events = reader.read(arrived);
      // From here on the request has arrived, also for a page that is opened later.
      if (isFirst) reader.save();
      return events;
    },
    silenceMs: () => reader.dueInMs(),
    readSilence: () => reader.ask(false),
    end: (error) => ({ events: reader.isComplete || !isLast ? reader.end() : reader.ask(true), error }),
    close: onEnd,
  };
}
