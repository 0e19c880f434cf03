/** Decides who may answer a call, by the `mayAnswer` of the session and that of the tool. */
import type { Answerer, Principal } from '../../shared/principal.ts';
import { reportFailure } from '../report-failure.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import { saysYes } from '../says-yes.ts';
import type { AnswerRule } from '../store/call-record.ts';
import { findDefinition } from '../tools/find-server-tool.ts';
import type { AskedCall, MayAnswer } from '../tools/server-tool.ts';

type Policies = Pick<SessionSettings, 'id' | 'tools' | 'mayAnswer' | 'onError' | 'clock'>;

/** A call as a record has it, or as it goes to clients. */
interface Call extends Omit<AskedCall, 'sessionId'> {
  /** In a record: the rules that decided when the call was asked. */
  readonly mayAnswer?: readonly AnswerRule[] | false | undefined;
}

/** Returns true if a session asks at all who answers its calls. */
export function hasPolicy({ mayAnswer, tools }: Policies): boolean {
  return mayAnswer !== undefined || Object.keys(tools).some((name) => findDefinition(tools, name)?.mayAnswer);
}

/** Returns true if a rule says who may answer the call. */
export function isGuarded(settings: Policies, call: Call): boolean {
  return rulesOf(settings, call).length > 0;
}

/**
 * Returns true if nobody asks who answers the call, or all who ask say yes. Without a principal they are not even asked. A rule that decided
 * when the call was asked, and that this process does not have, refuses everybody.
 */
export async function mayAnswerCall(
  settings: Policies,
  principal: Principal | undefined,
  call: Call,
): Promise<boolean> {
  const rules = rulesOf(settings, call);
  // A rule that is gone would have been asked: without it this process cannot judge who may answer.
  if (call.mayAnswer && call.mayAnswer.some((type) => !rules.some((rule) => rule.type === type)))
    return false;
  if (rules.length === 0) return true;
  if (principal === undefined) return false;
  const { id: sessionId, onError, clock } = settings;
  const { toolCallId, toolName, args } = call;
  const asked = { sessionId, toolCallId, toolName, args };
  const answers = await Promise.all(
    rules.map(({ name, rule }) =>
      saysYes({
        clock,
        name,
        ask: () => rule(principal, asked),
        report: (thrown) =>
          reportFailure(onError, thrown, { source: 'tool', sessionId, toolName, toolCallId }),
      }),
    ),
  );
  return answers.every((answer) => answer);
}

/**
 * As {@link mayAnswerCall}, for lists. A call that no rule guards belongs to the person who started its turn: where nobody did, by an id, it
 * is in nobody's list.
 */
export async function mayAnswerListed(
  settings: Policies,
  principal: Principal,
  call: Call,
  startedBy: Answerer | undefined,
): Promise<boolean> {
  return isGuarded(settings, call)
    ? mayAnswerCall(settings, principal, call)
    : startedBy?.id === principal.id;
}

function rulesOf(
  { mayAnswer, tools }: Policies,
  { toolName }: Call,
): readonly { type: AnswerRule; name: string; rule: MayAnswer }[] {
  const ofTool = findDefinition(tools, toolName)?.mayAnswer;
  return [
    ...(mayAnswer ? [{ type: 'session' as const, name: 'mayAnswer of the session', rule: mayAnswer }] : []),
    ...(ofTool ? [{ type: 'tool' as const, name: `mayAnswer of the tool '${toolName}'`, rule: ofTool }] : []),
  ];
}
