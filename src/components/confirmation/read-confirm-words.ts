import type { AnyTool } from '../primitives/any-tool.ts';
import type { Labels } from '../text/labels.ts';

/** What the buttons of a confirmation say. */
export interface ConfirmWords {
  readonly yes: string;
  readonly no: string;
  readonly yesToAll: (count: number) => string;
}

export function readConfirmWords({ approvalReason }: AnyTool, labels: Labels): ConfirmWords {
  switch (approvalReason) {
    case 'interrupted':
      return { yes: labels.rerun, no: labels.doNotRerun, yesToAll: labels.confirmAll };
    case 'policy':
      return { yes: labels.allow, no: labels.doNotAllow, yesToAll: labels.allowAll };
    case undefined:
      return { yes: labels.confirm, no: labels.decline, yesToAll: labels.confirmAll };
    default:
      return approvalReason satisfies never;
  }
}
