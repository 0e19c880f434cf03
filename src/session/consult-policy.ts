import { reportThrown } from '../shared/report-thrown.ts';
import type { ToolRules } from './tool-rules.ts';

/** Whether a tool's policy lets a call run. Never rejects: what fails is reported, and a person is to be asked. */
export const consultPolicy: ToolRules['consultPolicy'] = async (...asked) => {
  try {
    return await (await import('./judge-call.ts')).judgeCall(...asked);
  } catch (thrown) {
    reportThrown(thrown);
    return 'ask';
  }
};
