import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkToolDefinition } from '../../../../src/backends/utp/tool-definition/check-tool-definition.ts';

const valid = {
  tool_name: 'confirm_action',
  description: 'Ask the person to confirm',
  target_subject: 'cg.v1r4.{project_id}.{channel_id}.cmd.tool.hitl.call',
  after_execution: 'suspend',
  parameters: {
    type: 'object',
    properties: { action: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
    required: ['action'],
  },
  options: {
    suspend_timeout_seconds: 900,
    ui_allowed: false,
    args: { defaults: { session_id: '{agent_turn_id}' }, fixed: { project_id: '{project_id}' } },
    envs: { api_key: 'SEARCH_API_KEY' },
    jina: { mode: 'search' },
  },
};

/** Checks the valid definition with changes, and returns the error text. */
function refusal(changes: Readonly<Record<string, unknown>>): string {
  try {
    checkToolDefinition({ ...valid, ...changes });
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'invalid_options' });
    return (thrown as Error).message;
  }
  return 'accepted';
}

const refusalOfSchema = (schema: unknown) =>
  refusal({ parameters: { type: 'object', properties: { a: schema } } });

describe('checkToolDefinition', () => {
  test('returns a valid definition as it is, with the options of other services', () => {
    expect(checkToolDefinition(valid)).toEqual(valid);
  });

  test('takes name as an alias of tool_name, and prefers tool_name', () => {
    const { tool_name: name, ...others } = valid;
    expect(checkToolDefinition({ ...others, name })).toEqual(valid);
    expect(checkToolDefinition({ ...valid, name: 'other' })).toEqual(valid);
  });

  test('accepts a definition without description, parameters and options', () => {
    const { tool_name, target_subject, after_execution } = valid;
    const least = { tool_name, target_subject, after_execution };
    expect(checkToolDefinition(least)).toEqual(least);
  });

  test.each([undefined, null, 'yaml', []])('refuses %j, which is no object', (given) => {
    expect(() => checkToolDefinition(given)).toThrow('A tool definition must be an object');
  });

  test.each([undefined, '', 'two words', 'a.b', 'é', 'a'.repeat(65), 5])(
    'refuses the name %j',
    (tool_name) => {
      expect(refusal({ tool_name })).toMatch(
        /tool_name must be (a text|1 to 64 letters, digits, "_" or "-")/,
      );
    },
  );

  test.each(['delegate_async', 'launch_principal', 'ask_expert', 'fork_join', 'provision_agent'])(
    'refuses the reserved name %s',
    (tool_name) => {
      expect(refusal({ tool_name })).toContain(
        `tool ${tool_name}, tool_name must be another name: CommonGround has a tool of this name`,
      );
    },
  );

  test('refuses a description that is no text', () => {
    expect(refusal({ description: 5 })).toMatch(/description must be a text. It is 5\.$/);
  });

  test.each([
    ['is missing', undefined],
    ['is of the system', 'cg.v1r4.{project_id}.{channel_id}.cmd.sys.pmo.call'],
    ['has the system in its suffix', 'cg.v1r4.{project_id}.{channel_id}.cmd.tool.a.cmd.sys.b'],
    ['is an event', 'cg.v1r4.{project_id}.{channel_id}.evt.tool.hitl.call'],
    ['wakes an agent', 'cg.v1r4.{project_id}.{channel_id}.cmd.agent.worker.wakeup'],
    ['has no suffix', 'cg.v1r4.{project_id}.{channel_id}.cmd.tool.hitl'],
    ['is of another version', 'cg.v1r3.{project_id}.{channel_id}.cmd.tool.hitl.call'],
    ['has a wildcard', 'cg.v1r4.{project_id}.*.cmd.tool.hitl.call'],
    ['has a space', 'cg.v1r4.{project_id}.{channel_id}.cmd.tool.hi tl.call'],
    [
      'has a placeholder that is not replaced in subjects',
      'cg.v1r4.{project_id}.{channel_id}.cmd.tool.hitl.{step_id}',
    ],
  ])('refuses a target_subject that %s', (_, target_subject) => {
    expect(refusal({ target_subject })).toMatch(
      /target_subject must be a subject of a tool service, such as "cg/,
    );
  });

  test.each([
    'cg.v1r4.proj.public.cmd.tool.hitl.call',
    'cg.v1r4.{project_id}.{channel_id}.cmd.tool.{agent_id}.call.deep',
  ])('accepts the target_subject %s', (target_subject) => {
    expect(refusal({ target_subject })).toBe('accepted');
  });

  test.each([undefined, 'continue', 'SUSPEND'])('refuses %j as after_execution', (after_execution) => {
    expect(refusal({ after_execution })).toMatch(/after_execution must be "suspend" \(.*\) or "terminate"/);
  });

  test('accepts terminate as after_execution', () => {
    expect(refusal({ after_execution: 'terminate' })).toBe('accepted');
  });

  test.each([
    [5, 'options must be an object'],
    [{ suspend_timeout_seconds: 0 }, 'options.suspend_timeout_seconds must be a number of seconds above 0'],
    [{ suspend_timeout_seconds: '900' }, 'options.suspend_timeout_seconds must be a number of seconds'],
    [{ timeout_seconds: Number.POSITIVE_INFINITY }, 'options.timeout_seconds must be a number of seconds'],
    [{ ui_allowed: 'yes' }, 'options.ui_allowed must be true or false. It is "yes".'],
    [{ args: [] }, 'options.args must be an object'],
    [{ args: { defaults: ['a'] } }, 'options.args.defaults must be an object of values by argument'],
    [{ args: { fixed: 'a' } }, 'options.args.fixed must be an object of values by argument'],
    [{ envs: ['A'] }, 'options.envs must be an object of variable names by argument'],
    [{ envs: { api_key: '' } }, 'options.envs.api_key must be the name of an environment variable'],
    [{ envs: { api_key: 5 } }, 'options.envs.api_key must be the name of an environment variable. It is 5.'],
  ])('refuses the options %j', (options, message) => {
    expect(refusal({ options })).toContain(message);
  });
});

