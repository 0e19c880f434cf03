import { vi } from 'vitest';
import type { AnyTool } from '../../src/components/any-tool.ts';
import {
  type Conversation,
  type ConversationAction,
  createConversation,
} from '../../src/core/state/conversation.ts';
import { reduceConversation } from '../../src/core/state/reduce-conversation.ts';
import { toToolCalls } from '../../src/core/state/tool-call.ts';
import type { InteractiveToolDefinition, Settlement } from '../../src/core/tools/client-tool.ts';
import { createInteractiveTool } from '../../src/core/tools/create-interactive-tool.ts';
import { isRecord } from '../../src/shared/json.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';

export interface TestToolOptions {
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
  /** The results of `submit`, in turn. After the last one the engine decides. */
  refusals?: Extract<Settlement, { settled: false }>[];
}

/** A call that waits for a person: the object that an app gets, over a store with this one call. Its answers are spies. */
export function createTestTool(options: TestToolOptions = {}) {
  const refusals = [...(options.refusals ?? [])];
  const tool = createTool(options);
  const spies = {
    submit: vi.fn<AnyTool['submit']>((...answer) => refusals.shift() ?? tool.submit(...answer)),
    cancel: vi.fn<AnyTool['cancel']>(tool.cancel),
    decline: vi.fn<AnyTool['decline']>(tool.decline),
    fail: vi.fn<NonNullable<AnyTool['fail']>>(tool.fail),
  };
  // A spread would leave `status` out, see createInteractiveTool.
  const properties = {
    ...Object.getOwnPropertyDescriptors(tool),
    ...Object.getOwnPropertyDescriptors(spies),
  };
  return Object.create(Object.prototype, properties) as AnyTool & typeof spies;
}

function createTool(options: TestToolOptions) {
  const { toolCallId = 'call-1', toolName = 'confirm-order', origin, approvalReason } = options;
  const requestedAt = +(options.requestedAt ?? new Date('2026-01-05T10:00:00Z'));
  const args = 'args' in options ? options.args : { action: 'Place order', description: 'Two flat whites.' };
  const request = { toolCallId, toolName, args: isRecord(args) ? args : {}, ...(origin && { origin }) };
  const event = { type: 'client-tool-request', executionId: 'run-1', toolCalls: [request] } as const;
  const calls = toToolCalls(event, requestedAt);
  const key = calls[0]?.key ?? '';
  let conversation: Conversation = createConversation([]);
  const change = (action: ConversationAction) => {
    conversation = reduceConversation(conversation, action);
  };
  change({ type: 'calls-requested', calls });
  const expiresAt = options.expiresAt && +options.expiresAt;
  change({ type: 'call-waiting', key, expiresAt, approvalReason });
  const [call] = conversation.calls;
  if (call === undefined) throw new Error('The call does not wait.');
  return createInteractiveTool(
    options.refusal === undefined ? call : { ...call, refusal: options.refusal },
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
        approve: (approvedKey) => change({ type: 'call-running', key: approvedKey }),
        saveInput: (savedKey, input) => change({ type: 'input-saved', key: savedKey, input }),
      }),
    },
  );
}
