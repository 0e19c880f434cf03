import type { AnyTool } from '../parts/any-tool.ts';
import type { Labels } from '../text/labels.ts';

/** What the buttons of a confirmation say. */
export interface ConfirmWords {
  readonly yes: string;
  readonly no: string;
  readonly yesToAll: (count: number) => string;
}

export function readConfirmWords({ asks }: AnyTool, labels: Labels): ConfirmWords {
  switch (asks) {
    case 'rerun':
      return { yes: labels.rerun, no: labels.doNotRerun, yesToAll: labels.confirmAll };
    case 'approval':
      return { yes: labels.allow, no: labels.doNotAllow, yesToAll: labels.allowAll };
    case undefined:
      return { yes: labels.confirm, no: labels.decline, yesToAll: labels.confirmAll };
    default:
      return asks satisfies never;
  }
}
