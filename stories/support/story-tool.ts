import { fn, type Mock } from 'storybook/test';
import type { AnyTool } from '../../src/components/any-tool.ts';
import type { Settlement } from '../../src/core/tools/client-tool.ts';
import {
  createWaitingTool,
  type WaitingToolOptions,
  withMethods,
} from '../../test/support/create-waiting-tool.ts';

/** A call for a story, as an app gets it. Its answers are spies. */
export interface StoryTool extends AnyTool {
  readonly submit: Mock<AnyTool['submit']>;
  readonly cancel: Mock<AnyTool['cancel']>;
  readonly decline: Mock<AnyTool['decline']>;
  /** Opens the call again for the next run of its story. */
  reopen(): void;
}

export interface StoryToolOptions extends WaitingToolOptions {
  /** The result of `submit`, instead of settling. */
  refuse?: Extract<Settlement, { settled: false }>;
}

/** A call that waits for a person. A result that does not match the `output` of the definition is refused with issues. */
export function createStoryTool({ refuse, ...options }: StoryToolOptions = {}): StoryTool {
  const toolCallId = `call-${options.toolName ?? 'confirm-order'}`;
  const { tool, reopen } = createWaitingTool({ toolCallId, ...options });
  const spied = withMethods(tool, {
    submit: fn<AnyTool['submit']>((...answer) => refuse ?? tool.submit(...answer)),
    cancel: fn(tool.cancel),
    decline: fn(tool.decline),
    fail: fn(tool.fail),
    reopen,
  });
  return spied;
}

/** The arguments of all calls of a {@link StoryTool} spy. */
export function callsOf(spy: unknown): readonly (readonly unknown[])[] {
  return (spy as Mock).mock.calls;
}
