import { readDeclaredSeverity, type Severity } from '../../shared/severity.ts';
import type { AnyTool } from '../primitives/any-tool.ts';

/** How careful a person should be with a call. */
export function severityOf(tool: Pick<AnyTool, 'definition' | 'approvalReason'>): Severity {
  const severity = readDeclaredSeverity(tool.definition);
  // Nobody knows how far the first run came, so a second one is never waved through.
  return tool.approvalReason === 'interrupted' && severity === 'neutral' ? 'caution' : severity;
}
