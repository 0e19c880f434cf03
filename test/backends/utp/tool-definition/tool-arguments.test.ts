import { describe, expect, test } from 'vitest';
import { applyArgumentOptions } from '../../../../src/backends/utp/tool-definition/apply-argument-options.ts';
import { parseModelArguments } from '../../../../src/backends/utp/tool-definition/parse-model-arguments.ts';
import {
  renderTargetSubject,
  renderTemplate,
} from '../../../../src/backends/utp/tool-definition/render-template.ts';
import { toModelParameters } from '../../../../src/backends/utp/tool-definition/to-model-parameters.ts';
import type {
  UtpToolDefinition,
  UtpToolOptions,
} from '../../../../src/backends/utp/tool-definition/utp-tool-definition.ts';

const fields = {
  project_id: 'proj',
  channel_id: 't_42',
  agent_id: 'agent-1',
  agent_turn_id: 'turn-1',
  step_id: 'step-1',
  tool_call_id: 'call-1',
  parent_step_id: 'step-0',
  trace_id: 'trace-1',
  turn_epoch: 7,
  context_box_id: 'box-1',
};

describe('renderTemplate', () => {
  test.each(Object.entries(fields))('replaces {%s}', (name, value) => {
    expect(renderTemplate(`a {${name}} b {${name}}`, fields)).toBe(`a ${value} b ${value}`);
  });

  test('leaves unknown placeholders, and those of absent fields, as they are', () => {
    expect(renderTemplate('{secret} {constructor} {step_id}', { project_id: 'p' })).toBe(
      '{secret} {constructor} {step_id}',
    );
  });

  test('does not read a value as a template', () => {
    expect(renderTemplate('{agent_id}', { ...fields, agent_id: '{project_id}' })).toBe('{project_id}');
  });

  test.each([5, null, true, ['{agent_id}'], { a: '{agent_id}' }])('returns %j as it is', (value) => {
    expect(renderTemplate(value, fields)).toBe(value);
  });
});

describe('renderTargetSubject', () => {
  test('replaces project, channel and agent, and no other placeholder', () => {
    const subject = 'cg.v1r4.{project_id}.{channel_id}.cmd.tool.{agent_id}.{step_id}';
    expect(renderTargetSubject(subject, fields)).toBe('cg.v1r4.proj.t_42.cmd.tool.agent-1.{step_id}');
  });
});

describe('parseModelArguments', () => {
  test.each([
    [undefined, {}],
    [null, {}],
    [{ a: 1 }, { a: 1 }],
    ['{"a":1}', { a: 1 }],
    ['[1,2]', { _raw: [1, 2] }],
    ['"text"', { _raw: 'text' }],
    [[1], { _raw: [1] }],
    [5, { _raw: 5 }],
  ])('reads %j as %j', (given, args) => {
    expect(parseModelArguments(given)).toEqual({ args });
  });

  test('keeps text that is no JSON, with the error that fails the call', () => {
    expect(parseModelArguments('{"a":')).toEqual({
      args: { _raw: '{"a":' },
      error: expect.stringContaining('The arguments are no JSON'),
    });
  });
});

describe('applyArgumentOptions', () => {
  const apply = (args: Readonly<Record<string, unknown>>, options: UtpToolOptions) =>
    applyArgumentOptions(args, options, fields);

  test('leaves arguments alone, and records nothing, when the tool has no options', () => {
    expect(apply({ a: '{agent_id}' }, {})).toEqual({ args: { a: '{agent_id}' }, metadata: {} });
  });

  test('uses a default, with its placeholders replaced, only for an absent argument', () => {
    const options = { args: { defaults: { z: '{turn_epoch}', a: 'default' } } };
    expect(apply({ a: 'given' }, options)).toEqual({
      args: { a: 'given', z: '7' },
      metadata: { tool_args_defaults_applied: ['z'] },
    });
    expect(apply({}, options).metadata).toEqual({ tool_args_defaults_applied: ['a', 'z'] });
  });

  test('counts an explicit null as given', () => {
    const options = { args: { defaults: { a: 'default' } } };
    expect(apply({ a: null }, options)).toEqual({ args: { a: null }, metadata: {} });
  });

  test('overwrites what the model gave with a fixed value', () => {
    const options = { args: { fixed: { project: '{project_id}' }, defaults: { project: 'x' } } };
    expect(apply({ project: 'other', q: 'cats' }, options)).toEqual({
      args: { project: 'proj', q: 'cats' },
      metadata: { tool_args_fixed_applied: ['project'] },
    });
  });

  test('lets a fixed value win over a default, and records both', () => {
    const options = { args: { fixed: { a: 1 }, defaults: { a: 2 } } };
    expect(apply({}, options)).toEqual({
      args: { a: 1 },
      metadata: { tool_args_defaults_applied: ['a'], tool_args_fixed_applied: ['a'] },
    });
  });

  test('removes an argument of the environment, whoever gives it, and records the variable', () => {
    const options = {
      args: { defaults: { api_key: 'a' }, fixed: { api_key: 'b' } },
      envs: { api_key: 'SEARCH_API_KEY' },
    };
    expect(apply({ api_key: 'from the model', q: 'cats' }, options)).toEqual({
      args: { q: 'cats' },
      metadata: { tool_args_envs: { api_key: 'SEARCH_API_KEY' } },
    });
  });
});

describe('toModelParameters', () => {
  const definition: UtpToolDefinition = {
    tool_name: 'search',
    target_subject: 'cg.v1r4.{project_id}.{channel_id}.cmd.tool.search.call',
    after_execution: 'suspend',
    parameters: {
      type: 'object',
      properties: {
        q: { type: 'string' },
        limit: { type: 'integer' },
        lang: { type: 'string', default: 'en' },
        project: { type: 'string' },
        api_key: { type: 'string' },
        anything: true,
      },
      required: ['q', 'project', 'api_key'],
      additionalProperties: false,
    },
    options: {
      args: { fixed: { project: '{project_id}' }, defaults: { limit: 5, lang: 'de', anything: 1 } },
      envs: { api_key: 'SEARCH_API_KEY' },
    },
  };

  test('hides fixed arguments and those of the environment, and shows the defaults', () => {
    const before = structuredClone(definition);
    expect(toModelParameters(definition)).toEqual({
      type: 'object',
      properties: {
        q: { type: 'string' },
        limit: { type: 'integer', default: 5 },
        lang: { type: 'string', default: 'en' },
        anything: true,
      },
      required: ['q'],
      additionalProperties: false,
    });
    expect(definition).toEqual(before);
  });

  test('shows the parameters of a tool without options as they are', () => {
    const { options: _, ...plain } = definition;
    expect(toModelParameters(plain)).toEqual(definition.parameters);
  });

  test('shows an object without properties for a tool without parameters', () => {
    const { parameters: _, ...plain } = definition;
    expect(toModelParameters(plain)).toEqual({ type: 'object', properties: {} });
  });
});
