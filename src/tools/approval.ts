/**
 * Whether a tool with `approval` may run a call right away. Loaded on demand: who guards no tool does not pay for it.
 *
 * In doubt a person is asked. A "no" that was to be remembered counts before everything else, a "yes" only where a
 * person would have been asked: nothing lowers the guard of a policy that failed.
 */
import type { Clock } from '../shared/clock.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { AutomaticToolDefinition, ClientToolContext } from './client-tool.ts';
import { answers } from './outcomes.ts';
import { mayRemember } from './permissions-of.ts';
import type { PolicyContext, Verdict } from './tool-rules.ts';

/** A policy that has not answered by then, or a memory, is taken to have no answer. */
const LIMIT_MS = 10_000;

const DECLINED_EARLIER = 'The person declined this earlier and wanted that to be remembered';

/**
 * Rejects when the policy, or the memory, failed: then a person is to be asked.
 *
 * @param args as the tool's schema makes them
 */
export async function judgeCall(
  { options, store, clock, conversationId }: PolicyContext,
  { request }: ToolCall,
  tool: AutomaticToolDefinition,
  args: unknown,
  signal: AbortSignal,
): Promise<Verdict> {
  const { toolCallId, toolName } = request;
  const asked = { toolName, args: request.args, conversationId };
  const recall = async () => options().rememberedChoices?.recall(asked);
  // Databases of browsers are known to never answer at times.
  const said = await withinLimit(clock, recall, 'rememberedChoices', 'Look at what keeps them.');
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
  const policy = `approval of tool ${context.toolName}`;
  if (approval === 'always') return 'ask';
  if (approval === 'once-per-conversation') return isAllowed() ? 'allowed' : 'ask';
  if (typeof approval === 'function') {
    const ask = async () => approval(args, context);
    const answer = await withinLimit(clock, ask, policy, 'Decide on what is at hand.');
    if (typeof answer === 'boolean') return answer ? 'ask' : 'run';
    throw fault(policy, `returned ${String(answer)}`, 'Return true to ask, false to run.');
  }
  const words = "Use 'never', 'always', 'once-per-conversation' or a function.";
  throw fault(policy, `is ${String(approval)}`, words);
}

async function withinLimit<Value>(
  clock: Clock,
  answer: () => Promise<Value>,
  who: string,
  instead: string,
): Promise<Value> {
  let cancel = () => {};
  const passed = new Promise<never>((_, reject) => {
    const late = fault(who, `did not answer within ${LIMIT_MS / 1000} s`, instead);
    cancel = clock.after(LIMIT_MS, () => reject(late));
  });
  return Promise.race([answer(), passed]).finally(() => cancel());
}

function fault(who: string, what: string, instead: string): TypeError {
  return new TypeError(`${who} ${what}, so the person is asked. ${instead}`);
}
