import type { AgentEvent } from '../../core/protocol/events.ts';
import { toArgs } from './decode-chunk.ts';
import type { AiSdkChunk } from './ui-message.ts';

/** The calls that a server announces again although the request had their answers, by the id on the page. */
export class RepeatedCalls {
  readonly #calls = new Map<string, AiSdkChunk>();

  get size(): number {
    return this.#calls.size;
  }

  /** The chunks that announced them. */
  get chunks(): readonly AiSdkChunk[] {
    return [...this.#calls.values()];
  }

  add(toolCallId: string, chunk: AiSdkChunk): void {
    this.#calls.set(toolCallId, chunk);
  }

  /** The server has an output for the call. */
  delete(toolCallId: string): void {
    this.#calls.delete(toolCallId);
  }

  /** Returns the events by which the answers are sent again. The run that asked knows them. */
  toRequest(executionId: string): readonly AgentEvent[] {
    const toolCalls = [...this.#calls].map(([toolCallId, { toolName, input }]) => ({
      toolCallId,
      toolName: String(toolName),
      args: toArgs(input),
    }));
    const text = 'The server asked again for calls that have their answers. The answers are sent again.';
    return [
      { type: 'notice', code: 'repeated_call', text },
      { type: 'client-tool-request', executionId, toolCalls },
      { type: 'finish', finishReason: 'tool-calls', executionId },
    ];
  }
}
