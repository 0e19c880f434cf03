import type { ChatActions } from '../persistence/chat-actions.ts';
import type { ChatPersistence } from '../persistence/create-persistence.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import { createId as createRandomId } from '../shared/ids.ts';
import { createConversation } from '../state/conversation.ts';
import type { FileReference } from '../state/message.ts';
import { ChatStore } from '../store/chat-store.ts';
import type { ClientTools } from '../tools/client-tool.ts';
import { ToolCalls } from '../tools/tool-calls.ts';
import type { Connection } from '../transport/agent-transport.ts';
import type { AgentChat, AgentChatOptions, FilesInput, UploadProgress } from './agent-chat.ts';
import { createAnswerDelivery } from './answer-delivery.ts';
import { checkOptions, readMessages } from './check-options.ts';
import { createNotify } from './create-notify.ts';
import { checkSend, createTrigger } from './create-trigger.ts';
import { createUserMessage, toMessageInput } from './create-user-message.ts';
import { checkPending, LocalActions } from './local-actions.ts';
import { destroyed } from './turn-errors.ts';
import { Turns } from './turns.ts';
import { needsUpload, pickedFiles, uploadFiles, uploadMessageFiles } from './uploads.ts';

/**
 * Creates a chat. It does nothing until it is used: no request, no timer, no connection.
 *
 * @throws AgentChatError `invalid_options` when the transport is missing or an option is of the wrong kind.
 */
export function createAgentChat<const Tools extends ClientTools = ClientTools>(
  options: AgentChatOptions<Tools>,
): AgentChat<Tools> {
  const chat = toAgentChat<Tools>(new ChatEngine(() => options as AgentChatOptions));
  const canRestore = options.persistence ? options.persistence.isAvailable() : false;
  if (!canRestore) return chat;
  const { getState } = chat;
  let isRestoring = false;
  return Object.assign(chat, {
    getState() {
      // The conversation is restored after this task, because a state may be read while something renders.
      if (!isRestoring) queueMicrotask(() => chat.subscribe(() => {})());
      isRestoring = true;
      return getState();
    },
  });
}

/** Like {@link createAgentChat}, for React: the options may be others each time they are read. */
export function createAgentChatFrom<Tools extends ClientTools>(
  options: () => AgentChatOptions<Tools>,
): AgentChat<Tools> {
  return toAgentChat<Tools>(new ChatEngine(options as () => AgentChatOptions));
}

/** The public object of a chat. Its methods are bound, so apps can pass them around. */
function toAgentChat<Tools extends ClientTools>(engine: ChatEngine): AgentChat<Tools> {
  const { connection } = engine;
  return {
    get id() {
      return engine.id;
    },
    getState: () => engine.getState() as ReturnType<AgentChat<Tools>['getState']>,
    subscribe: (listener) => engine.subscribe(listener),
    send: (...args) => engine.send(...args),
    async sendMessage(content, options) {
      const message = toMessageInput(content);
      const { content: text, files } = message;
      const input = { USER_MESSAGE: text ?? '', FILES: files?.length ? files : undefined };
      return engine.send('user-message', input, { ...options, userMessage: message });
    },
    stop: () => engine.stop(),
    retry: () => engine.whenRestored((actions) => actions.retry()),
    clearError: () => engine.actions().clearError(),
    resume: () => engine.whenRestored((actions) => actions.resume()),
    clearPersisted: async () => engine.persistence?.clear(),
    uploadFiles: async (files, onProgress, options) => engine.uploadFiles(files, onProgress, options?.signal),
    ...(connection && {
      connect: async () => engine.connect(),
      disconnect: () => connection.disconnect(),
    }),
    destroy: () => engine.destroy(),
  };
}

/** Creates the parts of a chat, connects them, and keeps the rules that concern the chat as a whole. */
class ChatEngine {
  readonly persistence: ChatPersistence | undefined;
  /** The connection of the transport, if it keeps one between requests. */
  readonly connection: Connection | undefined;
  #id: string | undefined;
  readonly #clock: Clock;
  readonly #createId: () => string;
  readonly #options: () => AgentChatOptions;
  readonly #store: ChatStore;
  readonly #turns: Turns;
  readonly #local: LocalActions;
  /** Aborts all uploads when the chat is destroyed. */
  readonly #destroyAbort = new AbortController();
  /** Aborts the uploads of messages that are being sent. */
  #stopAbort = new AbortController();
  #unsubscribeConnection: (() => void) | undefined;

