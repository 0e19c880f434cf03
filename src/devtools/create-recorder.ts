import type { AgentChat } from '../core/chat/agent-chat.ts';
import type { ChatTraceStep } from '../core/chat/trace.ts';
import type { ClientTools, InteractiveToolDefinition } from '../core/tools/client-tool.ts';
import { compact } from '../shared/json.ts';
import { listenToTrace } from './listen-to-trace.ts';
import { recordCalls } from './record-calls.ts';
import type { Recording } from './recording.ts';

/** Older steps go. */
const MAX_STEPS = 2000;

/** Records a chat. Made by {@link createRecorder}. */
export interface Recorder {
  /** Returns what was recorded so far. The same object until something changes; `JSON.stringify` makes a file of it. */
  getRecording(): Recording;
  /** Calls back after changes, once for the steps of one task. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  /** Forgets the steps so far. */
  clear(): void;
  /** Ends the recording. What was recorded stays. */
  stop(): void;
}

/**
 * Records the steps of a chat from now on: turns, requests, events, the life of each call, tabs and snapshots, and what the
 * conversation shows of its calls. Secrets are masked as in snapshots, and those by name as well; texts of messages are not recorded.
 *
 * @param chat what `useAgentChat` or `createAgentChat` returned
 * @throws AgentChatError `invalid_options` for something that is no chat
 */
export function createRecorder<Tools extends ClientTools>(chat: AgentChat<Tools>): Recorder {
  return new ChatRecorder(chat as unknown as AgentChat);
}

class ChatRecorder implements Recorder {
  readonly #chat: AgentChat;
  readonly #listeners = new Set<() => void>();
  readonly #tools = new Map<string, InteractiveToolDefinition>();
  readonly #ends: readonly (() => void)[];
  #steps: ChatTraceStep[] = [];
  #dropped = 0;
  #recording: Recording | undefined;
  #isScheduled = false;

  constructor(chat: AgentChat) {
    this.#chat = chat;
    const ignoreTrace = listenToTrace(chat, (step) => {
      this.#steps.push(step);
      if (this.#steps.length > MAX_STEPS) {
        this.#steps.shift();
        this.#dropped += 1;
      }
      this.#onChange();
    });
    this.#ends = [ignoreTrace, chat.subscribe(() => this.#onChange())];
    this.#learnTools();
  }

  readonly getRecording = (): Recording => {
    this.#recording ??= this.#record();
    return this.#recording;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly clear = (): void => {
    this.#steps = [];
    this.#dropped = 0;
    this.#onChange();
  };

  readonly stop = (): void => {
    // Recorded while the chat is still as it was at its latest step.
    this.getRecording();
    for (const end of this.#ends) end();
  };

  /** A waiting call carries the definition of its tool, whose schema says what is secret, also after the call was answered. */
  #learnTools(): void {
    for (const { toolName, definition } of this.#chat.getState().pendingCalls)
      if (definition) this.#tools.set(toolName, definition);
  }

  #onChange(): void {
    this.#recording = undefined;
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // A step comes in the middle of a change of the chat, and one task often brings many.
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#learnTools();
      for (const listener of this.#listeners) listener();
    });
  }

  #record(): Recording {
    const { status, error, messages } = this.#chat.getState();
    this.#learnTools();
    return compact({
      format: 'handrail-recording',
      version: 1,
      chatId: this.#chat.id,
      status,
      errorCode: error?.code,
      messages: messages.length,
      dropped: this.#dropped,
      steps: [...this.#steps],
      calls: recordCalls(messages, this.#tools),
    }) as Recording;
  }
}
