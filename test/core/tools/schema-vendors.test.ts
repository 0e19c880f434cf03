/** The chat behaves the same with the schemas of every vendor of Standard Schema. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineClientTool } from '../../../src/core.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';

interface Schemas {
  /** `{ count: number, unit: string = 'piece' }` */
  readonly input: StandardSchemaV1;
  /** `{ name: string of 2 letters or more }`, which becomes the length of the name. */
  readonly output: StandardSchemaV1;
}

const vendors: Readonly<Record<string, Schemas>> = {
  zod: {
    input: z.object({ count: z.number(), unit: z.string().default('piece') }),
    output: z.object({
      name: z
        .string()
        .min(2)
        .transform((name) => name.length),
    }),
  },
  valibot: {
    input: v.object({ count: v.number(), unit: v.optional(v.string(), 'piece') }),
    output: v.object({
      name: v.pipe(
        v.string(),
        v.minLength(2),
        v.transform((name) => name.length),
      ),
    }),
  },
  arktype: {
    input: type({ count: 'number', unit: "string = 'piece'" }),
    output: type({ name: type('string >= 2').pipe((name) => name.length) }),
  },
};

describe.each(Object.entries(vendors))('a schema of %s', (_, { input, output }) => {
  async function asked(args: Record<string, unknown>) {
    const ask = defineClientTool({ input, output, interactive: true });
    const { chat, backend } = scriptedChat({ clientTools: { ask } });
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('1', 'ask', args)), awaitingAnswers);
    run.end();
    await settled();
    const answers = () => {
      const command = backend.commands[1];
      return command?.type === 'respond' ? command.answers : undefined;
    };
    return { chat, answers, tool: chat.getState().pendingClientTools.ask?.[0] };
  }

  it('a schema fills in defaults of the arguments that a person sees', async () => {
    const { tool } = await asked({ count: 2 });
    expect(tool?.args).toEqual({ count: 2, unit: 'piece' });
  });

  it('arguments that do not match a schema never reach a person, and the agent gets every issue', async () => {
    const { chat, answers } = await asked({ count: 'two', unit: 2 });
    expect(chat.getState().pendingClientTools).toEqual({});
    expect(answers()).toMatchObject([
      { outcome: 'failed', error: expect.stringMatching(/count: .+; unit: .+/) },
    ]);
  });

  it('a schema names the issues of a wrong result, and the agent gets the parsed form of a right one', async () => {
    const { answers, tool } = await asked({ count: 2 });
    const refused = tool?.submit({ name: 'x' });
    if (refused === undefined || refused.settled) throw new Error('a name of one letter was taken');
    expect(refused.reason).toBe('invalid-result');
    const [step] = refused.issues?.[0]?.path ?? [];
    expect(typeof step === 'object' ? step.key : step).toBe('name');
    expect(tool?.submit({ name: 'Ada' })).toEqual({ settled: true });
    await settled();
    expect(answers()).toMatchObject([{ outcome: 'submitted', result: { name: 3 } }]);
  });
});
