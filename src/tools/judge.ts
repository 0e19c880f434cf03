import { reportThrown } from '../shared/report-thrown.ts';
import type { ToolRules, Verdict } from './tool-rules.ts';

/** Asks first whether a tool with `approval` may run, as its policy has it and as a person wanted to have remembered. */
export const judge: NonNullable<ToolRules['judge']> = (call, tool, args, calls) => {
  const { approval = 'never' } = tool;
  if (approval === 'never') return false;
  const { store, cleanups, settle, run, wait, onSettled } = calls;
  const abort = new AbortController();
  cleanups.set(call.key, () => abort.abort());
  /** Never rejects: what fails is reported, and a person is to be asked. */
  const consult = async (): Promise<Verdict> => {
    try {
      return await (await import('./approval.ts')).judgeCall(calls, call, tool, args, abort.signal);
    } catch (thrown) {
      reportThrown(thrown);
      return 'ask';
    }
  };
  void consult().then((verdict) => {
    // Settled meanwhile.
    if (abort.signal.aborted) return;
    if (typeof verdict === 'object') {
      settle(call.key, verdict, 'remembered');
    } else if (verdict === 'ask') {
      wait(call, tool, 'policy');
      store.publish();
      onSettled(false);
    } else {
      run(call, tool, args, verdict === 'allowed' ? { by: 'remembered' } : undefined);
    }
  });
  return true;
};
