/** The payload of a tool command (CommonGround v1r4, `ToolCommandPayload`). */
import { compact, isRecord, parseJson } from '../../shared/json.ts';
import { type CommandPayload, isAfterExecution } from './call.ts';
import { UtpToolError } from './tool-error.ts';

/** Fields that only headers may carry. A payload could otherwise contradict the message that carries it. */
const CONTROL_FIELDS = [
  'project_id',
  'channel_id',
  'channel',
  'agent_id',
  'agent_turn_id',
  'turn_epoch',
  'step_id',
  'tool_call_id',
  'trace_id',
  'traceparent',
  'tracestate',
  'parent_agent_id',
  'parent_agent_turn_id',
  'parent_step_id',
  'parent_traceparent',
  'recursion_depth',
];

/**
 * Returns the payload of a command. Blank strings count as absent. Other keys are ignored, because a later version may add some.
 *
 * @throws UtpToolError `bad_request` if the text is no JSON object, has a control field, or has a field with a wrong value.
 */
export function checkPayload(text: string): CommandPayload {
  const payload = parseJson(text);
  if (!isRecord(payload)) return refuse('is not a JSON object');
  const control = CONTROL_FIELDS.filter((name) => Object.hasOwn(payload, name));
  if (control.length > 0)
    return refuse(`has the control fields ${control.join(', ')}, which belong in CG-* headers`);
  const afterExecution = readText(payload, 'after_execution');
  if (afterExecution !== undefined && !isAfterExecution(afterExecution)) {
    return refuse(`has after_execution "${afterExecution}", which is neither "suspend" nor "terminate"`);
  }
  return compact({
    toolCallCardId: readText(payload, 'tool_call_card_id'),
    toolName: readText(payload, 'tool_name'),
    afterExecution,
  }) as CommandPayload;
}

function readText(payload: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = payload[name] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return refuse(`has ${name} of type ${typeof value}, not a string`);
  return value.trim() || undefined;
}

function refuse(fault: string): never {
  throw new UtpToolError('bad_request', `The payload of the command ${fault}.`);
}
