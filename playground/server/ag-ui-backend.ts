/** An agent that speaks AG-UI, with the encoder of AG-UI. The page posts the whole thread, so that the agent keeps nothing. */
import {
  type AGUIEvent,
  EventType,
  type Interrupt,
  type Message,
  type ResumeEntry,
  type RunAgentInput,
} from '@ag-ui/core';
import { EventEncoder } from '@ag-ui/encoder';
import {
  type Agent,
  type AgentMessage,
  type AgentToolCall,
  type AgentToolMessage,
  type ModelEvent,
  toNodeHandler,
} from 'handrail/server';
import type { Backend } from './backend.ts';
import { createPlaygroundAgent } from './playground-agent.ts';
import { readJson } from './read-json.ts';
import { recordAgent } from './record-agent.ts';
import { serverTools } from './server-tools.ts';
import { toStream } from './to-stream.ts';

/** @param script the agent in place of a model */
export function createAgUiBackend(script: Agent = createPlaygroundAgent()): Backend {
  const { agent, readHistory } = recordAgent(script);
  return {
    info: {
      id: 'ag-ui',
      label: 'AG-UI',
      description:
        'The same script as an AG-UI agent: it asks by interrupts, and a cut answer is asked for again.',
      carriers: ['sse'],
      asksAbout: [...INTERRUPTS.keys()],
    },
    handle: (request, response, session) =>
      toNodeHandler(async (asked) => {
        const input = (await asked.json()) as RunAgentInput;
        const encoder = new EventEncoder({ accept: asked.headers.get('accept') ?? '' });
        const frames = encode(run(agent, session, input, asked.signal), encoder);
        return new Response(toStream(frames).pipeThrough(new TextEncoderStream()), {
          headers: { 'content-type': encoder.getContentType() },
        });
      })(request, response),
    readHistory,
  };
}

async function* encode(events: AsyncIterable<AGUIEvent>, encoder: EventEncoder): AsyncGenerator<string> {
  for await (const event of events) yield encoder.encodeSSE(event);
}

/** Plays one run: from a message, or answers, until the agent is done or the page has to answer. */
async function* run(
  agent: Agent,
  sessionId: string,
  { threadId, runId, messages: thread, resume = [] }: RunAgentInput,
  signal: AbortSignal,
): AsyncGenerator<AGUIEvent> {
  yield { type: EventType.RUN_STARTED, threadId, runId };
  const messages = toAgentMessages(thread);
  const answers = readAnswers(messages, resume);
  messages.push(...answers);
  yield* answers.map(toResultEvent);

  const input = messages.findLast((message) => message.role === 'user')?.input ?? {};
  const trigger = { name: 'user-message', input };
  for (let invocation = 0; ; invocation += 1) {
    const messageId = `${runId}-${invocation}`;
    let toolCalls: readonly AgentToolCall[] = [];
    for await (const event of agent({ sessionId, executionId: runId, messages, trigger, signal })) {
      if (event.type === 'tool-request') toolCalls = event.toolCalls;
      yield* toEvents(event, messageId);
      if (event.type === 'error') return;
    }
    const results = await runServerTools(toolCalls);
    yield* results.map(toResultEvent);
    messages.push({ role: 'assistant', content: '', ...(toolCalls.length > 0 && { toolCalls }) }, ...results);
    if (toolCalls.length > results.length || toolCalls.length === 0) {
      const interrupts = toolCalls.flatMap(toInterrupts);
      const outcome = interrupts.length === 0 ? {} : { outcome: { type: 'interrupt', interrupts } as const };
      return yield { type: EventType.RUN_FINISHED, threadId, runId, ...outcome };
    }
  }
}

async function runServerTools(calls: readonly AgentToolCall[]): Promise<readonly AgentToolMessage[]> {
  const table = new Map(Object.entries(serverTools));
  const results = calls.map(async ({ toolCallId, toolName, args }): Promise<AgentToolMessage[]> => {
    const execute = table.get(toolName);
    return execute === undefined ? [] : [{ role: 'tool', toolCallId, toolName, result: await execute(args) }];
  });
  return (await Promise.all(results)).flat();
}

const APPROVAL = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
};
const FEEDBACK = {
  type: 'object',
  properties: {
    rating: {
      type: 'integer',
      minimum: 1,
      maximum: 5,
      title: 'Rating',
      description: '1 is poor, 5 is great',
    },
    comment: { type: 'string', maxLength: 500, title: 'Comment' },
  },
  required: ['rating'],
};

