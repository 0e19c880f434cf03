import { memo } from 'react';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentChatError, defineClientTool } from '../../../src/core.ts';

describe('defineClientTool', () => {
  it.each([
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
