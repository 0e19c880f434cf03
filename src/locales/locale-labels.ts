import type { Labels } from '../components/text/labels.ts';
import type { AttentionLabels } from '../core/policies/attention/watch-attention.ts';
import type { RunCodeLabels } from '../sandbox/ui/run-code-labels.ts';

/**
 * Every text of the kit in one language. The object itself goes to `LabelsProvider` (or `labels` of a component) and to
 * `useAttention({ labels })`, its `runCode` to the `labels` of `runCodeTool` and `RunCodeCard`.
 */
export interface LocaleLabels extends Labels, AttentionLabels {
  /** The language as a BCP 47 tag: that of numbers, amounts and dates, too. */
  readonly locale: string;
  /** The texts of the run-code dialog and card. They are apart, because some have names that `Labels` has as well. */
  readonly runCode: RunCodeLabels;
}
