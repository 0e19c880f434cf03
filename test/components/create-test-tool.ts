import { vi } from 'vitest';
import type { AnyTool } from '../../src/components/primitives/any-tool.ts';
import type {
  InteractiveToolDefinition,
  Settlement,
  SubmitOptions,
} from '../../src/core/tools/client-tool.ts';

export interface TestToolOptions {
  toolName?: string;
  toolCallId?: string;
  args?: unknown;
  definition?: Omit<InteractiveToolDefinition, 'interactive'>;
  expiresAt?: Date;
  origin?: string;
  /** `policy` also offers to remember the choice. */
  approvalReason?: 'policy' | 'interrupted';
  /** The results of `submit`, in turn. After the last one it settles. */
  refusals?: Extract<Settlement, { settled: false }>[];
}

/** A call that waits for a person. It settles once, as a call of the engine does. Its answers are spies. */
export function createTestTool(options: TestToolOptions = {}) {
  const refusals = [...(options.refusals ?? [])];
  let settled = false;
  let savedInput: unknown;
  const settle = (): Settlement => {
    if (settled) return { settled: false, reason: 'already-settled' };
    settled = true;
    return { settled: true };
  };
  const submit = vi.fn(
    (_result: unknown, _options?: SubmitOptions): Settlement => refusals.shift() ?? settle(),
  );
  const cancel = vi.fn((_reason?: string): Settlement => settle());
  const decline = vi.fn(
    (_reason?: string, _details?: Readonly<Record<string, unknown>>): Settlement => settle(),
  );
  const fail = vi.fn((_error: string): Settlement => settle());
  const tool: AnyTool = {
    toolCallId: options.toolCallId ?? 'call-1',
    toolName: options.toolName ?? 'confirm-order',
    args: 'args' in options ? options.args : { action: 'Place order', description: 'Two flat whites.' },
    requestedAt: new Date('2026-01-05T10:00:00Z'),
    status: 'waiting',
    ...(options.expiresAt === undefined ? {} : { expiresAt: options.expiresAt }),
    ...(options.origin === undefined ? {} : { origin: options.origin }),
    ...(options.definition === undefined ? {} : { definition: { interactive: true, ...options.definition } }),
    ...(options.approvalReason === undefined ? {} : { approvalReason: options.approvalReason }),
    ...(options.approvalReason === 'policy' ? { remember: async () => {} } : {}),
    getSavedInput: () => savedInput,
    saveInput(next) {
      savedInput = next;
    },
    submit,
    cancel,
    decline,
    fail,
  };
  return Object.assign(tool, { submit, cancel, decline, fail });
}
