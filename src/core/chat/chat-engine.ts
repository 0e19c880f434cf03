/** The chat: creates its parts, connects them, and keeps the rules that concern the conversation as a whole. */

import { type Clock, systemClock } from '../../shared/clock.ts';
import { type AgentChatError, invalidOptions } from '../../shared/errors.ts';
import { createId as createRandomId } from '../../shared/ids.ts';
import { isOffline, onNetworkChange } from '../../shared/network.ts';
import type { ChatActions, LocalActions } from '../persistence/chat-actions.ts';
import type { ChatPersistence } from '../persistence/create-persistence.ts';
import type { TriggerCommand } from '../protocol/commands.ts';
import { createConversation } from '../state/conversation.ts';
import type { FileReference, UIMessage } from '../state/message.ts';
import { isAskedHere } from '../state/tool-call.ts';
import { ChatStore } from '../store/chat-store.ts';
import { ToolRegistry } from '../tools/tool-registry.ts';
import type { AgentTransport, Connection } from '../transport/agent-transport.ts';
import type { AgentChat, AgentChatOptions, FilesInput, UserMessageInput } from './agent-chat.ts';
import { createAnswerDelivery } from './answer-delivery.ts';
import { ToolCalls } from './calls/tool-calls.ts';
import { checkOptions, readMessages } from './check-options.ts';
import { createNotify } from './create-notify.ts';
import { checkSend, createTrigger, toTrigger } from './create-trigger.ts';
import { createUserMessage, toMessageInput } from './create-user-message.ts';
import { checkPending, createLocalActions } from './local-actions.ts';
import { filesInReply } from './read-reply.ts';
import { Tracer } from './trace.ts';
import { destroyed } from './turn-errors.ts';
import { Turns } from './turns.ts';
import { needsUpload, pickedFiles, uploadFiles, uploadMessageFiles } from './uploads.ts';

/** The options of `send`, and what only `editMessage` adds to them. */
type EngineSendOptions = NonNullable<Parameters<AgentChat['send']>[2]> & {
  /** The message of the user before which the conversation goes back. */
  readonly rewindTo?: string;
};

/** Its methods are properties, so that apps can pass them around. What a transport may lack is added by the constructor. */
export class ChatEngine implements AgentChat {
  declare readonly id: string;
  declare readonly open?: NonNullable<AgentChat['open']>;
  declare readonly regenerate?: NonNullable<AgentChat['regenerate']>;
  declare readonly editMessage?: NonNullable<AgentChat['editMessage']>;
  declare readonly connect?: NonNullable<AgentChat['connect']>;
  declare readonly disconnect?: NonNullable<AgentChat['disconnect']>;
  readonly #persistence: ChatPersistence | undefined;
  readonly #connection: Connection | undefined;
  readonly #clock: Clock;
  readonly #createId: () => string;
  readonly #options: () => AgentChatOptions;
  readonly #store: ChatStore;
  /** For `handrail/devtools`, which listens to it. */
  readonly tracer: Tracer;
  readonly #turns: Turns;
  readonly #local: LocalActions;
  readonly registerTool: AgentChat['registerTool'];
  /** Aborts all uploads when the chat is destroyed. */
  readonly #destroyAbort = new AbortController();
  /** Aborts the uploads of messages that are being sent. */
  #stopAbort = new AbortController();
  #unsubscribeConnection: (() => void) | undefined;
  #ignoreNetwork: (() => void) | undefined;
  #isStarted = false;

