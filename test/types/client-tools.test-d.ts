import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type } from 'arktype';
import {
  createAgentChat,
  createHttpTransport,
  defineClientTool,
  type InteractiveTool,
  type useAgentChat,
} from 'handrail';
import * as v from 'valibot';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

const transport = createHttpTransport({ url: '/api/agent' });

const rate = defineClientTool({
  input: z.object({ question: z.string(), stars: z.number().default(5) }),
  output: z.object({ rating: z.number(), comment: z.string().optional() }),
  interactive: true,
  ui: 'form',
});

/** A schema that is not made by a library. */
declare const handWritten: StandardSchemaV1<{ raw: string }, { parsed: Date }>;

describe('the types of a definition reach the call', () => {
  const chat = createAgentChat({
    transport,
    clientTools: {
      rate,
      bare: 'interactive',
      dated: defineClientTool({ input: handWritten, interactive: true }),
      now: () => Date.now(),
      locate: defineClientTool({ output: z.object({ lat: z.number() }), execute: async () => ({ lat: 1 }) }),
    },
  });
  type Pending = ReturnType<typeof chat.getState>['pendingClientTools'];

  it('arguments have the output type of the input schema, and submit() takes the input type of the output schema', () => {
    expectTypeOf<Pending['rate'][number]['args']>().toEqualTypeOf<{ question: string; stars: number }>();
    expectTypeOf<Pending['rate'][number]['submit']>()
      .parameter(0)
      .toEqualTypeOf<{ rating: number; comment?: string | undefined }>();
    expectTypeOf<Pending['dated'][number]['args']>().toEqualTypeOf<{ parsed: Date }>();
  });

  it('clientTools accepts a plain object with a handler or with interactive: true', () => {
    createAgentChat({ transport, clientTools: { now: { execute: () => 1, output: z.number() } } });
    const chat = createAgentChat({ transport, clientTools: { rate: { interactive: true, ui: 'form' } } });
    expectTypeOf(chat.getState().pendingClientTools.rate).toEqualTypeOf<readonly InteractiveTool[]>();
    createAgentChat({ transport, clientTools: { slow: { ...rate, timeoutMs: 1000 } } });
    // @ts-expect-error neither a handler nor interactive
    createAgentChat({ transport, clientTools: { none: { title: 'Nothing' } } });
  });

  it('the types of a call come from schemas of any vendor', () => {
    const ofValibot = defineClientTool({
      input: v.object({ question: v.string(), stars: v.optional(v.number(), 5) }),
      output: v.object({ rating: v.pipe(v.string(), v.transform(Number)) }),
      interactive: true,
    });
    const ofArkType = defineClientTool({
      input: type({ question: 'string', stars: 'number = 5' }),
      output: type({ rating: type('string').pipe(Number) }),
      interactive: true,
    });
    const asking = createAgentChat({ transport, clientTools: { ofValibot, ofArkType } });
    type Asking = ReturnType<typeof asking.getState>['pendingClientTools'];
    type Tool = Asking['ofValibot' | 'ofArkType'][number];
    expectTypeOf<Tool['args']>().toEqualTypeOf<{ question: string; stars: number }>();
    expectTypeOf<Asking['ofValibot'][number]['submit']>().parameter(0).toEqualTypeOf<{ rating: string }>();
    expectTypeOf<Asking['ofArkType'][number]['submit']>().parameter(0).toEqualTypeOf<{ rating: string }>();
  });

  it('a bare interactive tool has a record of arguments and takes any result', () => {
    expectTypeOf<Pending['bare'][number]>().toEqualTypeOf<InteractiveTool>();
    expectTypeOf<Pending['bare'][number]['args']>().toEqualTypeOf<Record<string, unknown>>();
  });

  it('automatic tools are absent from pendingClientTools', () => {
    expectTypeOf<keyof Pending>().toEqualTypeOf<'rate' | 'bare' | 'dated'>();
  });

  it('pendingClientTools has any name when clientTools is not typed', () => {
    const plain = createAgentChat({ transport });
    expectTypeOf(plain.getState().pendingClientTools.x).toEqualTypeOf<
      readonly InteractiveTool[] | undefined
    >();
  });

  it('useAgentChat has the types of createAgentChat', () => {
    type Hook = ReturnType<typeof useAgentChat<{ rate: typeof rate }>>;
    expectTypeOf<Hook['pendingClientTools']['rate'][number]['args']['question']>().toEqualTypeOf<string>();
  });
});

describe('a definition is checked where it is written', () => {
  it('a handler gets the parsed arguments and must return the result type', () => {
    defineClientTool({
      input: z.object({ n: z.number() }),
      output: z.string(),
      execute: ({ n }, { signal }) => {
        expectTypeOf(n).toEqualTypeOf<number>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        return String(n);
      },
    });
    // @ts-expect-error a number is no string
    defineClientTool({ output: z.string(), execute: () => 1 });
  });

  it('a policy gets the parsed arguments, and an interactive tool has no policy', () => {
    defineClientTool({
      input: z.object({ n: z.number().default(1) }),
      execute: () => 1,
      approval: ({ n }, { toolCallId }) => {
        expectTypeOf(n).toEqualTypeOf<number>();
        expectTypeOf(toolCallId).toEqualTypeOf<string>();
        return n > 1;
      },
    });
    // @ts-expect-error no such word
    defineClientTool({ execute: () => 1, approval: 'sometimes' });
    // @ts-expect-error an interactive tool takes no policy
    defineClientTool({ interactive: true, approval: 'always' });
  });

  it('a component of a tool gets the typed call', () => {
    defineClientTool({
      input: z.object({ question: z.string() }),
      output: z.boolean(),
      interactive: true,
      ui: ({ tool }) => {
        expectTypeOf(tool.args.question).toEqualTypeOf<string>();
        expectTypeOf(tool.submit).parameter(0).toEqualTypeOf<boolean>();
        return null;
      },
    });
  });

  it('a tool is interactive or has a handler', () => {
    // @ts-expect-error neither
    defineClientTool({ description: 'does nothing' });
    // @ts-expect-error no such dialog
    defineClientTool({ interactive: true, ui: 'wizard' });
    // @ts-expect-error no such word
    createAgentChat({ transport, clientTools: { x: 'automatic' } });
  });
});
