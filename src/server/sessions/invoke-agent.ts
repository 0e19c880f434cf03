/** One model invocation: forwards what the agent yields and collects what the session needs to know of it. */
import type {
  AgentEvent,
  ErrorEvent,
  FinishReason,
  PendingToolCall,
  TokenUsage,
  ToolResult,
} from '../../protocol/events.ts';
import { isRecord } from '../../shared/json.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import type { Agent, AgentAssistantMessage, AgentContext } from '../agent.ts';
import { checkEvent } from './check-event.ts';
import { letGo } from './event-source.ts';
import { agentFailure, sessionError } from './session-errors.ts';
import { addUsage } from './token-usage.ts';

/** How an invocation came out. */
export interface Invocation {
  /** The run was ended before the agent was done. */
  readonly isAborted: boolean;
  readonly finishReason: FinishReason;
  /** Set when it failed. */
  readonly error: ErrorEvent | null;
  /** What was said, without calls. */
  readonly message: AgentAssistantMessage;
  /** Calls the session has to get answered. */
  readonly calls: readonly PendingToolCall[];
  /** Calls the agent made and answered itself (tools of the provider, arguments that do not parse). */
  readonly selfAnswered: readonly { call: PendingToolCall; result: ToolResult }[];
  readonly usage: TokenUsage | null;
}

/** Calls the agent once. Never throws; ends promptly when the signal aborts, whatever the agent does. */
export async function* invokeAgent(
  agent: Agent,
  context: AgentContext,
  earlierUsage: TokenUsage | null,
  usedIds: ReadonlySet<string>,
  onThrown: (thrown: unknown) => void,
): AsyncGenerator<AgentEvent, Invocation, undefined> {
  const notes = createInvocationNotes(earlierUsage, usedIds);
  let events: AsyncIterator<AgentEvent> | undefined;
  try {
    events = read(agent(context));
    for (;;) {
      // Not longer than the signal allows: an agent that ignores it must not hold the run.
      const step = await untilAborted(events.next(), context.signal);
      if (step === undefined || context.signal.aborted) return notes.conclude(true);
      if (step.done) {
        notes.finish();
        return notes.conclude(false);
      }
      const event = notes.take(step.value);
      if (event === 'end') return notes.conclude(false);
      if (event !== null) yield event;
      if (context.signal.aborted) return notes.conclude(true);
    }
  } catch (thrown) {
    if (context.signal.aborted) return notes.conclude(true);
    onThrown(thrown);
    notes.fail(agentFailure(thrown));
    return notes.conclude(false);
  } finally {
    // Not awaited: an agent that hangs in its clean-up must not hold the run.
    letGo(events);
  }
}

function read(stream: AsyncIterable<AgentEvent>): AsyncIterator<AgentEvent> {
  if (typeof stream?.[Symbol.asyncIterator] === 'function') return stream[Symbol.asyncIterator]();
  throw new TypeError(
    'The agent returned nothing that can be read event by event. Write it as `async function*`.',
  );
}

/** Notes what passes. `take` gives the event to forward, `null` for none, `'end'` when the invocation is over. */
function createInvocationNotes(earlierUsage: TokenUsage | null, usedIds: ReadonlySet<string>) {
  const texts = new Map<string, string>();
  const announced = new Map<string, PendingToolCall>();
  const answered = new Map<string, ToolResult>();
  const requested = new Map<string, PendingToolCall>();
  let finishReason: FinishReason | null = null;
  let error: ErrorEvent | null = null;
  let usage = earlierUsage;

  function takeRequest(toolCalls: unknown): null | 'end' {
    if (!Array.isArray(toolCalls)) return reject('a tool-request without a list of toolCalls');
    for (const call of toolCalls) {
      const pending = toPendingCall(call);
      if (pending === null) return reject('a tool-request with a call that has no toolCallId or toolName');
      const { toolCallId } = pending;
      if (requested.has(toolCallId) || usedIds.has(toolCallId))
        return reject(`the call id '${toolCallId}' twice`);
      requested.set(toolCallId, pending);
    }
    return null;
  }
  function reject(what: string): 'end' {
    error = sessionError('invalid_agent_output', 'execution_error', `The agent yielded ${what}.`);
    return 'end';
  }
  function finish(reason?: FinishReason): 'end' {
    const open = [...announced.values()].filter((call) => !answered.has(call.toolCallId));
    finishReason = reason ?? (open.length > 0 ? 'tool-calls' : 'stop');
    // Announced calls count where no request names any.
    const isAsking = finishReason === 'tool-calls' || finishReason === 'client-tool-calls';
    if (isAsking && requested.size === 0) takeRequest(open);
    return 'end';
  }
  function take(value: AgentEvent): AgentEvent | null | 'end' {
    if (!isRecord(value) || typeof value.type !== 'string') return reject('something that is no event');
    checkEvent(value);
    const event = value as AgentEvent;
    switch (event.type) {
      case 'start':
      case 'tool-result-acknowledged':
        return null;
      case 'tool-request':
      case 'client-tool-request':
        return takeRequest(event.toolCalls);
      case 'finish':
        return finish(event.finishReason);
      case 'error':
        error = event;
        return 'end';
      case 'text-delta':
        // Chunks of models end in one without text: the client reports it, and the history goes without.
        if (typeof event.delta === 'string') texts.set(event.id, (texts.get(event.id) ?? '') + event.delta);
        return event;
      case 'tool-input-available':
        announced.set(event.toolCallId, toAnnouncedCall(event));
        return event;
      case 'tool-output-available':
        answered.set(event.toolCallId, { toolCallId: event.toolCallId, result: event.output ?? null });
        return event;
      case 'tool-output-error':
        answered.set(event.toolCallId, { toolCallId: event.toolCallId, error: event.error });
        return event;
      case 'usage':
        usage = addUsage(earlierUsage, event.usage);
        return { ...event, usage };
      default:
        // Whatever else the client may know, kinds of later protocol versions included.
        return event;
    }
  }
  function conclude(isAborted: boolean): Invocation {
    const content = [...texts.values()].filter((text) => text !== '').join('\n\n');
    const wantsTools = finishReason === 'tool-calls';
    const calls = [...requested.values()];
    const selfAnswered = [...answered.values()].flatMap((result) => {
      const call = announced.get(result.toolCallId);
      return call && !requested.has(result.toolCallId) && (wantsTools || calls.length > 0)
        ? [{ call, result }]
        : [];
    });
    return {
      isAborted,
      finishReason: finishReason ?? 'stop',
      error,
      message: { role: 'assistant', content },
      calls,
      selfAnswered,
      usage,
    };
  }
  return {
    take,
    finish,
    conclude,
    fail(event: ErrorEvent) {
      error = event;
    },
  };
}

function toPendingCall(call: unknown): PendingToolCall | null {
  if (!isRecord(call) || typeof call.toolCallId !== 'string' || call.toolCallId === '') return null;
  if (typeof call.toolName !== 'string' || call.toolName === '') return null;
  return { ...(call as unknown as PendingToolCall), args: isRecord(call.args) ? call.args : {} };
}

function toAnnouncedCall(event: { toolCallId: string; toolName: string; input: unknown }): PendingToolCall {
  const { toolCallId, toolName, input } = event;
  return { toolCallId, toolName, args: isRecord(input) ? input : {} };
}
