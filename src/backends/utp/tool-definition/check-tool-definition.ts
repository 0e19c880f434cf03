import * as z from 'zod/mini';
import { invalidOptions } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/json.ts';
import { parseSubject } from '../subject.ts';
import { checkParameters } from './check-parameters.ts';
import { renderTargetSubject, SUBJECT_FIELDS } from './render-template.ts';
import type { UtpToolDefinition } from './utp-tool-definition.ts';

/** Names of tools inside CommonGround. */
const RESERVED_NAMES = ['delegate_async', 'launch_principal', 'ask_expert', 'fork_join', 'provision_agent'];

const SECONDS = 'a number of seconds above 0';
const seconds = z.optional(z.number(SECONDS).check(z.gt(0, SECONDS)));
const valuesByArgument = z.optional(z.record(z.string(), z.unknown(), 'an object of values by argument'));
const VARIABLE = 'the name of an environment variable';
const SUBJECT =
  'a subject of a tool service, such as "cg.v1r4.{project_id}.{channel_id}.cmd.tool.hitl.call", and may have no other placeholder than {project_id}, {channel_id} and {agent_id}';

/** The fields and their rules. Each message completes the sentence "the field must be ...". */
const DEFINITION = z.looseObject({
  tool_name: z.string('a text').check(
    z.regex(/^[A-Za-z0-9_-]{1,64}$/, '1 to 64 letters, digits, "_" or "-", as model APIs accept them'),
    z.refine((name) => !RESERVED_NAMES.includes(name), 'another name: CommonGround has a tool of this name'),
  ),
  description: z.optional(z.string('a text')),
  target_subject: z.string(SUBJECT).check(z.refine(isToolSubject, SUBJECT)),
  after_execution: z.enum(
    ['suspend', 'terminate'],
    '"suspend" (the agent goes on with the result) or "terminate" (its turn ends)',
  ),
  options: z.optional(
    z.looseObject(
      {
        suspend_timeout_seconds: seconds,
        timeout_seconds: seconds,
        ui_allowed: z.optional(z.boolean('true or false')),
        args: z.optional(z.looseObject({ defaults: valuesByArgument, fixed: valuesByArgument }, 'an object')),
        envs: z.optional(
          z.record(
            z.string(),
            z.string(VARIABLE).check(z.regex(/^\S+$/, VARIABLE)),
            'an object of variable names by argument',
          ),
        ),
      },
      'an object',
    ),
  ),
});

/**
 * Checks a tool definition by the rules of CommonGround v1r4, before it is uploaded. Returns the definition, in which the alias `name`
 * has become `tool_name`.
 *
 * @throws AgentChatError `invalid_options` that names the field, its value and the fix.
 */
export function checkToolDefinition(given: unknown): UtpToolDefinition {
  if (!isRecord(given)) {
    throw invalidOptions(`A tool definition must be an object, not ${JSON.stringify(given)}.`);
  }
  const { name, ...fields } = given;
  const definition = { ...fields, tool_name: given.tool_name ?? name };
  const [issue] = DEFINITION.safeParse(definition, { reportInput: true }).error?.issues ?? [];
  if (issue !== undefined) {
    const field = issue.path.join('.');
    throw invalidOptions(
      `In the definition of the tool ${definition.tool_name}, ${field} must be ${issue.message}. It is ${JSON.stringify(issue.input)}.`,
    );
  }
  if (given.parameters !== undefined) checkParameters(given.parameters, String(definition.tool_name));
  return definition as unknown as UtpToolDefinition;
}

function isToolSubject(subject: string): boolean {
  const example = renderTargetSubject(subject, Object.fromEntries(SUBJECT_FIELDS.map((name) => [name, 'x'])));
  const parts = parseSubject(example);
  const isTool = parts?.category === 'cmd' && parts.component === 'tool';
  return isTool && !subject.includes('.cmd.sys.') && !/[\s{}*>]/.test(example);
}