describe('the parameters of a tool definition', () => {
  test.each([5, [], null, 'object', { type: 'string' }])(
    'refuses %j, which is no schema of an object',
    (parameters) => {
      expect(refusal({ parameters })).toMatch(/parameters is .*; .* so give a schema with type: 'object'/);
    },
  );

  test.each([
    [{ type: 'strin' }, 'parameters.properties.a.type is "strin"'],
    [{ type: [] }, 'parameters.properties.a.type is []'],
    [{ enum: 'a' }, 'parameters.properties.a.enum is "a"'],
    [{ required: 'a' }, 'parameters.properties.a.required is "a"'],
    [{ properties: ['a'] }, 'parameters.properties.a.properties is ["a"]'],
    [{ anyOf: [] }, 'parameters.properties.a.anyOf is []'],
    [{ minLength: -1 }, 'parameters.properties.a.minLength is -1'],
    [{ maxItems: 1.5 }, 'parameters.properties.a.maxItems is 1.5'],
    [{ multipleOf: 0 }, 'parameters.properties.a.multipleOf is 0'],
    [{ pattern: 5 }, 'parameters.properties.a.pattern is 5'],
    [{ anyOf: [{ type: 'nul' }] }, 'parameters.properties.a.anyOf.0.type is "nul"'],
    [{ not: { type: 5 } }, 'parameters.properties.a.not.type is 5'],
    [{ $defs: { b: { minimum: '1' } } }, 'parameters.properties.a.$defs.b.minimum is "1"'],
  ])('refuses the schema %j and names the place', (schema, place) => {
    expect(refusalOfSchema(schema)).toBe(
      `In the definition of the tool confirm_action, ${place}, which JSON Schema does not allow.`,
    );
  });

  test('refuses a text in place of a schema', () => {
    expect(refusalOfSchema('string')).toContain(
      'parameters.properties.a is "string", but a schema is an object',
    );
  });

  test.each([
    [{ type: 'array' }, ''],
    [{ type: 'array', items: {} }, ''],
    [{ type: 'array', items: true }, ''],
    [{ type: 'array', items: { type: 'array' } }, '.items'],
    [{ oneOf: [{ type: 'string' }, { type: 'array' }] }, '.oneOf.1'],
    [{ properties: { b: { type: 'array' } } }, '.properties.b'],
    [{ definitions: { b: { type: 'array' } } }, '.definitions.b'],
  ])('refuses an array without items: %j', (schema, place) => {
    expect(refusalOfSchema(schema)).toContain(
      `parameters.properties.a${place} is an array without items: add the schema of its items`,
    );
  });

  test.each([
    true,
    {},
    { type: ['string', 'null'] },
    { const: 5, 'x-own': [] },
    { type: 'string', format: 'uri' },
  ])('accepts the schema %j', (schema) => {
    expect(refusalOfSchema(schema)).toBe('accepted');
  });

  test('accepts the schemas that zod makes', () => {
    const node = z.object({
      name: z.string().min(1).max(80).regex(/a/).describe('A name'),
      get children() {
        return z.array(node);
      },
    });
    const schema = z.object({
      node,
      kind: z.enum(['a', 'b']).optional(),
      amount: z.number().int().positive().multipleOf(5).default(5),
      either: z.union([z.literal('x'), z.null(), z.record(z.string(), z.boolean())]),
      when: z.iso.datetime(),
      both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
    });
    expect(refusal({ parameters: z.toJSONSchema(schema, { io: 'input' }) })).toBe('accepted');
  });
});
