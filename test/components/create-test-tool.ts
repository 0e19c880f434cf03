import { vi } from 'vitest';
import type { AnyTool } from '../../src/components/any-tool.ts';
import type { Settlement } from '../../src/core/tools/client-tool.ts';
import { createWaitingTool, type WaitingToolOptions, withMethods } from '../support/create-waiting-tool.ts';

export interface TestToolOptions extends WaitingToolOptions {
  /** The results of `submit`, in turn. After the last one the engine decides. */
  refusals?: Extract<Settlement, { settled: false }>[];
}

/** A call that waits for a person, as an app gets it. Its answers are spies. */
export function createTestTool(options: TestToolOptions = {}) {
  const refusals = [...(options.refusals ?? [])];
  const args = { action: 'Place order', description: 'Two flat whites.' };
  const { tool } = createWaitingTool({ args, ...options });
  return withMethods(tool, {
    submit: vi.fn<AnyTool['submit']>((...answer) => refusals.shift() ?? tool.submit(...answer)),
    cancel: vi.fn<AnyTool['cancel']>(tool.cancel),
    decline: vi.fn<AnyTool['decline']>(tool.decline),
    fail: vi.fn<NonNullable<AnyTool['fail']>>(tool.fail),
  });
}
