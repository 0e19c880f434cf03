import { reportThrown } from '../shared/report-thrown.ts';
import type { judgeCall, Verdict } from './judge-call.ts';

/** Whether a tool's policy lets a call run. Never rejects: what fails is reported, and a person is to be asked. */
export async function consultPolicy(...asked: Parameters<typeof judgeCall>): Promise<Verdict> {
  try {
    return await (await import('./judge-call.ts')).judgeCall(...asked);
  } catch (thrown) {
    reportThrown(thrown);
    return 'ask';
  }
}
