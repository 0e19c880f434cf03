import type { AnswerRule } from '../store/call-record.ts';
import { findDefinition } from './find-server-tool.ts';
import type { MayAnswer, ServerTools } from './server-tool.ts';

/** Returns which rules this process has for the calls of a tool. A process that lacks one later can judge no answer to them. */
export function answerRules(
  { mayAnswer, tools }: { readonly mayAnswer: MayAnswer | undefined; readonly tools: ServerTools },
  toolName: string,
): readonly AnswerRule[] {
  const ofTool = findDefinition(tools, toolName)?.mayAnswer;
  return [...(mayAnswer ? (['session'] as const) : []), ...(ofTool ? (['tool'] as const) : [])];
}
