/** A runtime with the kit: an agent that asks the browser. */
import { z } from 'zod';
import type { ToolSet } from '../../../../../src/backends/standard-agents/server/define-tool.ts';
import {
  type StandardAgentsKitOptions,
  standardAgentsKit,
} from '../../../../../src/backends/standard-agents/server/kit/standard-agents-kit.ts';
import type { ThreadFrame } from '../../../../../src/backends/standard-agents/server/thread-frames.ts';
import type { ThreadRuntimeOptions } from '../../../../../src/backends/standard-agents/server/thread-runtime-options.ts';
import { createManualClock } from '../../../../../src/testing/manual-clock.ts';
import { createScriptedModel, type ModelStep, openRuntime } from '../open-runtime.ts';

export const TOOLS = {
  confirm: { description: 'Asks for a yes.', args: z.object({ text: z.string() }) },
  pick: { description: 'Asks for a file.', args: z.object({ kind: z.string() }), deadlineMs: 60_000 },
} as const;

/** Options of the kit stand at the top. `clock` is always the manual clock of the result. */
export function openKit(
  steps: readonly ModelStep[],
  {
    mode,
    store,
    tools = TOOLS,
    serverTools = {},
    runtime = {},
  }: Partial<StandardAgentsKitOptions> & {
    serverTools?: ToolSet;
    runtime?: Partial<ThreadRuntimeOptions>;
  } = {},
) {
  const clock = createManualClock();
  const kit = standardAgentsKit({ tools, clock, ...(mode && { mode }), ...(store && { store }) });
  const { model, contexts } = createScriptedModel(...steps);
  const opened = openRuntime({
    model,
    tools: { ...kit.tools, ...serverTools },
    kit,
    ...runtime,
    clock,
  });
  return {
    ...opened,
    clock,
    kit,
    contexts,
    pending: async (threadId: string) => (await opened.json('GET', `/${threadId}/client-tools`))[1].calls,
    answer: (threadId: string, id: string, body: unknown) =>
      opened.json('POST', `/${threadId}/client-tools/${id}`, body),
  };
}

/** The custom events among the frames, as `[type, data]`. */
export function customEvents(frames: readonly ThreadFrame[]) {
  return frames.flatMap((frame) => (frame.type === 'custom' ? [[frame.eventType, frame.data]] : []));
}
