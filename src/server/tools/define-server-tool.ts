/** Tools that run on the server and may ask people: in the middle of their work, or whether they may run at all. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { invalidOptions } from '../../shared/errors.ts';
import { findMeant } from '../../shared/find-meant.ts';
import { isRecord } from '../../shared/json.ts';
import { isSeverity, SEVERITIES } from '../../shared/severity.ts';
import { checkExpiresIn } from './expires-in.ts';
import type { DefinedToolContext, ServerToolApproval, ServerToolDefinition } from './server-tool.ts';

type ArgsOf<Input> = Input extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Input>
  : Readonly<Record<string, unknown>>;

/** All options. A guard is one without which a call runs that should not: a name that is like one of them is taken for a mistake. */
const OPTIONS: Record<keyof ServerToolDefinition, 'guard' | 'text'> = {
  execute: 'text',
  input: 'guard',
  approval: 'guard',
  mayAnswer: 'guard',
  severity: 'guard',
  editable: 'guard',
  remember: 'guard',
  reason: 'guard',
  title: 'text',
  description: 'text',
  waitsFor: 'text',
  confirmLabel: 'text',
  declineLabel: 'text',
};

/**
 * Defines a tool that runs on the server and may ask people. Pass it in `tools` of `createAgentSession`.
 *
 * @throws AgentChatError `invalid_options` for an option that is none of what it may be, and for a name that looks like a mistyped
 * `approval`, `mayAnswer`, `severity`, `editable`, `remember`, `reason` or `input`.
 */
export function defineServerTool<Input extends StandardSchemaV1 | undefined = undefined>(
  definition: Omit<ServerToolDefinition, 'input' | 'approval' | 'execute'> & {
    readonly input?: Input;
    readonly approval?: ServerToolApproval<ArgsOf<Input>>;
    readonly execute: (args: ArgsOf<Input>, context: DefinedToolContext) => unknown;
  },
): ServerToolDefinition {
  const { execute, approval, severity, editable, remember, reason } = definition ?? {};
  if (typeof execute !== 'function') fail('execute must be a function of the arguments');
  checkGuards(definition);
  checkApproval(approval);
  if (severity !== undefined && !isSeverity(severity))
    fail(`severity must be ${SEVERITIES.map((word) => `'${word}'`).join(', ')}, not ${show(severity)}`);
  for (const [name, value] of Object.entries({ editable, remember })) {
    if (value !== undefined && typeof value !== 'boolean')
      fail(`${name} must be true or false, not ${show(value)}`);
  }
  if (reason !== undefined && reason !== 'required')
    fail(`reason must be 'required' or left out, not ${show(reason)}`);
  return definition as ServerToolDefinition;
}

/**
 * Checks what would guard nothing if it were wrong. A session does so with tools that `defineServerTool` has not checked; their other
 * mistakes make a call ask.
 *
 * @throws AgentChatError `invalid_options` for a name that looks like a mistyped guard, and a `mayAnswer` that is no function.
 */
export function checkGuards(definition: object): void {
  for (const name of Object.keys(definition)) checkName(name);
  const { mayAnswer } = definition as { readonly mayAnswer?: unknown };
  if (mayAnswer !== undefined && typeof mayAnswer !== 'function')
    fail('mayAnswer must be a function of the principal and the call');
}

function checkName(name: string): void {
  if (Object.hasOwn(OPTIONS, name)) return;
  const guards = Object.entries(OPTIONS).flatMap(([option, kind]) => (kind === 'guard' ? [option] : []));
  const meant = findMeant(name, guards);
  if (meant === undefined) return;
  fail(
    `there is no option '${name}', so it would guard nothing. If it is '${meant}', write it so; else give it another name. The options are ${Object.keys(OPTIONS).join(', ')}`,
  );
}

function checkApproval(approval: unknown): void {
  if (approval === undefined || isApprovalRule(approval)) return;
  if (!isRecord(approval))
    fail(`approval must be 'always', 'never', a function or { when, expiresInMs }, not ${show(approval)}`);
  const { when, expiresInMs, ...rest } = approval;
  if (!isApprovalRule(when)) fail(`approval.when must be 'always', 'never' or a function, not ${show(when)}`);
  checkExpiresIn('defineServerTool: approval', expiresInMs);
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) fail(`approval has the options when and expiresInMs, not '${unknown}'`);
}

function isApprovalRule(rule: unknown): boolean {
  return rule === 'always' || rule === 'never' || typeof rule === 'function';
}

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function fail(message: string): never {
  throw invalidOptions(`defineServerTool: ${message}.`);
}
