import { memo } from 'react';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentChatError, type ClientTool, defineClientTool } from '../../../src/core.ts';
import { scriptedChat } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';

/** Faults of a word that guards, each with a part of the error. */
const mistyped: [name: string, definition: unknown, named: string][] = [
  ['a mistyped severity', { execute: () => 1, severity: 'destrucitve' }, `not "destrucitve"`],
  ['null as severity', { interactive: true, severity: null }, `'neutral', 'caution', 'destructive'`],
  ['a mistyped approval', { execute: () => 1, approval: 'alwyas' }, `not "alwyas"`],
  ['true as approval', { execute: () => 1, approval: true }, `'always', 'once-per-conversation'`],
  ['a mistyped onRestore', { execute: () => 1, onRestore: 'aks' }, `'rerun', 'ask', 'fail'`],
  ['a text for remember', { execute: () => 1, remember: 'false' }, 'remember'],
  ['a text for annotationsTrusted', { execute: () => 1, annotationsTrusted: 'false' }, 'annotationsTrusted'],
  ['a text for approveAll', { interactive: true, approveAll: 'no' }, 'approveAll'],
  ['a text for editable', { interactive: true, editable: 'no' }, 'editable'],
  ['a text for idempotent', { execute: () => 1, idempotent: 'no' }, 'idempotent'],
  ['an empty confirmWord', { interactive: true, confirmWord: ' ' }, 'confirmWord'],
  ['interactive: false beside a handler', { execute: () => 1, interactive: false }, 'interactive'],
];

describe('the tools of a chat', () => {
  it.each(mistyped)('createAgentChat refuses %s in a plain object and names the tool', (_, tool, named) => {
    const create = () => scriptedChat({ clientTools: { pay: tool as never } });
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(create).toThrow('clientTools.pay: ');
    expect(create).toThrow(named);
  });

  it('a mistyped word in a tool that is declared later fails its calls, and a remembered yes runs nothing', async () => {
    const ran: string[] = [];
    const pay = {
      execute: () => ran.push('pay'),
      approval: 'always',
      remember: true,
      severity: 'destrucitve',
    } as never;
    const clientTools: Record<string, ClientTool> = {};
    const rememberedChoices = { recall: async () => 'allowed' as const, remember: async () => {} };
    const { chat, backend } = scriptedChat({ clientTools, rememberedChoices });
    clientTools.pay = pay;
    void chat.sendMessage('Hi');
    (await backend.request(0)).send(start, request(call('1', 'pay')), awaitingAnswers);
    expect((await backend.request(1)).command).toMatchObject({
      answers: [{ outcome: 'failed', error: expect.stringContaining('not "destrucitve"') }],
    });
    expect(ran).toEqual([]);
    chat.destroy();
  });
});

describe('defineClientTool', () => {
  it.each<[name: string, definition: unknown, named: string]>([
    ['a tool with neither handler nor interactive', {}, 'interactive: true'],
    ['no definition', undefined, 'interactive: true'],
    ['a word for a handler', { execute: 'run' }, 'execute'],
    ['a timeout that is not a number', { interactive: true, timeoutMs: Number(undefined) }, 'timeoutMs'],
    ['a negative timeout', { execute: () => 1, timeoutMs: -1 }, '-1'],
    ['a timeout in a numeric string', { execute: () => 1, timeoutMs: '500' }, '500'],
    ['a timeout in words', { execute: () => 1, timeoutMs: '5s' }, '5s'],
    ['a JSON Schema as input', { interactive: true, input: { type: 'object' } }, 'input'],
    ['null as output', { interactive: true, output: null }, 'output'],
    ['a mistyped ui', { interactive: true, ui: 'confrim' }, '"confrim"'],
    ['null as ui', { interactive: true, ui: null }, 'ui'],
    ...mistyped,
  ])('defineClientTool refuses %s and names the option', (_, definition, named) => {
    const define = () => defineClientTool(definition as never);
    expect(define).toThrow(AgentChatError);
    expect(define).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(define).toThrow(named);
  });

  it.each([
    ['interactive', { interactive: true, timeoutMs: 0, output: z.string() }],
    ['without a limit', { execute: () => 1, timeoutMs: Infinity }],
    ['a memoised component as ui', { interactive: true, ui: memo(() => null) }],
  ] as const)(
    'defineClientTool returns an equal definition and leaves its argument unchanged: %s',
    (_, definition) => {
      const before = { ...definition };
      expect(defineClientTool(definition as never)).toMatchObject(before);
      expect(Reflect.ownKeys(definition)).toEqual(Object.keys(before));
    },
  );

  it('defineClientTool retains inherited properties and accepts a frozen definition', () => {
    class Clock {
      execute() {
        return 'noon';
      }
    }
    expect(defineClientTool(Object.freeze(new Clock())).execute({}, {} as never)).toBe('noon');
  });

  it('defineClientTool accepts schemas that are functions, such as those of arktype', () => {
    const schema = Object.assign(() => 1, { '~standard': z.string()['~standard'] });
    expect(defineClientTool({ interactive: true, output: schema })).toMatchObject({ output: schema });
  });
});
