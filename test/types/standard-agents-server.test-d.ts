import { runCode } from 'handrail/sandbox';
import {
  type AgentDefinition,
  createThreadRuntime,
  defineThreadEndpoint,
  defineTool,
  type KitState,
  standardAgentsKit,
  type ThreadEndpoints,
  type ThreadState,
  type ToolResult,
} from 'handrail/standard-agents/server';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

declare const model: AgentDefinition['model'];

describe('a tool', () => {
  it('defineTool gives execute the state and the parsed arguments', () => {
    const tool = defineTool({
      description: 'Adds.',
      args: z.object({ a: z.number(), b: z.number().default(1) }),
      execute(state, args) {
        expectTypeOf(state).toEqualTypeOf<ThreadState>();
        expectTypeOf(args).toEqualTypeOf<{ a: number; b: number }>();
        return { status: 'success', result: String(args.a + args.b) };
      },
    });
    expectTypeOf(tool.execute).returns.toEqualTypeOf<ToolResult | Promise<ToolResult>>();
  });

  it('defineTool refuses a result without a status', () => {
    // @ts-expect-error: the status is missing
    defineTool({ description: 'Adds.', execute: () => ({ result: 'x' }) });
  });
});

describe('a runtime', () => {
  it('createThreadRuntime takes the kit, tools with and without arguments, endpoints and the sandbox', () => {
    const kit = standardAgentsKit({
      tools: { confirm: { description: 'Asks.', args: z.object({ text: z.string() }) } },
    });
    const ping = defineTool({ description: 'Pings.', execute: () => ({ status: 'success' }) });
    const status = defineThreadEndpoint(async (request, state, params) => {
      expectTypeOf(request).toEqualTypeOf<Request>();
      expectTypeOf(params.id).toEqualTypeOf<string | undefined>();
      return Response.json(await state.getMessages());
    });
    const runtime = createThreadRuntime({
      agents: { helper: { type: 'ai_human', model, tools: { ...kit.tools, ping } } },
      authenticate: (token) => token,
      endpoints: { ...kit.endpoints, 'status.ts': status },
      onStop: kit.abortPending,
      runCode,
    });
    expectTypeOf(runtime.handle).returns.resolves.toEqualTypeOf<Response | undefined>();
  });
});

/** A state as a runtime of the specification declares it, with rows that lack what ours always have. */
interface SpecState {
  readonly threadId: string;
  readonly userId: string | null;
  readonly execution: {
    readonly stepCount: number;
    readonly abortSignal: AbortSignal | null;
    stop(): void;
  } | null;
  getMessages(options?: { limit?: number }): Promise<{
    messages: {
      id: string;
      content: string | null;
      tool_calls?: string | null;
      tool_call_id?: string | null;
    }[];
    total: number;
  }>;
  queueTool(name: string, args?: Record<string, unknown>): void;
  emit(event: string, data: unknown): void;
  getValue<T = unknown>(key: string): Promise<T | null>;
  setValue(key: string, value: unknown): Promise<void>;
}

describe('another runtime', () => {
  it('takes the tools and endpoints of the kit', () => {
    const kit = standardAgentsKit({ tools: { confirm: { description: 'Asks.' } } });
    expectTypeOf<SpecState>().toExtend<KitState>();
    expectTypeOf(kit.endpoints).toExtend<ThreadEndpoints<SpecState>>();
  });
});
