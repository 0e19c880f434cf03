import { fn, type Mock } from 'storybook/test';
import type { AnyTool } from '../../src/components/any-tool.ts';
import type { InteractiveToolDefinition, Settlement } from '../../src/core/tools/client-tool.ts';

/** A call for a story. Its methods are spies that settle once, as those of the engine do. */
export interface StoryTool extends AnyTool {
  readonly submit: Mock<(result: unknown) => Settlement>;
  readonly cancel: Mock<(reason?: string) => Settlement>;
  /** Opens the call again for the next run of its story. */
  reopen(): void;
  readonly decline: Mock<(reason?: string, details?: Readonly<Record<string, unknown>>) => Settlement>;
}

export interface StoryToolOptions {
  toolName?: string;
  toolCallId?: string;
  args?: Record<string, unknown>;
  definition?: Omit<InteractiveToolDefinition, 'interactive'>;
  expiresAt?: Date;
  /** The result of `submit`, instead of settling. */
  refuse?: Extract<Settlement, { settled: false }>;
}

/** A call that waits for a person. A result that does not match the `output` of the definition is refused with issues. */
export function createStoryTool(options: StoryToolOptions = {}): StoryTool {
  const { toolName = 'confirm-order', refuse, definition } = options;
  let settled = false;
  let savedInput: unknown;
  const settle = (): Settlement => {
    if (settled) return { settled: false, reason: 'already-settled' };
    settled = true;
    return { settled: true };
  };
  const submit = (result: unknown): Settlement => {
    if (refuse !== undefined) return refuse;
    const checked = definition?.output?.['~standard'].validate(result);
    if (checked !== undefined && 'issues' in checked && checked.issues !== undefined) {
      return { settled: false, reason: 'invalid-result', issues: checked.issues };
    }
    return settle();
  };
  return {
    toolCallId: options.toolCallId ?? `call-${toolName}`,
    toolName,
    args: options.args ?? {},
    requestedAt: new Date('2026-01-05T10:00:00Z'),
    status: 'waiting',
    ...(options.expiresAt === undefined ? {} : { expiresAt: options.expiresAt }),
    ...(definition === undefined ? {} : { definition: { interactive: true, ...definition } }),
    reopen() {
      settled = false;
      savedInput = undefined;
    },
    getSavedInput: () => savedInput,
    saveInput(next) {
      savedInput = next;
    },
    submit: fn(submit),
    cancel: fn(settle),
    decline: fn(settle),
  };
}

/** The arguments of all calls of a {@link StoryTool} spy. */
export function callsOf(spy: unknown): readonly (readonly unknown[])[] {
  return (spy as Mock).mock.calls;
}
