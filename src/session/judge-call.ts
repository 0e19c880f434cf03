/**
 * Whether a tool with `approval` may run a call right away. Loaded on demand: who guards no tool does not pay for it.
 *
 * In doubt a person is asked. A "no" that was to be remembered counts before everything else, a "yes" only where a
 * person would have been asked: nothing lowers the guard of a policy that failed.
 */
import type { Clock } from '../shared/clock.ts';
import type { ChoiceMemory, RememberableCall } from '../store/choice-memory.ts';
import type { AutomaticToolDefinition, ClientToolContext } from '../store/client-tools.ts';
import { mayRemember } from './permissions-of.ts';

/** A policy that has not answered by then is taken to have no answer. */
const POLICY_LIMIT_MS = 10_000;

/**
 * - `run`: nobody has to be asked
 * - `ask`: a person decides
 * - `allowed`, `declined`: a person has decided earlier
 */
export type Verdict = 'run' | 'ask' | 'allowed' | 'declined';

interface Case {
  readonly tool: AutomaticToolDefinition;
  /** As the tool's schema makes them. */
  readonly args: unknown;
  readonly context: ClientToolContext;
  readonly call: RememberableCall;
  readonly memory: ChoiceMemory | undefined;
  /** Whether a person has let a call of this tool run in this conversation. */
  readonly allowedBefore: () => boolean;
  readonly clock: Clock;
}

/** Rejects when the policy, or the memory, failed: then a person is to be asked. */
export async function judgeCall({ call, memory, ...rest }: Case): Promise<Verdict> {
  const said = await memory?.recall(call);
  if (said === 'declined') return said;
  const verdict = await askPolicy(rest);
  return verdict === 'ask' && said === 'allowed' && mayRemember(rest.tool) ? said : verdict;
}

async function askPolicy({
  tool: { approval },
  args,
  context,
  allowedBefore,
  clock,
}: Omit<Case, 'call' | 'memory'>): Promise<Verdict> {
  if (approval === 'always') return 'ask';
  if (approval === 'once-per-conversation') return allowedBefore() ? 'allowed' : 'ask';
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
