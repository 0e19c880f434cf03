/**
 * Whether a tool with `approval` may run a call right away. Loaded on demand: who guards no tool does not pay for it.
 *
 * In doubt a person is asked. A "no" that was to be remembered counts before everything else, a "yes" only where a
 * person would have been asked: nothing lowers the guard of a policy that failed.
 */
import type { Clock } from '../shared/clock.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { ChoiceMemory } from '../store/choice-memory.ts';
import type { AutomaticToolDefinition, ClientToolContext } from '../store/client-tools.ts';
import { mayRemember } from './permissions-of.ts';
import { answers } from './tool-answers.ts';

/** A policy that has not answered by then is taken to have no answer. */
const POLICY_LIMIT_MS = 10_000;

/**
 * - `run`: nobody has to be asked
 * - `ask`: a person decides
 * - `allowed`: a person has decided earlier; so they have where it is an answer, the no to this call
 */
export type Verdict = 'run' | 'ask' | 'allowed' | ToolCallAnswer;

const DECLINED_EARLIER = 'The person declined this earlier and wanted that to be remembered';

export interface PolicyContext {
  readonly store: ChatStore;
  readonly clock: Clock;
  /** What a person wanted to have remembered, where anything keeps that. */
  readonly memory: () => ChoiceMemory | undefined;
  readonly conversationId: string;
}

/**
 * Rejects when the policy, or the memory, failed: then a person is to be asked.
 *
 * @param args as the tool's schema makes them
 */
export async function judgeCall(
  { store, clock, memory, conversationId }: PolicyContext,
  { request }: ToolCall,
  tool: AutomaticToolDefinition,
  args: unknown,
  signal: AbortSignal,
): Promise<Verdict> {
  const { toolCallId, toolName } = request;
  const said = await memory()?.recall({ toolName, args: request.args, conversationId });
  if (said === 'declined') return answers.declined(DECLINED_EARLIER, { confirmed: false });
  const isAllowed = () => store.read().allowedTools.includes(toolName);
  const verdict = await askPolicy(tool, args, { toolCallId, toolName, signal }, isAllowed, clock);
  return verdict === 'ask' && said === 'allowed' && mayRemember(tool) ? said : verdict;
}

async function askPolicy(
  { approval }: AutomaticToolDefinition,
  args: unknown,
  context: ClientToolContext,
  /** Whether a person has let a call of this tool run in this conversation. */
  isAllowed: () => boolean,
  clock: Clock,
): Promise<Verdict> {
  if (approval === 'always') return 'ask';
  if (approval === 'once-per-conversation') return isAllowed() ? 'allowed' : 'ask';
  if (typeof approval === 'function') {
    const answer = await withinLimit(clock, context.toolName, async () => approval(args, context));
    if (typeof answer === 'boolean') return answer ? 'ask' : 'run';
    throw fault(context.toolName, `returned ${String(answer)}`, 'Return true to ask, false to run.');
  }
  const words = "Use 'never', 'always', 'once-per-conversation' or a function.";
  throw fault(context.toolName, `is ${String(approval)}`, words);
}

async function withinLimit(clock: Clock, toolName: string, policy: () => Promise<unknown>): Promise<unknown> {
  let cancel = () => {};
  const passed = new Promise<never>((_, reject) => {
    const late = fault(
      toolName,
      `did not answer within ${POLICY_LIMIT_MS / 1000} s`,
      'Decide on what is at hand.',
    );
    cancel = clock.after(POLICY_LIMIT_MS, () => reject(late));
  });
  return Promise.race([policy(), passed]).finally(() => cancel());
}

function fault(toolName: string, what: string, instead: string): TypeError {
  return new TypeError(`approval of tool ${toolName} ${what}, so the person is asked. ${instead}`);
}
