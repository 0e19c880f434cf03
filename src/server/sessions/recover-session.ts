/** Goes on with a session that nobody asks to: its process died in the middle of a run, or the time of a question is over. */
import { acceptAll, acceptSome, answerCall, restart } from '../answers/accept-answers.ts';
import type { CallRecord } from '../store/call-record.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { waitingCalls } from '../store/waiting-session.ts';
import { asInterrupted, type RequestContext } from './request-context.ts';

/** Restarts the run of a process that died. Returns true if there was one; it runs without a reader, until one comes. */
export async function recoverRun(context: RequestContext): Promise<boolean> {
  const { execution } = context.state.getRecord();
  const isDead = execution?.state === 'running' && asInterrupted(context, execution)?.state === 'interrupted';
  if (!isDead) return false;
  const { acknowledge, lastSeq } = await restart(context, execution, {});
  void context.startRun(acknowledge, lastSeq).finishUnread();
  return true;
}

/** Settles the questions whose time is over. Returns true if there were any. The run goes on without a reader, if no call is left. */
export async function expireQuestions(context: RequestContext): Promise<boolean> {
  const { settings, state } = context;
  const record = state.getRecord();
  const { execution, calls } = record;
  const now = settings.clock.now();
  const expired = expiringCalls(record).filter(({ deadline = now }) => deadline <= now);
  if (execution === null || expired.length === 0) return false;
  const entries = execution.open.flatMap((key) => {
    const call = calls[key];
    return call && expired.includes(call) ? [[key, call] as const] : [];
  });
  const answers = Object.fromEntries(
    await Promise.all(
      entries.map(
        async ([key, call]) =>
          [
            key,
            await answerCall(settings, call, {
              outcome: 'expired',
              error: 'Nobody answered in time',
              at: now,
            }),
          ] as const,
      ),
    ),
  );
  if (expired.length < waitingCalls(record).length) {
    await acceptSome(context, execution, answers);
    return true;
  }
  const { acknowledge, lastSeq } = await acceptAll(context, execution, answers);
  void context.startRun(acknowledge, lastSeq).finishUnread();
  return true;
}

/** The questions of server tools that wait, and have a deadline. The deadlines of other calls are for their clients. */
export function expiringCalls(record: SessionRecord): readonly CallRecord[] {
  return waitingCalls(record).filter(({ question, deadline }) => question && deadline !== undefined);
}
