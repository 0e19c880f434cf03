/** Any model of the AI SDK (`ai` 6 or 7) as an agent. `ai` is an optional peer, loaded when the agent is first called. */
import type { CallSettings, JSONValue, LanguageModel, ModelMessage, TextStreamPart, ToolSet } from 'ai';
import type { FinishReason, PendingToolCall, TokenUsage } from '../../core/protocol/events.ts';
import { AgentChatError, describeThrown, invalidOptions } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import type { Agent, ModelEvent } from '../agent.ts';
import { createCallIds, usedCallIds } from '../call-ids.ts';
import { reportFailure } from '../report-failure.ts';
import { type AiSdkTool, declareTools } from './declare-tools.ts';
import { toModelContent } from './model-content.ts';
import { toModelErrorEvent } from './to-model-error-event.ts';
import { toModelMessages } from './to-model-messages.ts';

/** Options of {@link createAiSdkAgent}. */
export interface AiSdkAgentOptions {
  /** A model of any AI SDK provider, or the id of one of the AI gateway. */
  readonly model: LanguageModel;
  readonly system?: string;
  /**
   * Tools of the client and of the server, by name. The model gets them beside those that the page describes and the session allows
   * (`clientTools` of `createAgentSession`); of two with one name it gets the one that is given here.
   */
  readonly tools?: Readonly<Record<string, AiSdkTool>>;
  /** Temperature, retries and so on, as `streamText` takes them. */
  readonly settings?: Omit<CallSettings, 'abortSignal'>;
  /** Options of the provider, as `streamText` takes them. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, JSONValue>>>>;
  /** Called with the error of a failed model call, as the provider threw it, for your logs. The client gets an `error` event. */
  readonly onError?: (thrown: unknown) => unknown;
}

type StreamPart = TextStreamPart<ToolSet>;

/**
 * Creates an agent that calls an AI SDK model. One model call per invocation; the session runs the tools.
 *
 * Failures become `error` events: those of the provider have its status, the model, and `retryAfter` if the provider sent
 * it. Arguments that do not match a tool's schema go back to the model as an error. The history of the session retains reasoning,
 * signatures and other metadata of the provider, which models want back with the answers to their calls.
 *
 * @throws AgentChatError `invalid_options` without a model, and on the first call when the package `ai` is not installed.
 */
export function createAiSdkAgent(options: AiSdkAgentOptions): Agent {
  const { model, system, settings, providerOptions, onError } = options ?? {};
  if (!isRecord(model) && (typeof model !== 'string' || model === '')) {
    throw invalidOptions(
      "createAiSdkAgent needs a model: one of an AI SDK provider, such as openai('gpt-4.1-mini'), or a gateway's id.",
    );
  }
  return async function* askModel({ messages, signal, clientTools = [] }) {
    const ai = await loadAiSdk();
    const described = Object.fromEntries(clientTools.map((tool) => [tool.name, tool]));
    const tools = declareTools(ai, { ...described, ...options.tools });
    const modelName = typeof model === 'string' ? model : model.modelId;
    const fail = (thrown: unknown) => {
      reportFailure(onError, thrown);
      return toModelErrorEvent(ai, thrown, model);
    };
    try {
      const result = ai.streamText({
        ...settings,
        model,
        tools,
        messages: toModelMessages(messages, 'uploadFile' in ai),
        abortSignal: signal,
        // Replaces the default, which writes to the console. The error is also a part of the stream.
        onError: () => {},
        ...(system === undefined ? {} : { system }),
        ...(providerOptions === undefined ? {} : { providerOptions: { ...providerOptions } }),
      });
      const callId = createCallIds(usedCallIds(messages));
      const call: ModelCall = { model: modelName, callId, requested: [], finishReason: 'other' };
      for await (const part of result.fullStream) {
        if (part.type === 'error') {
          yield fail(part.error);
          return;
        }
        yield* translatePart(call, part);
      }
      yield* endCall(call, (await result.response).messages);
    } catch (thrown) {
      if (signal.aborted) return;
      yield fail(thrown);
    }
  };
}

async function loadAiSdk() {
  try {
    return await import('ai');
  } catch (cause) {
    const message =
      "createAiSdkAgent needs the package 'ai': install it with a provider, npm install ai @ai-sdk/openai.";
    throw new AgentChatError({ code: 'invalid_options', message, source: 'platform', cause });
  }
}

