/** The thread, which AG-UI keeps on the client: every run posts all of its messages, and the state. */
import type { TokenUsage } from '../../core/protocol/events.ts';
import type { TransportChat, TransportMemory } from '../../core/transport/agent-transport.ts';
import { isRecord, type JsonValue } from '../../shared/json.ts';
import type { Activity } from './activities.ts';
import { fromUIMessages } from './from-ui-messages.ts';
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
  /** The calls of this turn that earlier runs have left without a result: after a cancellation an agent often sends none. */
  readonly answeredCalls?: readonly string[];
  /** The calls of this turn that the page has answered, by their ids on the page, and the execution that asked for each. */
  readonly answers?: readonly { readonly toolCallId: string; readonly executionId: string }[];
  /** The run that asked what `resume` answers. */
  readonly parentRunId?: string;
}

/** @param first the id of the thread and its state as the app gives them, and the chat, whose first messages are the history */
export function readMemory(
  memory: TransportMemory,
  first: { readonly threadId?: string | undefined; readonly state?: unknown },
  chat: TransportChat,
): AgUiMemory {
  const value = memory.get();
  const isKnown = isRecord(value) && Array.isArray(value.posted);
  const known = isKnown
    ? (value as unknown as AgUiMemory)
    : { ...first, posted: fromUIMessages(chat.initialMessages) };
  return { interrupts: [], ...known, threadId: first.threadId ?? known.threadId ?? chat.id };
}

export function writeMemory(memory: TransportMemory, value: AgUiMemory): void {
  // A copy: the thread changes further.
  memory.set(JSON.parse(JSON.stringify(value)) as JsonValue);
}

export function toThread({ posted, after }: AgUiMemory): readonly AgUiMessage[] {
  return after ?? posted;
}
