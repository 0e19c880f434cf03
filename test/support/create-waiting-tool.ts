import type { AnyTool } from '../../src/components/any-tool.ts';
import {
  type Conversation,
  type ConversationAction,
  createConversation,
} from '../../src/core/state/conversation.ts';
import { reduceConversation } from '../../src/core/state/reduce-conversation.ts';
import type { InteractiveTool, InteractiveToolDefinition } from '../../src/core/tools/client-tool.ts';
import { createInteractiveTool } from '../../src/core/tools/create-interactive-tool.ts';
import { toToolCalls } from '../../src/core/tools/to-tool-calls.ts';
import { isRecord } from '../../src/shared/json.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';

export interface WaitingToolOptions {
  toolName?: string;
  toolCallId?: string;
  args?: unknown;
  definition?: Omit<InteractiveToolDefinition, 'interactive'>;
  /** Also the time of the engine: the call expires if `expiresAt` is earlier. Default: ten o'clock on 5 January 2026. */
  requestedAt?: Date;
  expiresAt?: Date;
  origin?: string;
  /** Why the server did not take an earlier answer. */
  refusal?: string | undefined;
  /** `policy` also offers to remember the choice. */
  approvalReason?: 'policy' | 'interrupted';
}

/**
 * Creates a call that waits for a person: the object that an app gets from a chat, over a store with this one call.
 * `reopen` takes its answer and its saved input back.
 */
export function createWaitingTool(options: WaitingToolOptions): {
  tool: InteractiveTool;
  reopen: () => void;
} {
  const { toolCallId = 'call-1', toolName = 'confirm-order', args = {}, origin, approvalReason } = options;
  const requestedAt = +(options.requestedAt ?? new Date('2026-01-05T10:00:00Z'));
  const request = { toolCallId, toolName, args: isRecord(args) ? args : {}, ...(origin && { origin }) };
  const event = { type: 'client-tool-request', executionId: 'run-1', toolCalls: [request] } as const;
  const calls = toToolCalls(event, requestedAt);
  const [announced] = calls;
  if (announced === undefined) throw new Error('A request with one call has no call.');
  const { key } = announced;
  const expiresAt = options.expiresAt && +options.expiresAt;
  const asked: readonly ConversationAction[] = [
    { type: 'calls-requested', calls },
    { type: 'call-waiting', key, expiresAt, approvalReason },
  ];
  const waiting = asked.reduce<Conversation>(reduceConversation, createConversation([]));

  let conversation: Conversation = waiting;
  const change = (action: ConversationAction) => {
    conversation = reduceConversation(conversation, action);
  };
  const tool = createInteractiveTool(
    { ...announced, ...waiting.calls[0], ...(options.refusal && { refusal: options.refusal }) },
    args,
    options.definition && { interactive: true, ...options.definition },
    approvalReason === 'policy' ? { remember: async () => {} } : {},
    {
      store: { read: () => conversation },
      clock: createManualClock(requestedAt),
      actions: () => ({
        settle(settledKey, answer) {
          change({ type: 'call-settled', key: settledKey, answer });
          return { settled: true };
        },
        approve(approvedKey, { edit }) {
          change({ type: 'call-running', key: approvedKey, editedArgs: edit?.args });
          return { settled: true };
        },
        saveInput: (savedKey, input) => change({ type: 'input-saved', key: savedKey, input }),
      }),
    },
  );
  const reopen = () => {
    conversation = waiting;
  };
  return { tool, reopen };
}

/** Puts spies in the place of methods. A spread of the tool would leave `status` out, see `createInteractiveTool`. */
export function withMethods<Methods extends object>(
  tool: InteractiveTool,
  methods: Methods,
): Omit<AnyTool, keyof Methods> & Methods {
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(tool),
    ...Object.getOwnPropertyDescriptors(methods),
  });
}
