import { createPersistence } from '../persistence/create-persistence.ts';
import { systemClock } from '../shared/clock.ts';
import { createId as randomId } from '../shared/ids.ts';
import { createConversation } from '../state/conversation.ts';
import type { FileReference } from '../state/message.ts';
import { createChatStore } from '../store/chat-store.ts';
import type { ClientTools } from '../tools/client-tool.ts';
import { createToolCalls } from '../tools/create-tool-calls.ts';
import type { AgentChat, AgentChatOptions, FilesInput } from './agent-chat.ts';
import { createTell } from './callbacks.ts';
import type { ChatActions } from './chat-actions.ts';
import { checkOptions, readMessages } from './check-options.ts';
import { checkPending, createLocalActions } from './local-actions.ts';
import { needsUpload, pickedFiles } from './raw-files.ts';
import { checkSend, createTrigger } from './trigger-command.ts';
import { destroyed, uploadsUnavailable } from './turn-errors.ts';
import { createTurns } from './turns.ts';
import { createUserMessage, toMessageInput } from './user-message.ts';

/** Most conversations send no files. */
const loadUploads = () => import('./uploads.ts').catch(uploadsUnavailable);

/**
 * Creates a chat. It does nothing until it is used: no request, no timer, no connection.
 *
 * @throws AgentChatError `invalid_options` when the transport is missing or an option is of the wrong kind.
 */
export function createAgentChat<const Tools extends ClientTools = ClientTools>(
  options: AgentChatOptions<Tools>,
): AgentChat<Tools> {
  const chat = createAgentChatFrom(() => options);
  // The storage of a browser is not there while a server renders; one that was given is.
  if (!options.persistence || !(options.persistence.storage || globalThis.document)) return chat;
  let isRead = false;
  return {
    ...chat,
    getState() {
      // Later: a state may be read while something renders.
      if (!isRead) queueMicrotask(() => chat.subscribe(() => {})());
      isRead = true;
      return chat.getState();
    },
  };
}

/**
 * Like {@link createAgentChat}, with options that may be others the next time they are looked at.
 *
 * @param tellEnd when subscribers hear of `destroy()`: at once, or when they may
 */
export function createAgentChatFrom<Tools extends ClientTools>(
  options: () => AgentChatOptions<Tools>,
  tellEnd: (tell: () => void) => void = (tell) => tell(),
): AgentChat<Tools> {
  checkOptions(options() as AgentChatOptions);
  const { transport, id, initialMessages, clock = systemClock, createId = randomId } = options();
  const { connection } = transport;
  const tell = createTell(options as () => AgentChatOptions);
  const uploads = new AbortController();
  let uploading = new AbortController();
  let isDestroyed = false;
  let stopListening: (() => void) | undefined;
  const chatId = id ?? createId();

  const store = createChatStore(
    { ...createConversation(readMessages(initialMessages)), connection: connection?.getStatus() },
    clock,
    (call) => toolCalls.bind(call),
  );
  const context = { options, transport, store, clock, createId, tell };
  const toolCalls = createToolCalls({
    ...context,
    conversationId: chatId,
    actions: () => actions(),
    onSettled: (byPerson) => turns.onSettled(byPerson),
    onCallSettled(call) {
      // What is kept has not ended by leaving the page.
      if (!(isDestroyed && persistence)) tell('onCallSettled', call);
    },
  });
  const engine = { ...context, toolCalls };
  const turns = createTurns({ ...engine, onOver: () => queueMicrotask(local.sendNext) });

  const local = createLocalActions(store, turns, toolCalls, tell);
  const actions = (): ChatActions => persistence?.remote() ?? local;

  const persistence = createPersistence({ ...engine, turns, local });

  /** From the first use on: a chat that was only created must leave no listener behind. */
  const listen = () => {
    stopListening ??= connection?.subscribe((status) => {
      // Another tab's connection is the one that counts.
      if (persistence?.remote()) return;
      store.change({ type: 'connection-changed', status });
      store.publish();
    });
    return persistence?.start();
  };

  const checkAlive = () => {
    if (isDestroyed) throw destroyed();
  };

  /** Nothing may be done before the conversation is the one that was kept; where it is, it is done at once. */
  const whenReady = async (act: () => Promise<void>) => {
    checkAlive();
    const restoring = listen();
    if (restoring) await restoring.then(checkAlive);
    return act();
  };

  const send: AgentChat['send'] = async (triggerName, input, sendOptions = {}) => {
    const { whilePending, userMessage: given } = sendOptions;
    checkSend(triggerName, input, sendOptions);
    const userMessage = given ? toMessageInput(given) : undefined;
    return whenReady(async () => {
      let shownFiles = pickedFiles(userMessage?.files);
      let sentFiles = pickedFiles(input?.FILES as FilesInput | undefined);
      if ([shownFiles, sentFiles].some(needsUpload)) {
        // What cannot be sent is not worth an upload.
        checkPending(store, whilePending);
        createTrigger(triggerName, input, undefined);
        const signals = [uploads.signal, uploading.signal];
        const request = options().requestUploadUrls;
        [shownFiles, sentFiles] = await (await loadUploads()).uploadMessageFiles(
          shownFiles,
          sentFiles,
          request,
          signals,
        );
        checkAlive();
      }
      const command = createTrigger(triggerName, input, sentFiles as readonly FileReference[] | undefined);
      const files = (shownFiles ?? []) as readonly FileReference[];
      const shown =
        userMessage && createUserMessage(userMessage.content, files, createId, new Date(clock.now()));
      return actions().post(command, shown, whilePending);
    });
  };

  return {
    id: chatId,
    getState: () => store.getState() as ReturnType<AgentChat<Tools>['getState']>,
    subscribe(listener) {
      if (!isDestroyed) listen();
      return store.subscribe(listener);
    },
    send,
    async sendMessage(content, sendOptions) {
      const message = toMessageInput(content);
      const { content: said, files } = message;
      const input = { USER_MESSAGE: said ?? '', FILES: files?.length ? files : undefined };
      return send('user-message', input, { ...sendOptions, userMessage: message });
    },
    stop() {
      uploading.abort();
      uploading = new AbortController();
      actions().stop();
    },
    retry: () => whenReady(() => actions().retry()),
    clearError: () => actions().clearError(),
    resume: () => whenReady(() => actions().resume()),
    async clearPersisted() {
      await persistence?.clear();
    },
    async uploadFiles(files, onProgress, { signal = uploads.signal } = {}) {
      checkAlive();
      const { uploadFiles } = await loadUploads();
      return uploadFiles(files, options().requestUploadUrls, [uploads.signal, signal], onProgress);
    },
    ...(connection && {
      async connect() {
        checkAlive();
        listen();
        await connection.connect();
      },
      disconnect: () => connection.disconnect(),
    }),
    destroy() {
      if (isDestroyed) return;
      isDestroyed = true;
      // What is kept is the conversation as it was, not as leaving ends it.
      persistence?.close();
      const tell = store.close();
      uploads.abort();
      turns.stop(persistence !== undefined);
      local.letGo();
      connection?.disconnect();
      stopListening?.();
      tellEnd(tell);
    },
  };
}
