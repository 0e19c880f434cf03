/** The thread, which AG-UI keeps on the client: every run posts all of its messages, and the state. */
import type { TokenUsage } from '../../core/protocol/events.ts';
import type { TransportMemory } from '../../core/transport/agent-transport.ts';
import { createId } from '../../shared/ids.ts';
import { isRecord, type JsonValue } from '../../shared/json.ts';
import type { Activity } from './activities.ts';
import type { AgUiMessage, Interrupt, ResumeEntry } from './messages.ts';

export interface AgUiMemory {
  readonly threadId: string;
  /** The messages as the latest run posted them, without secrets. A request that is sent again starts from these. */
  readonly posted: readonly AgUiMessage[];
  /** The messages as the latest response left them, also if it was cut. */
  readonly after?: readonly AgUiMessage[];
  readonly state?: unknown;
  /** The activities of the thread. They are not posted. */
  readonly activities?: readonly Activity[];
  /** The tokens of this turn so far. */
  readonly usage?: TokenUsage;
  /** Names the latest request: the key of its message, or the calls that it answers. */
  readonly request?: string;
  readonly runId?: string;
  /** The questions that the latest run left open. */
  readonly interrupts: readonly Interrupt[];
  /** The answers to questions that go out with the next message, or went out with the latest request. */
  readonly resume?: readonly ResumeEntry[];
  /** The calls of this turn whose questions were answered. The agent owes no result for them: after a cancellation it often sends none. */
  readonly answeredCalls?: readonly string[];
  /** The run that asked what `resume` answers. */
  readonly parentRunId?: string;
}

/** @param first the id of the thread and its state as the app gives them */
export function readMemory(
  memory: TransportMemory,
  first: { readonly threadId?: string | undefined; readonly state?: unknown },
): AgUiMemory {
  const value = memory.get();
  const known = isRecord(value) && Array.isArray(value.posted) ? (value as unknown as AgUiMemory) : first;
  return { posted: [], interrupts: [], ...known, threadId: first.threadId ?? known.threadId ?? createId() };
}

export function writeMemory(memory: TransportMemory, value: AgUiMemory): void {
  // A copy: the thread changes further.
  memory.set(JSON.parse(JSON.stringify(value)) as JsonValue);
}

export function toThread({ posted, after }: AgUiMemory): readonly AgUiMessage[] {
  return after ?? posted;
}
