import { digestArguments } from '../../shared/digest-json.ts';
import { isQuestionId } from '../call-ids.ts';
import { verifyReceipt } from '../receipts/answer-receipt.ts';
import { toAnswerRecord } from '../receipts/answer-record.ts';
import { allowedArguments, type CallRecord, type CallRecords } from '../store/call-record.ts';
import { findServerTool } from '../tools/find-server-tool.ts';
import type { SessionSettings } from './session-settings.ts';

/**
 * Returns why a call of a server tool must not run in this process. No client may answer in the place of a tool that is not known here. Where
 * the session has receipts, each answer that the tool goes by is proved again: it lay in the store since it was given.
 */
export async function refuseToRun(
  { tools, receipts, id }: SessionSettings,
  stored: CallRecords,
  key: string,
): Promise<string | undefined> {
  const { toolName } = stored[key] as CallRecord;
  if (findServerTool(tools, toolName) === undefined)
    return `The server does not know the tool ${toolName} any more.`;
  if (receipts === undefined) return undefined;
  const questions = Object.values(stored).filter(({ askedBy }) => askedBy === key);
  const shown = await digestArguments(allowedArguments(stored[key] as CallRecord));
  for (const call of [stored[key] as CallRecord, ...questions]) {
    if (call.answer === undefined) continue;
    // The ids of before 0.2 are others. Their questions had the text among the arguments.
    if (isQuestionId(call.toolCallId) && call.digest !== shown)
      return `Not run: the question '${call.toolCallId}' was asked about other arguments than those in the store.`;
    const proof = await verifyReceipt(toAnswerRecord(id, call, call.answer), receipts);
    if (!proof.valid) return `Not run: an answer in the store is not the one that was given. ${proof.reason}`;
  }
  return undefined;
}
