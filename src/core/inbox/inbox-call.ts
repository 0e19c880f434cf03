import type { AgentChatError } from '../../shared/errors.ts';
import { compact } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import type { OpenCall } from '../protocol/open-calls.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { ClientTools, InteractiveTool, InteractiveToolDefinition } from '../tools/client-tool.ts';
import { findTool, joinTools, toDialogDefinition } from '../tools/find-tool.ts';
import { parseArguments } from '../tools/parse-arguments.ts';
import { toQuestion } from '../transport/to-question.ts';

/** An open call in an inbox. */
export interface InboxCall {
  /** Names the call as long as it is in the inbox. */
  readonly key: string;
  /** The conversation that asks. */
  readonly sessionId: string;
  readonly executionId: string;
  /** The person who sent the message of the turn, where the server knows. */
  readonly startedBy?: Answerer;
  /** The call for a dialog or card. Another object after each refusal. */
  readonly tool: InteractiveTool;
  /**
   * - `waiting`: the person has not answered
   * - `sending`: the answer is on its way. The call leaves the inbox when the server has taken it
   * - `ended`: the call was answered elsewhere or its time is over, while this person typed or answered. It stays until `dismiss`
   */
  readonly status: 'waiting' | 'sending' | 'ended';
  /** Why the last answer was not taken. */
  readonly error?: AgentChatError;
  /** How often an answer was not taken. */
  readonly refusals: number;
}

/** The parts of a call that stay the same while it is in the inbox. */
export interface ListedCall {
  readonly openCall: OpenCall;
  /** The arguments as the schema of the tool parsed them. */
  readonly args: unknown;
  readonly definition: InteractiveToolDefinition | undefined;
  /** The call as the list first had it. */
  readonly call: ToolCall;
}

/**
 * Returns a call as the person is asked about it. Undefined for a call that is not for a person, such as one that a handler of a page
 * answers: only the server's questions are known to be for people, and the tools that the app declares as interactive.
 */
export function toListedCall(openCall: OpenCall, clientTools: ClientTools): ListedCall | undefined {
  const { sessionId, executionId, call: request, askedAt } = openCall;
  const tool = joinTools(findTool(clientTools, request.toolName), toQuestion(request));
  if (typeof tool === 'string' || 'execute' in tool) return undefined;
  const call: ToolCall = {
    // Backends name executions and calls as they like, so two conversations may have the same names.
    key: JSON.stringify([sessionId, executionId, request.toolCallId]),
    executionId,
    request,
    requestedAt: askedAt,
    ...compact({ expiresAt: request.deadline }),
    stage: 'waiting',
    serverToolResults: [],
  };
  const parsed = parseArguments(tool, request.args);
  // The page of the conversation answers a call whose arguments the tool refuses.
  if ('issues' in parsed) return undefined;
  return { openCall, args: parsed.value, definition: toDialogDefinition(tool, undefined), call };
}