/** Calls that become interrupts: an approval, and a form that the page makes of the schema. The message is one of the arguments. */
const INTERRUPTS = new Map<string, { readonly message: string; readonly responseSchema: object }>([
  ['confirm_order', { message: 'description', responseSchema: APPROVAL }],
  ['request_feedback', { message: 'question', responseSchema: FEEDBACK }],
]);

function toInterrupts(call: AgentToolCall): readonly Interrupt[] {
  const { toolCallId, toolName, args } = call;
  const { message, responseSchema } = INTERRUPTS.get(toolName) ?? {};
  if (message === undefined || responseSchema === undefined) return [];
  const id = toInterruptId(call);
  return [{ id, reason: 'tool_call', toolCallId, message: String(args[message]), responseSchema }];
}

const toInterruptId = ({ toolCallId }: AgentToolCall) => `interrupt-${toolCallId}`;

/** The answers to interrupts are no messages of the thread yet. */
function readAnswers(
  messages: readonly AgentMessage[],
  resume: readonly ResumeEntry[],
): readonly AgentToolMessage[] {
  const calls = messages.flatMap((message) => (message.role === 'assistant' && message.toolCalls) || []);
  return calls.flatMap((call): AgentToolMessage[] => {
    const entry = resume.find(({ interruptId }) => interruptId === toInterruptId(call));
    const { toolCallId, toolName } = call;
    if (entry === undefined) return [];
    const outcome =
      entry.status === 'cancelled'
        ? { error: 'The person did not answer.' }
        : { result: toResult(entry.payload) };
    return [{ role: 'tool', toolCallId, toolName, ...outcome }];
  });
}

/** The script knows confirmations. */
function toResult(payload: { approved?: boolean }): unknown {
  return payload.approved === undefined ? payload : { confirmed: payload.approved };
}

function toResultEvent({ toolCallId, result, error }: AgentToolMessage): AGUIEvent {
  const content = error ?? JSON.stringify(result);
  return { type: EventType.TOOL_CALL_RESULT, messageId: `${toolCallId}-result`, toolCallId, content };
}

/** @param messageId the message that owns the calls; each text is a message of its own */
function toEvents(event: ModelEvent, parentMessageId: string): readonly AGUIEvent[] {
  const messageId = 'id' in event ? `${parentMessageId}-${event.id}` : '';
  switch (event.type) {
    case 'text-start':
      return [{ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' }];
    case 'text-delta':
      return [{ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: event.delta }];
    case 'text-end':
      return [{ type: EventType.TEXT_MESSAGE_END, messageId }];
    case 'reasoning-start':
      return [
        { type: EventType.REASONING_START, messageId },
        { type: EventType.REASONING_MESSAGE_START, messageId, role: 'reasoning' },
      ];
    case 'reasoning-delta':
      return [{ type: EventType.REASONING_MESSAGE_CONTENT, messageId, delta: event.delta }];
    case 'reasoning-end':
      return [
        { type: EventType.REASONING_MESSAGE_END, messageId },
        { type: EventType.REASONING_END, messageId },
      ];
    case 'tool-input-start': {
      const { toolCallId, toolName: toolCallName } = event;
      return [{ type: EventType.TOOL_CALL_START, toolCallId, toolCallName, parentMessageId }];
    }
    case 'tool-input-delta':
      return [{ type: EventType.TOOL_CALL_ARGS, toolCallId: event.toolCallId, delta: event.inputTextDelta }];
    case 'tool-input-end':
      return [{ type: EventType.TOOL_CALL_END, toolCallId: event.toolCallId }];
    case 'error':
      return [{ type: EventType.RUN_ERROR, message: event.message, code: event.errorType }];
    default:
      return [];
  }
}

function toAgentMessages(thread: readonly Message[]): AgentMessage[] {
  const names = new Map<string, string>();
  return thread.flatMap((message): AgentMessage[] => {
    if (message.role === 'user') {
      const content = typeof message.content === 'string' ? message.content : '';
      return [{ role: 'user', content, trigger: 'user-message', input: { USER_MESSAGE: content } }];
    }
    if (message.role === 'assistant') {
      const toolCalls = (message.toolCalls ?? []).map(({ id, function: called }): AgentToolCall => {
        names.set(id, called.name);
        return { toolCallId: id, toolName: called.name, args: JSON.parse(called.arguments) };
      });
      const content = typeof message.content === 'string' ? message.content : '';
      return [{ role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) }];
    }
    if (message.role !== 'tool') return [];
    const { toolCallId, content, error } = message;
    const outcome = error === undefined ? { result: readJson(String(content)) } : { error };
    return [{ role: 'tool', toolCallId, toolName: names.get(toolCallId) ?? '', ...outcome }];
  });
}
