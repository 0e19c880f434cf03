/** Decides who may answer a call, by the `mayAnswer` of the session and that of the tool. */
import type { Answerer, Principal } from '../../shared/principal.ts';
import { reportFailure } from '../report-failure.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import { saysYes } from '../says-yes.ts';
import type { CallRecord } from '../store/call-record.ts';
import { answerRules } from '../tools/answer-rules.ts';
import { findDefinition } from '../tools/find-server-tool.ts';
import type { AskedCall, MayAnswer } from '../tools/server-tool.ts';

type Policies = Pick<SessionSettings, 'id' | 'tools' | 'mayAnswer' | 'onError' | 'clock'>;
type Call = Omit<AskedCall, 'sessionId'>;

/** Returns true if a session asks at all who answers its calls. */
export function hasPolicy({ mayAnswer, tools }: Policies): boolean {
  return mayAnswer !== undefined || Object.keys(tools).some((name) => findDefinition(tools, name)?.mayAnswer);
}

/** Returns true if a rule says who may answer the call. */
export function isGuarded(settings: Policies, call: Call): boolean {
  return rulesOf(settings, call).length > 0;
}

/** Returns true if nobody asks who answers the call, or all who ask say yes. Without a principal they are not even asked. */
export async function mayAnswerCall(
  settings: Policies,
  principal: Principal | undefined,
  call: Call,
): Promise<boolean> {
  const rules = rulesOf(settings, call);
  if (rules.length === 0) return true;
  if (principal === undefined) return false;
  const { id: sessionId, onError, clock } = settings;
  const { toolCallId, toolName, args } = call;
  const answers = await Promise.all(
    rules.map(({ name, rule }) =>
      saysYes({
        clock,
        name,
        // Each rule gets a copy of its own: what it changes must not change the call.
        ask: () => rule(principal, { sessionId, toolCallId, toolName, args: structuredClone(args) }),
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

/** Returns true if this process lacks a rule that was there when the call was asked: then it can judge nobody. */
export function hasLostRule(settings: Policies, { toolName, mayAnswer: asked = [] }: CallRecord): boolean {
  const rules = answerRules(settings, toolName);
  return asked.some((rule) => !rules.includes(rule));
}

function rulesOf(
  { mayAnswer, tools }: Policies,
  { toolName }: Call,
): readonly { name: string; rule: MayAnswer }[] {
  const ofTool = findDefinition(tools, toolName)?.mayAnswer;
  return [
    ...(mayAnswer ? [{ name: 'mayAnswer of the session', rule: mayAnswer }] : []),
    ...(ofTool ? [{ name: `mayAnswer of the tool '${toolName}'`, rule: ofTool }] : []),
  ];
}
