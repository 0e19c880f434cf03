/** Builds `tool.result` cards (CommonGround v1r4, `ToolResultBuilder`). Pure: ids and times come in from outside. */
import { isRecord, type JsonValue, toJsonValue } from '../../shared/json.ts';
import { type AfterExecution, isAfterExecution, type UtpToolCall } from './call.ts';
import type { Card } from './cards.ts';
import type { ToolResultReport } from './l0.ts';
import { normalizeError, toFailedResult, type UtpErrorObject } from './normalize-error.ts';
import { UtpToolError } from './tool-error.ts';

const STATUSES = ['success', 'failed', 'canceled', 'timeout', 'partial'] as const;

/** How a call ended, in the words of the protocol. */
export type UtpResultStatus = (typeof STATUSES)[number];

/** The payload of a report. */
export type CallbackPayload = ToolResultReport['payload'];

/** The content of a `tool.result` card. */
export interface ToolResultContent {
  readonly status: UtpResultStatus;
  readonly after_execution: AfterExecution;
  readonly result: JsonValue;
  readonly error: UtpErrorObject | null;
}

/** The ending of a call, before the rules of the protocol have been applied to it. */
export interface ToolEnding {
  /** A word that is no status becomes `failed`. */
  readonly status: string;
  readonly result?: unknown;
  /** A thrown value, or an error object. With it, `success` becomes `failed`. */
  readonly error?: unknown;
  /** The wish of the tool. It wins over the command, and loses against `__cg_control` in the result. */
  readonly afterExecution?: string | undefined;
}

/** The fields of a card that are not the call's. */
export interface ResultCardFields {
  readonly cardId: string;
  readonly createdAt: Date;
  /** The actor that will report the card. L0 refuses the report of any other. */
  readonly authorId: string;
}

/** Returns the card for the ending of a call. Never throws: a fault of the ending makes a failed result. */
export function buildToolResult(call: UtpToolCall, ending: ToolEnding, fields: ResultCardFields): Card {
  return {
    card_id: fields.cardId,
    project_id: call.projectId,
    type: 'tool.result',
    content: toContent(call, ending),
    created_at: fields.createdAt.toISOString(),
    author_id: fields.authorId,
    metadata: {
      agent_turn_id: call.agentTurnId,
      tool_call_id: call.toolCallId,
      role: 'tool',
      function_name: call.toolName,
      ...call.lineage,
    },
    tool_call_id: call.toolCallId,
  };
}

/** The codes of endings that break a rule of the protocol. */
const RULE_CODES = [
  'invalid_status',
  'result_not_serializable',
  'error_not_serializable',
  'invalid_after_execution',
];

/** Returns the rule that the ending of a card broke, for the logs: only the agent gets the error otherwise. */
export function findBrokenRule({ content }: Card): UtpToolError | undefined {
  const { error } = content as ToolResultContent;
  return error && RULE_CODES.includes(error.code) ? new UtpToolError(error.code, error.message) : undefined;
}

/** Returns the payload of the report for a result card, or undefined if the card is none. */
export function toCallbackPayload({ card_id, content }: Card): CallbackPayload | undefined {
  if (!isRecord(content) || typeof content.status !== 'string') return undefined;
  const afterExecution = readControl(content.result) ?? content.after_execution;
  if (!isAfterExecution(afterExecution)) return undefined;
  return { after_execution: afterExecution, status: content.status, tool_result_card_id: card_id };
}

/** Later rules overrule earlier ones, in the order of the protocol's builder. */
function toContent(call: UtpToolCall, ending: ToolEnding): ToolResultContent {
  let { status, error } = checkStatus(ending);
  let result: JsonValue = null;
  try {
    result = toJsonValue(ending.result ?? (error && toFailedResult(error)), 'result');
  } catch (thrown) {
    error = toError('result_not_serializable', thrown, error && { original_error: error });
    status = 'failed';
  }
  const { afterExecution } = ending;
  if (afterExecution !== undefined && !isAfterExecution(afterExecution)) {
    const message = `after_execution is "${afterExecution}", which is neither "suspend" nor "terminate"`;
    error = normalizeError(new UtpToolError('invalid_after_execution', message));
    return { status: 'failed', after_execution: 'suspend', result, error };
  }
  const effective = readControl(result) ?? afterExecution ?? call.afterExecution;
  return { status, after_execution: effective, result, error: error ?? null };
}

function checkStatus(ending: ToolEnding): {
  status: UtpResultStatus;
  error: UtpErrorObject | undefined;
} {
  const known = STATUSES.find((status) => status === ending.status);
  const fault =
    known === undefined
      ? new UtpToolError('invalid_status', `"${ending.status}" is not a status of a tool result`)
      : undefined;
  const given = ending.error ?? fault;
  if (known === 'success' && given === undefined) return { status: known, error: undefined };
  const error = given === undefined ? readErrorOfResult(ending.result) : normalizeError(given);
  const status = known === undefined || known === 'success' ? 'failed' : known;
  try {
    return { status, error: toJsonValue(error, 'error') as unknown as UtpErrorObject };
  } catch (thrown) {
    return { status: 'failed', error: toError('error_not_serializable', thrown) };
  }
}

/** A tool may describe its failure in the result alone. */
function readErrorOfResult(result: unknown): UtpErrorObject {
  const describes = isRecord(result) && ('error_code' in result || 'error_message' in result);
  return normalizeError(describes ? result : { code: 'unknown_error', message: 'unknown error' });
}

function toError(code: string, thrown: unknown, detail?: unknown): UtpErrorObject {
  const { message } = normalizeError(thrown);
  return normalizeError(new UtpToolError(code, message, { detail }));
}

/** A result overrules the command by `__cg_control: { after_execution }`. Any other value there is ignored. */
function readControl(result: unknown): AfterExecution | undefined {
  const control = isRecord(result) ? result.__cg_control : undefined;
  const wish = isRecord(control) ? control.after_execution : undefined;
  return isAfterExecution(wish) ? wish : undefined;
}
