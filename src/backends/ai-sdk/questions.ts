import type { AgentEvent, PendingToolCall } from '../../core/protocol/events.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { Clock } from '../../shared/clock.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { NamedCall } from './decode-chunk.ts';
import { isOver } from './tool-parts.ts';
import type { AiSdkChunk } from './ui-message.ts';

/**
 * A call that the server executes looks like one of this client until its approval or its output comes. Both follow at once, unless the
 * tool is slow.
 */
const MOMENT_MS = 500;

/** Decides when the open calls of a response are asked: as soon as they are complete, and not when the response ends. */
export class Questions {
  readonly #io: TransportIO;
  readonly #clock: Clock;
  /** When a call is asked that may still get its approval or its output from the server. */
  readonly #due = new Map<string, number>();
  readonly #asked = new Set<string>();

  constructor(io: TransportIO, clock: Clock) {
    this.#io = io;
    this.#clock = clock;
  }

  get hasAsked(): boolean {
    return this.#asked.size > 0;
  }

  wasAsked(toolCallId: string): boolean {
    return this.#asked.has(toolCallId);
  }

  /**
   * Returns the calls that a person is asked about now. A handler waits for the end of the response: until then the server may execute the
   * call itself.
   *
   * @param isDecided the server will not send an approval or an output any more
   */
  take(open: readonly PendingToolCall[], isDecided: boolean): readonly PendingToolCall[] {
    const now = this.#clock.now();
    const candidates = open.filter(
      (call) => !this.#asked.has(call.toolCallId) && isForPerson(call, this.#io),
    );
    const taken = candidates.filter((call) => {
      const due = this.#due.get(call.toolCallId) ?? now + MOMENT_MS;
      this.#due.set(call.toolCallId, due);
      return isDecided || call.executedBy === 'server' || due <= now;
    });
    for (const id of [...this.#due.keys()])
      if (
        taken.some(({ toolCallId }) => toolCallId === id) ||
        !candidates.some((call) => call.toolCallId === id)
      )
        this.#due.delete(id);
    return this.keep(taken);
  }

  /** Returns the calls that were not asked, which the end of the response asks. */
  keep(open: readonly PendingToolCall[]): readonly PendingToolCall[] {
    const fresh = open.filter(({ toolCallId }) => !this.#asked.has(toolCallId));
    for (const { toolCallId } of fresh) this.#asked.add(toolCallId);
    return fresh;
  }

  /** Returns the events that close the questions about these calls, where there is one. */
  expire(calls: readonly Pick<PendingToolCall, 'toolCallId'>[]): readonly AgentEvent[] {
    return calls
      .filter(({ toolCallId }) => this.#asked.has(toolCallId))
      .map(({ toolCallId }) => ({
        type: 'tool-result-acknowledged',
        toolCallId,
        status: 'expired',
        outcome: 'expired',
      }));
  }

  /** Milliseconds until `take` has another call; undefined if none is due. */
  dueInMs(): number | undefined {
    const [first] = [...this.#due.values()].sort((a, b) => a - b);
    return first === undefined ? undefined : Math.max(0, first - this.#clock.now());
  }
}

/** True for an approval, and for a call that a person answers on this page. */
export function isForPerson({ toolName, executedBy }: PendingToolCall, io: TransportIO): boolean {
  const tools = io.clientTools?.() ?? {};
  const tool = hasOwn(tools, toolName) ? tools[toolName] : undefined;
  return executedBy === 'server' || tool === 'interactive' || (isRecord(tool) && tool.interactive === true);
}

/**
 * The server decided about a call itself: returns the event that closes its question.
 *
 * @param isApproval the question was whether the call may run: its output says that it did
 */
export function closeQuestion(
  { toolCallId, part }: NamedCall,
  chunk: AiSdkChunk,
  isApproval: boolean,
): readonly AgentEvent[] {
  const end = { type: 'tool-result-acknowledged', toolCallId, status: 'expired' } as const;
  if (isApproval && /^tool-output-(available|error)$/.test(chunk.type))
    return [{ ...end, outcome: 'submitted' }];
  switch (chunk.type) {
    case 'tool-output-available':
      return isOver(part) ? [{ ...end, outcome: 'submitted', result: chunk.output ?? null }] : [];
    case 'tool-output-error':
      return [{ ...end, outcome: 'failed', error: String(chunk.errorText) }];
    case 'tool-approval-response':
      if (chunk.approved === true) return [{ ...end, outcome: 'submitted' }];
      return [{ ...end, outcome: 'declined', ...reasonOf(part.approval?.reason) }];
    case 'tool-output-denied':
      return [{ ...end, outcome: 'declined', ...reasonOf(part.approval?.reason) }];
    default:
      return [];
  }
}

function reasonOf(reason: string | undefined): { readonly reason?: string } {
  return typeof reason === 'string' ? { reason } : {};
}