  constructor(options: () => AgentChatOptions) {
    checkOptions(options());
    const { transport, id, initialMessages, clock = systemClock, createId = createRandomId } = options();
    this.#options = options;
    this.#id = id;
    this.connection = transport.connection;
    this.#clock = clock;
    this.#createId = createId;
    const notify = createNotify(options);
    const store: ChatStore = new ChatStore(
      { ...createConversation(readMessages(initialMessages)), connection: transport.connection?.getStatus() },
      clock,
      (call) => toolCalls.bind(call),
    );
    const context = { options, transport, store, clock, createId, notify };
    const toolCalls: ToolCalls = new ToolCalls({
      ...context,
      conversationId: () => this.id,
      actions: () => this.actions(),
      onProgress: (byPerson) => this.#turns.onProgress(byPerson),
      onError: (error) => notify('onError', error),
      onCallSettled: (call) => {
        // A persisted call has not ended because its page was left.
        if (!(this.#isDestroyed && this.persistence)) notify('onCallSettled', call);
      },
    });
    this.#store = store;
    this.#turns = new Turns({
      ...context,
      toolCalls,
      delivery: createAnswerDelivery(transport),
      onEnd: () => queueMicrotask(() => this.#local.sendNext()),
    });
    this.#local = new LocalActions({ store, turns: this.#turns, toolCalls, notify });
    this.persistence = (options().persistence || undefined)?.attach({
      id,
      store,
      clock,
      local: this.#local,
      onNotice: (notice) => notify('onNotice', notice),
      onError: (error) => notify('onError', error),
      takeOver: () => {
        this.#turns.restore();
        this.#local.sendNext();
      },
      yieldTo: (owner) => {
        this.#turns.detach();
        this.#local.releaseQueue((...message) => owner.post(...message, 'queue'));
        this.connection?.disconnect();
      },
    });
  }

  /** Created when it is first read: Next.js refuses to prerender a component that draws a random number. */
  get id(): string {
    this.#id ??= this.#createId();
    return this.#id;
  }

  /** The actions of the tab that owns the conversation. */
  actions(): ChatActions {
    return this.persistence?.remote() ?? this.#local;
  }

  getState(): ReturnType<ChatStore['getState']> {
    return this.#store.getState();
  }

  subscribe(listener: () => void): () => void {
    if (!this.#isDestroyed) this.#start();
    return this.#store.subscribe(listener);
  }

  /** Acts once the persisted conversation is restored; at once where that is done. */
  async whenRestored(act: (actions: ChatActions) => Promise<void>): Promise<void> {
    this.#checkAlive();
    const restoring = this.#start();
    if (restoring) await restoring.then(() => this.#checkAlive());
    return act(this.actions());
  }

  async send(...[triggerName, input, options = {}]: Parameters<AgentChat['send']>): Promise<void> {
    const { whilePending, userMessage: given } = options;
    checkSend(triggerName, input, options);
    const userMessage = given ? toMessageInput(given) : undefined;
    return this.whenRestored(async () => {
      let shownFiles = pickedFiles(userMessage?.files);
      let sentFiles = pickedFiles(input?.FILES as FilesInput | undefined);
      if ([shownFiles, sentFiles].some(needsUpload)) {
        // A message that cannot be sent must not upload anything.
        checkPending(this.#store, whilePending);
        createTrigger(triggerName, input, undefined);
        const signals = [this.#destroyAbort.signal, this.#stopAbort.signal];
        const { requestUploadUrls } = this.#options();
        [shownFiles, sentFiles] = await uploadMessageFiles(shownFiles, sentFiles, requestUploadUrls, signals);
        this.#checkAlive();
      }
      const command = createTrigger(triggerName, input, sentFiles as readonly FileReference[] | undefined);
      const files = (shownFiles ?? []) as readonly FileReference[];
      const now = new Date(this.#clock.now());
      const shown = userMessage && createUserMessage(userMessage, files, this.#createId, now);
      return this.actions().post(command, shown, whilePending);
    });
  }

  stop(): void {
    this.#stopAbort.abort();
    this.#stopAbort = new AbortController();
    this.actions().stop();
  }

  async uploadFiles(
    files: FilesInput,
    onProgress: UploadProgress | undefined,
    signal: AbortSignal | undefined,
  ): Promise<FileReference[]> {
    this.#checkAlive();
    const signals = [this.#destroyAbort.signal, ...(signal ? [signal] : [])];
    return uploadFiles(files, this.#options().requestUploadUrls, signals, onProgress);
  }

  async connect(): Promise<void> {
    this.#checkAlive();
    this.#start();
    await this.connection?.connect();
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#destroyAbort.abort();
    // Closed first: the stored conversation is the one before the end of its turn.
    this.persistence?.close();
    const notify = this.#store.close();
    this.#turns.stop(this.persistence !== undefined);
    this.#local.releaseQueue();
    this.connection?.disconnect();
    this.#unsubscribeConnection?.();
    notify();
  }

  get #isDestroyed(): boolean {
    return this.#destroyAbort.signal.aborted;
  }

  #checkAlive(): void {
    if (this.#isDestroyed) throw destroyed();
  }

  /** Called at the first use of the chat: a chat that was only created must leave no listener behind. */
  #start(): Promise<void> | null | undefined {
    this.#unsubscribeConnection ??= this.connection?.subscribe((status) => {
      // The owner tab's connection is the one that counts.
      if (this.persistence?.remote()) return;
      this.#store.change({ type: 'connection-changed', status });
      this.#store.publish();
    });
    return this.persistence?.start();
  }
}