/** A model call under way. */
interface ModelCall {
  readonly model: string;
  /** Returns the id of a tool call in the conversation. */
  readonly callId: (id: string) => string;
  /** Tool calls that the session has to get answered. */
  readonly requested: PendingToolCall[];
  finishReason: FinishReason;
}

/** Translates a part of the stream of a model call to events. */
function* translatePart(call: ModelCall, part: StreamPart): Generator<ModelEvent> {
  switch (part.type) {
    case 'text-start':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-end':
      yield { type: part.type, id: part.id };
      return;
    case 'text-delta':
    case 'reasoning-delta':
      yield { type: part.type, id: part.id, delta: part.text };
      return;
    case 'tool-input-start': {
      const title = part.title === undefined ? {} : { title: part.title };
      yield { type: 'tool-input-start', toolCallId: call.callId(part.id), toolName: part.toolName, ...title };
      return;
    }
    case 'tool-input-delta':
      yield { type: 'tool-input-delta', toolCallId: call.callId(part.id), inputTextDelta: part.delta };
      return;
    case 'tool-input-end':
      yield { type: 'tool-input-end', toolCallId: call.callId(part.id) };
      return;
    case 'tool-call': {
      const { toolName, input } = part;
      const toolCallId = call.callId(part.toolCallId);
      const by = part.providerExecuted ? { providerExecuted: true } : {};
      yield { type: 'tool-input-available', toolCallId, toolName, input, ...by };
      const runsInSession = !part.providerExecuted && !part.invalid;
      if (runsInSession) call.requested.push({ toolCallId, toolName, args: isRecord(input) ? input : {} });
      return;
    }
    case 'tool-result':
    case 'tool-error':
      yield toOutputEvent(part, call.callId(part.toolCallId));
      return;
    case 'source':
      yield toSourceEvent(part);
      return;
    case 'file':
      yield toFileEvent(part);
      return;
    case 'finish-step':
      yield { type: 'usage', usage: { ...toUsage(part.usage), model: part.response.modelId || call.model } };
      call.finishReason = toFinishReason(part.finishReason);
      return;
    default:
      // A client shows nothing of steps, warnings, raw chunks and approvals.
      return;
  }
}

/** Yields the events after the last part. `responses` are the messages that the AI SDK made of the parts. */
function* endCall(call: ModelCall, responses: readonly ModelMessage[]): Generator<ModelEvent> {
  const { callId, requested, finishReason } = call;
  const content = toModelContent(responses, callId);
  if (content.length > 0) yield { type: 'model-content', content };
  if (requested.length > 0) yield { type: 'tool-request', toolCalls: requested };
  yield { type: 'finish', finishReason };
}

function toOutputEvent(
  part: Extract<StreamPart, { type: 'tool-result' | 'tool-error' }>,
  toolCallId: string,
): ModelEvent {
  return part.type === 'tool-error'
    ? { type: 'tool-output-error', toolCallId, error: describeThrown(part.error) }
    : { type: 'tool-output-available', toolCallId, output: part.output ?? null };
}

function toFileEvent({ file: { mediaType, base64 } }: Extract<StreamPart, { type: 'file' }>): ModelEvent {
  const url = `data:${mediaType};base64,${base64}`;
  return { type: 'file-available', id: crypto.randomUUID(), mediaType, url };
}

function toSourceEvent(part: Extract<StreamPart, { type: 'source' }>): ModelEvent {
  const { id } = part;
  if (part.sourceType === 'url') {
    const title = part.title === undefined ? {} : { title: part.title };
    return { type: 'source', sourceType: 'url', id, url: part.url, ...title };
  }
  const filename = part.filename === undefined ? {} : { filename: part.filename };
  return {
    type: 'source',
    sourceType: 'document',
    id,
    mediaType: part.mediaType,
    title: part.title,
    ...filename,
  };
}

function toUsage(usage: Extract<StreamPart, { type: 'finish-step' }>['usage']): TokenUsage {
  const counts = {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    totalTokens: usage.totalTokens,
    reasoningTokens: usage.outputTokenDetails?.reasoningTokens,
    cachedInputTokens: usage.inputTokenDetails?.cacheReadTokens,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

const FINISH_REASONS: readonly FinishReason[] = ['stop', 'tool-calls', 'length', 'content-filter', 'error'];

function toFinishReason(reason: string): FinishReason {
  return FINISH_REASONS.find((known) => known === reason) ?? 'other';
}
