import { CLOSING, closeOpenCalls } from '../runs/history.ts';
import type { CallRecords } from '../store/call-record.ts';
import type { EndReason } from '../store/live-run.ts';
import type { MessageRecord, SessionRecord } from '../store/session-store.ts';

/** Ends a turn early: its partial text is added to the history, and every call without a result is closed. */
export function closeTurn(
  { messages, calls, execution }: SessionRecord,
  why: EndReason,
): { readonly messages: readonly MessageRecord[]; readonly calls: CallRecords } {
  const closed = closeOpenCalls({ messages, calls }, CLOSING[why]);
  return { messages: execution?.partial ? [...messages, execution.partial] : messages, calls: closed };
}
