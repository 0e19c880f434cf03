/** Decides who may answer a call, by the `mayAnswer` of the session and that of the tool. */
import type { Principal } from '../../shared/principal.ts';
import { reportFailure } from '../report-failure.ts';
import type { SessionSettings } from '../session-settings.ts';
import { findDefinition } from '../tools/run-server-tools.ts';
import type { AskedCall } from '../tools/server-tool.ts';

type Policies = Pick<SessionSettings, 'id' | 'tools' | 'mayAnswer' | 'onError'>;

/** Returns true if a session asks at all who answers its calls. */
export function hasPolicy({ mayAnswer, tools }: Policies): boolean {
  return mayAnswer !== undefined || Object.keys(tools).some((name) => findDefinition(tools, name)?.mayAnswer);
}

/** Returns true if nobody asks who answers the call, or all who ask say yes. Without a principal they are not even asked. */
export async function mayAnswerCall(
  settings: Policies,
  principal: Principal | undefined,
  call: Omit<AskedCall, 'sessionId'>,
): Promise<boolean> {
  const { id: sessionId, mayAnswer, tools, onError } = settings;
  const { toolCallId, toolName, args } = call;
  const policies = [mayAnswer, findDefinition(tools, toolName)?.mayAnswer].filter(
    (policy) => policy !== undefined,
  );
  if (policies.length === 0) return true;
  if (principal === undefined) return false;
  try {
    const asked = { sessionId, toolCallId, toolName, args };
    const answers = await Promise.all(policies.map((policy) => policy(principal, asked)));
    return answers.every((answer) => answer === true);
  } catch (thrown) {
    reportFailure(onError, thrown, { source: 'tool', sessionId, toolName, toolCallId });
    return false;
  }
}

/** As {@link mayAnswerCall}, for lists: a call that nobody asks about belongs to the person who sent the message of its turn, if known. */
export async function mayAnswerListed(
  settings: Policies,
  principal: Principal,
  call: Omit<AskedCall, 'sessionId'>,
  startedBy: Principal | undefined,
): Promise<boolean> {
  const isGuarded = settings.mayAnswer ?? findDefinition(settings.tools, call.toolName)?.mayAnswer;
  if (!isGuarded && startedBy !== undefined) return startedBy.id === principal.id;
  return mayAnswerCall(settings, principal, call);
}