  constructor(options: () => AgentChatOptions) {
    checkOptions(options());
    const { transport, id, clock = systemClock, createId = createRandomId } = options();
    const initialMessages = readMessages(options().initialMessages);
    this.#options = options;
    this.#connection = transport.connection;
    this.#clock = clock;
    this.#createId = createId;
    const notify = createNotify(options);
    const tracer = new Tracer(options, clock);
    const onError = (error: AgentChatError) => {
      tracer.step?.({ type: 'error-reported', code: error.code });
      notify('onError', error);
    };
    const store: ChatStore = new ChatStore(
      { ...createConversation(initialMessages), connection: transport.connection?.getStatus() },
      clock,
      (before, after) => tracer.calls(before, after),
    );
    const conversationId = () => this.id;
    const { register, read: tools } = new ToolRegistry(options, () => toolCalls.questions);
    this.registerTool = register;
    const context = { options, tools, transport, store, clock, createId, notify, tracer, conversationId };
    const toolCalls: ToolCalls = new ToolCalls({
      ...context,
      upload: (file, signal) => this.uploadFiles([file], undefined, { signal }),
      actions: () => this.#actions(),
      onProgress: (byPerson) => this.#turns.onProgress(byPerson),
      onError,
      onCallSettled: (call) => {
        // A call that other pages can go on with has not ended because this page was left.
        if (!(this.#isDestroyed && this.#outlivesPage)) notify('onCallSettled', call);
      },
    });
    const { questions, answers } = toolCalls;
    this.refreshTools = questions.refresh;
    this.#store = store;
    this.tracer = tracer;
    this.#turns = new Turns({
      ...context,
      initialMessages,
      toolCalls,
      delivery: createAnswerDelivery(transport),
      onEnd: () => queueMicrotask(() => this.#local.sendNext()),
    });
    this.#local = createLocalActions({ store, turns: this.#turns, answers, notify });
    this.#persistence = (options().persistence || undefined)?.attach({
      id,
      store,
      clock,
      local: this.#local,
      onNotice: (notice) => notify('onNotice', notice),
      onError,
      turns: this.#turns,
      questions,
      tracer,
    });
    this.#defineId(id);
    this.#addAbilities(transport);
  }

  /** For React: the tools may be others than those that the waiting calls were shown with. */
  readonly refreshTools: () => void;

  readonly getState = (): ReturnType<ChatStore['getState']> => this.#store.getState();

  readonly subscribe = (listener: () => void): (() => void) => {
    if (!this.#isDestroyed) this.#start();
    return this.#store.subscribe(listener);
  };

  readonly send = async (
    triggerName: string,
    input?: Readonly<Record<string, unknown>>,
    options: EngineSendOptions = {},
  ): Promise<void> => {
    const { whilePending, userMessage: given, rewindTo } = options;
    checkSend(triggerName, input, options);
    const userMessage = given ? toMessageInput(given) : undefined;
    const id = this.#createId();
    // Taken now: a stop() that comes while the conversation is restored is about these files, too.
    const signals = [this.#destroyAbort.signal, this.#stopAbort.signal];
    return this.#whenRestored(async () => {
      if (rewindTo !== undefined) this.#findSent(rewindTo);
      let shownFiles = pickedFiles(userMessage?.files);
      let sentFiles = pickedFiles(input?.FILES as FilesInput | undefined);
      if ([shownFiles, sentFiles].some((files) => needsUpload(files, this.#options()))) {
        // A message that cannot be sent must not upload anything.
        if (whilePending === 'reply' && this.#store.read().calls.some(isAskedHere)) throw filesInReply();
        checkPending(this.#store, whilePending);
        createTrigger(triggerName, input, id);
        [shownFiles, sentFiles] = await uploadMessageFiles(shownFiles, sentFiles, this.#options(), signals);
        this.#checkAlive();
      }
      const sent = sentFiles as readonly FileReference[] | undefined;
      const command = createTrigger(triggerName, input, id, sent, rewindTo);
      const files = (shownFiles ?? []) as readonly FileReference[];
      const now = new Date(this.#clock.now());
      const shown = userMessage && createUserMessage(userMessage, files, id, now);
      return this.#actions().post(command, shown, whilePending);
    });
  };

  readonly sendMessage: AgentChat['sendMessage'] = async (content, options?: EngineSendOptions) => {
    const userMessage = toMessageInput(content);
    const { content: text, files } = userMessage;
    const input = { USER_MESSAGE: text ?? '', FILES: files?.length ? files : undefined };
    return this.send('user-message', input, { ...options, userMessage });
  };

  readonly stop = (): void => {
    this.#stopAbort.abort();
    this.#stopAbort = new AbortController();
    this.#actions().stop();
  };

  readonly takeBack = (toolCallId: string): void => {
    const call = this.#store.read().calls.findLast(({ request }) => request.toolCallId === toolCallId);
    if (call) this.#actions().takeBack(call.key);
  };

  readonly retry = (): Promise<void> => this.#whenRestored((actions) => actions.retry());

  readonly clearError = (): void => this.#actions().clearError();

  readonly resume = (): Promise<void> => this.#whenRestored((actions) => actions.resume());

  readonly clearPersisted = async (): Promise<void> => this.#persistence?.clear();

  readonly uploadFiles: AgentChat['uploadFiles'] = async (files, onProgress, options) => {
    this.#checkAlive();
    const signals = [this.#destroyAbort.signal, ...(options?.signal ? [options.signal] : [])];
    return uploadFiles(files, this.#options(), signals, onProgress);
  };

  readonly destroy = (): void => {
    if (this.#isDestroyed) return;
    this.#destroyAbort.abort();
    // Closed first: the stored conversation is the one before the end of its turn.
    this.#persistence?.close();
    const notify = this.#store.close();
    this.#turns.stop(this.#outlivesPage);
    this.#local.releaseQueue();
    this.#connection?.disconnect();
    this.#unsubscribeConnection?.();
    this.#ignoreNetwork?.();
    notify();
  };

  /** The id is created when it is first read: Next.js refuses to prerender a component that draws a random number. */
  #defineId(id: string | undefined): void {
    let known = id;
    const get = () => {
      known ??= this.#createId();
      return known;
    };
    Object.defineProperty(this, 'id', { enumerable: true, get });
  }

  /** Adds the methods that only some transports allow. */
  #addAbilities({ capabilities, connection }: AgentTransport): void {
    Object.assign(
      this,
      capabilities.open && { open: () => this.#whenRestored((actions) => actions.open()) },
      capabilities.rewind && {
        regenerate: (options?: EngineSendOptions) => this.#regenerate(options),
        editMessage: async (
          rewindTo: string,
          content: string | UserMessageInput,
          options?: EngineSendOptions,
        ) => this.sendMessage(content, { ...options, rewindTo } as EngineSendOptions),
      },
      connection && {
        connect: async () => {
          this.#checkAlive();
          this.#start();
          await connection.connect();
        },
        disconnect: () => connection.disconnect(),
      },
    );
  }

  /** Sends the trigger of the latest turn again, from before its message. */
  #regenerate(options: EngineSendOptions = {}): Promise<void> {
    return this.#whenRestored(async (actions) => {
      const { trigger, messages } = this.#store.read();
      const latest = messages.findLast(({ role }) => role === 'user');
      const message = this.#findSent(trigger?.idempotencyKey ?? latest?.id);
      const id = this.#createId();
      const known = trigger ?? toTrigger(message);
      const command: TriggerCommand = { ...known, idempotencyKey: id, rewindTo: message.id };
      return actions.post(command, { ...message, id }, options.whilePending);
    });
  }

  /** @throws AgentChatError `invalid_options` if no message of the user has this id */
  #findSent(id: string | undefined): UIMessage {
    const found = this.#store.read().messages.find((message) => message.role === 'user' && message.id === id);
    if (!found) throw invalidOptions(`No message of the user has the id ${id}.`);
    return found;
  }

  /** Acts once the conversation is restored or opened; at once where that is done. */
  async #whenRestored(act: (actions: ChatActions) => Promise<void>): Promise<void> {
    this.#checkAlive();
    const restoring = this.#start();
    if (restoring) await restoring;
    const opening = this.#turns.opening();
    if (opening) await opening;
    this.#checkAlive();
    return act(this.#actions());
  }

  /** The actions of the tab that owns the conversation. */
  #actions(): ChatActions {
    return this.#persistence?.remote() ?? this.#local;
  }

  get #isDestroyed(): boolean {
    return this.#destroyAbort.signal.aborted;
  }

  /** True if another page can go on with the turn: from the storage, or from the server. */
  get #outlivesPage(): boolean {
    return Boolean(this.#persistence || this.#options().openOnStart) || this.#turns.isOpened();
  }

  #checkAlive(): void {
    if (this.#isDestroyed) throw destroyed();
  }

  #watchNetwork(): () => void {
    const show = () => {
      if (isOffline() === Boolean(this.#store.read().isOffline)) return;
      this.#store.change({ type: 'network-changed', isOffline: isOffline() });
      this.#store.publish();
    };
    show();
    return onNetworkChange(show);
  }

  /** Called at the first use of the chat: a chat that was only created must leave no listener behind. */
  #start(): Promise<void> | null | undefined {
    this.#unsubscribeConnection ??= this.#connection?.subscribe((status) => {
      // The owner tab's connection is the one that counts.
      if (this.#persistence?.remote()) return;
      this.tracer.step?.({ type: 'connection-changed', state: status.state });
      this.#store.change({ type: 'connection-changed', status });
      this.#store.publish();
    });
    this.#ignoreNetwork ??= this.#watchNetwork();
    if (!this.#persistence && !this.#isStarted) this.#turns.openOnStart();
    this.#isStarted = true;
    return this.#persistence?.start();
  }
}
