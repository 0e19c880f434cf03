import { memo } from 'react';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentChatError, defineClientTool } from '../../src/core.ts';

describe('defineClientTool', () => {
  it.each([
    ['nobody who runs it', {}, 'interactive: true'],
    ['nothing at all', undefined, 'interactive: true'],
    ['a word for a handler', { execute: 'run' }, 'execute'],
    ['a timeout read from nowhere', { interactive: true, timeoutMs: Number(undefined) }, 'timeoutMs'],
    ['a timeout before the call', { execute: () => 1, timeoutMs: -1 }, '-1'],
    ['a timeout in a text', { execute: () => 1, timeoutMs: '500' }, '500'],
    ['a timeout in words', { execute: () => 1, timeoutMs: '5s' }, '5s'],
    ['a JSON Schema as input', { interactive: true, input: { type: 'object' } }, 'input'],
    ['nothing as output', { interactive: true, output: null }, 'output'],
    ['a mistyped ui', { interactive: true, ui: 'confrim' }, '"confrim"'],
    ['nothing as ui', { interactive: true, ui: null }, 'ui'],
  ])('refuses %s, and names it', (_, definition, named) => {
    const define = () => defineClientTool(definition as never);
    expect(define).toThrow(AgentChatError);
    expect(define).toThrow(expect.objectContaining({ code: 'invalid_options' }));
    expect(define).toThrow(named);
  });

  it.each([
    ['interactive', { interactive: true, timeoutMs: 0, output: z.string() }],
    ['without a limit', { execute: () => 1, timeoutMs: Infinity }],
    ['a memoised component as ui', { interactive: true, ui: memo(() => null) }],
  ] as const)('gives back what it got, and leaves that as it was: %s', (_, definition) => {
    const before = { ...definition };
    expect(defineClientTool(definition as never)).toMatchObject(before);
    expect(Reflect.ownKeys(definition)).toEqual(Object.keys(before));
  });

  it('keeps what a definition inherits, and takes a frozen one', () => {
    class Clock {
      execute() {
        return 'noon';
      }
    }
    expect(defineClientTool(Object.freeze(new Clock())).execute({}, {} as never)).toBe('noon');
  });

  it('takes schemas that are functions, as those of arktype are', () => {
    const schema = Object.assign(() => 1, { '~standard': z.string()['~standard'] });
    expect(defineClientTool({ interactive: true, output: schema })).toMatchObject({ output: schema });
  });
});
