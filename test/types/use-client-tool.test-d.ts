import { defineClientTool, useClientTool } from 'handrail';
import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';

it('the schemas of a tool type its arguments and its result', () => {
  useClientTool('pick', {
    input: z.object({ question: z.string() }),
    output: z.object({ color: z.string() }),
    execute: ({ question }, context) => {
      expectTypeOf(question).toBeString();
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
      context.report({ done: 1, total: 2, text: 'Half' });
      // @ts-expect-error a number is no text
      context.report({ text: 1 });
      return { color: 'red' };
    },
  });
  // @ts-expect-error the result lacks the colour
  useClientTool('pick', { output: z.object({ color: z.string() }), execute: () => ({ shade: 1 }) });
});

it('a tool may be a function, a word or an interactive definition', () => {
  useClientTool('a', async (args) => args.anything);
  useClientTool('b', 'interactive', { enabled: false });
  useClientTool('c', { interactive: true, ui: 'form', output: z.object({ color: z.string() }) });
  useClientTool('e', defineClientTool({ interactive: true, input: z.object({ question: z.string() }) }));
  useClientTool(
    'f',
    defineClientTool({ output: z.object({ n: z.number() }), execute: async () => ({ n: 1 }) }),
  );
  // @ts-expect-error nobody could run it
  useClientTool('d', { description: 'nothing' });
});
